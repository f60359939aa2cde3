import type { Route } from '../src/api/route.ts'
import { getSourceLevel } from '../src/api/source.ts'
import type { SourceLevel } from '../src/api/source.ts'
import { describeSource, toPathTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/resources/all-routes.ts'
import type { GeneratedFile } from './generate-media.ts'
import { formatMarkdownTable } from './markdown.ts'

const head = ['Route', 'Permission', 'Kind', 'Source', 'Rules']

/**
 * Generates the route table, with the permission, the kind, the source and the rules of each route.
 */
export function generateRoutes(): GeneratedFile[] {
  const groups = [...new Set(routes.map(({ group }) => group))]
  const tables = groups.map(
    (group) =>
      `## ${group}\n\n${formatMarkdownTable(head, routes.filter((route) => route.group === group).map(toRow))}`,
  )
  return [{ path: 'docs/routes.md', content: [formatIntroduction(), ...tables].join('\n') }]
}

function formatIntroduction(): string {
  const count = (level: SourceLevel) =>
    routes.filter(({ source }) => getSourceLevel(source) === level).length
  const operations = routes.length + routes.filter(({ head: hasHead }) => hasHead).length
  return `# Routes

${routes.length} routes: ${count('documented')} documented, ${count('published')} published, ${count('inferred')} inferred. [openapi.json](openapi.json) has ${operations} operations, because it counts \`HEAD\` separately.

| Term | Meaning |
| --- | --- |
| relay | forwarded to the platform. The route needs the upstream session of the account, and returns 424 without it |
| service | handled by the service itself, without the session |
| open | needs no API key |
| documented | described in the named section of the reference |
| published | at least the path and the permission are in the older public documentation of the service |
| inferred | our guess, based on similar routes |

\`--only-documented\` serves only the documented routes. \`--no-guesses\` also serves the published ones. Fields that the reference does not document have \`x-source: inferred\` in openapi.json. See also [errors](errors.md#by-route), the [order of checks](decisions/order-of-checks.md), and [open questions of the reference](decisions/inferred.md).
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
  accessChecks,
}: Route): string[] {
  const name = `\`${method} ${toPathTemplate(path)}\`${hasHead === true ? ' and `HEAD`' : ''}`
  return [
    `${name}<br>${summary}`,
    permission === null ? 'none' : `\`${permission}\``,
    accessChecks === 'none' ? 'open' : kind,
    describeSource({ source, evidence }),
    rules.join(' '),
  ]
}
