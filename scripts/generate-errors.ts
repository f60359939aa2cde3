import type { Route } from '../src/api/route.ts'
import { errorCatalogue } from '../src/error-catalogue.ts'
import type { CatalogueEntry } from '../src/error-catalogue.ts'
import { createOpenApi } from '../src/openapi/openapi.ts'
import { toPathTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/resources/all-resources.ts'
import type { GeneratedFile } from './generate-media.ts'
import { formatMarkdownTable } from './markdown.ts'

const introduction = `# Errors

Every error is \`{"error": "<message>"}\`, without an envelope or other keys. The last column shows which **statuses** are documented. The reference shows no error messages, so **messages are our guess**. Do not match on them.

- An error costs 1 credit, except the [free ones](decisions/order-of-checks.md), such as 401 and 429.
- \`host_foreign\` and \`origin_foreign\` exist only on a server, which rejects foreign hosts and origins ([security](security.md)). The real service does not return them.
- Codes are internal names of the sandbox. They are not sent to clients, but you find them in the journal and in \`ApiError.code\`.
- \`{clock}\` is a hint that the clock is frozen, which means that the limit is never renewed.
- If several errors apply, the [order of checks](decisions/order-of-checks.md) decides which one you get.

## All errors
`

const anyError = '400 to 599'

const byStatus = `## By status
`

const byRoute = `## By route

The table shows the errors that each route can return. \`5XX\` is caused by faults, or by a server at its memory limit (503). \`/docs\` and [openapi.json](openapi.json) also list the errors of each route.
`

/** Errors that are missing in the error catalogue. */
const others = [
  [anyError, 'Faults (`fault_injected`): the status of the fault.'],
  [
    '400, 401, 403, 404, 413, 500, 503',
    'The control plane under `/_sandbox/`, which is not part of the API.',
  ],
]

/** Generates the page that lists all API errors. */
export function generateErrors(): GeneratedFile[] {
  const errors = Object.entries<CatalogueEntry>(errorCatalogue)
  const rows = errors.map(([code, { status, message, source = 'inferred' }]) => [
    `\`${code}\``,
    code === 'fault_injected' ? anyError : String(status),
    message,
    source,
  ])
  const codesOf = new Map<number, string[]>()
  for (const [code, { status }] of errors)
    if (code !== 'fault_injected')
      codesOf.set(status, [...(codesOf.get(status) ?? []), `\`${code}\``])
  const statuses = [...codesOf]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.join(', ')])
  return [
    {
      path: 'docs/errors.md',
      content: `${introduction}\n${formatMarkdownTable(['Code', 'Status', 'Message', 'Source of the status'], rows)}\n${byRoute}\n${formatMarkdownTable(['Routes', 'Errors'], groupRoutesByErrors())}\n${byStatus}\n${formatMarkdownTable(['Status', 'Codes'], [...statuses, ...others])}`,
    },
  ]
}

/** A group of statuses with more routes than this does not list the routes individually. */
const maxListed = 2

/** Groups the routes by their error statuses. */
function groupRoutesByErrors(): string[][] {
  const { paths } = createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })
  const statusesOf = ({ method, path }: Route) =>
    Object.keys(paths[toPathTemplate(path)]?.[method.toLowerCase()]?.responses ?? {})
      .filter((status) => !status.startsWith('2'))
      .join(', ')
  const groups = new Map<string, Route[]>()
  for (const route of routes) {
    const statuses = statusesOf(route)
    groups.set(statuses, [...(groups.get(statuses) ?? []), route])
  }
  return [...groups].map(([statuses, group]) => {
    const { kind } = group[0] as Route
    const names = group
      .map(({ method, path }) => `\`${method} ${toPathTemplate(path)}\``)
      .join(', ')
    return [
      group.length <= maxListed
        ? names
        : `${group.length} ${kind} routes ${statuses.includes('413') ? 'with' : 'without'} a body`,
      statuses,
    ]
  })
}
