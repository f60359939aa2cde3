import type { Route } from '../src/api/route.ts'
import { errorCatalogue } from '../src/error-catalogue.ts'
import type { CatalogueEntry } from '../src/error-catalogue.ts'
import { toPathTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/resources/all-resources.ts'
import { openApi } from './generate-openapi.ts'
import type { GeneratedFile } from './generated-file.ts'
import { formatMarkdownTable, updatePage } from './markdown.ts'

const anyError = '400 to 599'

/** Errors that are missing in the error catalogue. */
const others = [
  [anyError, 'Faults (`fault_injected`): the status of the fault.'],
  [
    '400, 401, 403, 404, 413, 500, 503',
    'The control plane under `/_sandbox/`, which is not part of the API.',
  ],
]

/** Generates the tables of the page that lists all API errors. */
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
    updatePage('docs/errors.md', {
      '## All errors': formatMarkdownTable(
        ['Code', 'Status', 'Message', 'Source of the status'],
        rows,
      ),
      '## By route': formatMarkdownTable(['Routes', 'Errors'], groupRoutesByErrors()),
      '## By status': formatMarkdownTable(['Status', 'Codes'], [...statuses, ...others]),
    }),
  ]
}

/** A group of statuses with more routes than this does not list the routes individually. */
const maxListed = 2

/** Groups the routes by their error statuses. */
function groupRoutesByErrors(): string[][] {
  const statusesOf = ({ method, path }: Route) =>
    Object.keys(openApi.paths[toPathTemplate(path)]?.[method.toLowerCase()]?.responses ?? {})
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
