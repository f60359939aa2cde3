import type { Route } from '../src/api/route.ts'
import { levelOf } from '../src/api/source.ts'
import type { SourceLevel } from '../src/api/source.ts'
import { tellSource, toTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/resources/all-routes.ts'
import type { GeneratedFile } from './generate-media.ts'
import { toTable } from './markdown.ts'

const head = ['Route', 'Permission', 'Kind', 'Source', 'Keeps']

/** Writes the fidelity table: every route, where it is known from, and what it keeps to. */
export function generateRoutes(): GeneratedFile[] {
  const groups = [...new Set(routes.map(({ group }) => group))]
  const tables = groups.map(
    (group) =>
      `## ${group}\n\n${toTable(head, routes.filter((route) => route.group === group).map(toRow))}`,
  )
  return [{ path: 'docs/routes.md', content: [introduce(), ...tables].join('\n') }]
}

function introduce(): string {
  const count = (level: SourceLevel) =>
    routes.filter(({ source }) => levelOf(source) === level).length
  return `# Routes

${routes.length} routes: ${count('documented')} documented, ${count('published')} published, ${count('inferred')} inferred. A *relay* route needs the account's upstream session and answers 424
without it; a *service* route does not. *Source*: *documented* routes are in the reference, in the section that is named; *published* ones in the
service's older public documentation, path and permission at least; of *inferred* ones path, shape and behaviour are the strictest reading of
what is known. \`--only-documented\` serves the first, \`--no-guesses\` the first two. Single shapes that the reference leaves open on documented routes carry \`x-source: inferred\` in [openapi.json](openapi.json).
What holds for all routes: [decisions/gate.md](decisions/gate.md) and [decisions/inferred.md](decisions/inferred.md).
`
}

function toRow({
  method,
  path,
  permission,
  kind,
  source,
  evidence,
  summary,
  rules = [],
  head: hasHead,
  gate,
}: Route): string[] {
  const name = `\`${method} ${toTemplate(path)}\`${hasHead === true ? ' and `HEAD`' : ''}`
  return [
    `${name}<br>${summary}`,
    permission === null ? 'none' : `\`${permission}\``,
    gate === 'none' ? 'open' : kind,
    tellSource({ source, evidence }),
    rules.join(' '),
  ]
}
