import type { Route } from '../src/engine/route.ts'
import { readSource, toTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/world/routes.ts'
import type { GeneratedFile } from './generate-media.ts'
import { toTable } from './markdown.ts'

const head = ['Route', 'Permission', 'Kind', 'Source', 'Keeps']

/** Writes the fidelity table: every route, where it is known from, and what it keeps to. */
export function generateRoutes(): GeneratedFile[] {
  const groups = [...new Set(routes.map(({ group }) => group))]
  const tables = groups.map((group) => `## ${group}\n\n${toTable(head, routes.filter((route) => route.group === group).map(toRow))}`)
  return [{ path: 'docs/routes.md', content: [introduce(), ...tables].join('\n') }]
}

function introduce(): string {
  const documented = routes.filter(({ source }) => readSource(source)['x-source'] === 'reference').length
  return `# Routes

${routes.length} routes: ${documented} documented by the reference, ${routes.length - documented} inferred. A *relay* route needs the account's upstream session and answers 424 without it; a
*service* route does not. *Source* is the section of the reference, or *inferred*: then path, shape and behaviour are the strictest reading of
what is known. Single shapes that the reference leaves open on documented routes carry \`x-source: inferred\` in [openapi.json](openapi.json).
What holds for all routes: [decisions/gate.md](decisions/gate.md) and [decisions/inferred.md](decisions/inferred.md).
`
}

function toRow({ method, path, permission, kind, source, evidence, summary, rules = [], head: hasHead, gate }: Route): string[] {
  const { 'x-source': origin, 'x-source-detail': detail } = readSource(source)
  const name = `\`${method} ${toTemplate(path)}\`${hasHead === true ? ' and `HEAD`' : ''}`
  return [
    `${name}<br>${summary}`,
    permission === null ? 'none' : `\`${permission}\``,
    gate === 'none' ? 'open' : kind,
    origin === 'reference' ? (detail ?? 'documented') : `inferred${evidence === undefined ? '' : `: ${evidence}`}`,
    rules.join(' '),
  ]
}
