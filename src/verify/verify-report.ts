import type { Change, RouteOverlay } from '../overlay/format.ts'
import type { Finding } from './compare-shape.ts'
import type { NameGuard } from './name-guard.ts'

/** Removes from the results all names that may be values of the service. */
export function redactNames(results: readonly RouteResult[], guard: NameGuard): RouteResult[] {
  return results.map((result) => ({ ...result, findings: guard.filter(result.findings) }))
}

/** Header of an overlay file. */
interface OverlayAbout {
  date: string
  note: string
  /** Comment with the schema URL, for editors. */
  schemaLine: string
}

/**
 * Converts the results to an overlay with the differences, the absent routes and the confirmed
 * routes.
 */
export function formatOverlay(
  results: readonly RouteResult[],
  { date, note, schemaLine }: OverlayAbout,
): string {
  const routes = results.flatMap((result) => {
    const change = toChange(result)
    return change === undefined ? [] : [[result.id, change] as const]
  })
  const lines = [
    '# Differences between the service and the sandbox, see docs/verify.md. Contains names ' +
      'and types, but no values of the service.',
    schemaLine,
    `date: ${JSON.stringify(date)}`,
    `note: ${JSON.stringify(note)}`,
    routes.length === 0 ? 'routes: {}' : 'routes:',
  ]
  for (const [id, change] of routes) lines.push(...writeRoute(id, change))
  return `${lines.join('\n')}\n`
}

/** Returns the overlay for a route, or undefined if there are no differences. */
function toChange({ outcome, findings }: RouteResult): RouteOverlay | undefined {
  if (outcome === 'absent') return { absent: true }
  if (outcome !== 'same' && outcome !== 'differs') return undefined
  const [query, body, answer] = (['query', 'body', undefined] as const).map((part) =>
    toChanges(findings.filter((finding) => finding.part === part)),
  )
  const status = findings.map(({ status: seen }) => seen).find((seen) => seen !== undefined)
  return {
    ...(status === undefined ? {} : { status }),
    ...(query && { query }),
    ...(body && { body }),
    ...(answer && { answer }),
  }
}

function toChanges(findings: readonly Finding[]): Record<string, Change> | undefined {
  const changes: Record<string, Change> = {}
  for (const finding of findings)
    for (const [path, change] of Object.entries(finding.changes ?? {}))
      changes[path] = { ...changes[path], ...change }
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** Writes a change on one line as JSON, which is also valid YAML. */
function writeRoute(id: string, { query, body, answer, ...rest }: RouteOverlay): string[] {
  const parts = Object.entries({ query, body, answer }).filter(
    ([, changes]) => changes !== undefined,
  )
  if (parts.length === 0) return [`  ${JSON.stringify(id)}: ${JSON.stringify(rest)}`]
  const head = Object.entries(rest).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`)
  const tail = parts.flatMap(([part, changes]) => [
    `    ${part}:`,
    ...Object.entries(changes ?? {}).map(
      ([path, change]) => `      ${JSON.stringify(path)}: ${JSON.stringify(change)}`,
    ),
  ])
  return [`  ${JSON.stringify(id)}:`, ...head, ...tail]
}

const outcomes = ['differs', 'absent', 'refused', 'same', 'not tried'] as const

/** Formats the results as a table for the terminal. */
export function formatResultLines(results: readonly RouteResult[]): string[] {
  return outcomes.flatMap((outcome) =>
    results.flatMap((result) =>
      result.outcome === outcome
        ? [
            `${outcome.padEnd(9)} ${result.id}${result.why === undefined ? '' : `: ${result.why}`}`,
            ...result.findings.map((finding) => `          ${describeFinding(finding)}`),
          ]
        : [],
    ),
  )
}

/** Formats the number of routes for each outcome. */
export function formatResultSummary(results: readonly RouteResult[]): string {
  return outcomes
    .map((outcome) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`)
    .join(', ')
}

/** Header of a report. */
interface ReportHeader {
  title: string
  /** Paragraph that describes the run. */
  about: string
  /** Paths of the service that the sandbox does not have, without ids. */
  unknown?: readonly string[]
}

const marker = 'results: '

/**
 * Formats the report as Markdown. Its last line contains the results, from which the next run can
 * continue.
 */
export function formatReportMarkdown(
  results: readonly RouteResult[],
  { title, about, unknown = [] }: ReportHeader,
): string {
  const rows = outcomes.flatMap((outcome) =>
    results.filter((result) => result.outcome === outcome).map(toRow),
  )
  const notSeen = results.filter(
    (result) => result.notSeen.length > 0 || result.awaitsProbe === true,
  )
  const parts = [
    `# ${title}`,
    `${about}\n\n${formatResultSummary(results)}. The report contains names and types, but no values ` +
      'from the service.',
    rows.length === 0
      ? 'No route was used.'
      : ['| route | result | how |', '|---|---|---|', ...rows].join('\n'),
    ...(unknown.length === 0
      ? []
      : [`## Unknown paths\n\n${unknown.map((each) => `- \`${each}\``).join('\n')}`]),
    ...(notSeen.length === 0
      ? []
      : [
          '## Not seen\n\nNo response contained these fields, so they were not compared ' +
            `them.\n\n${notSeen.map(describeNotSeen).join('\n')}`,
        ]),
    `<!-- ${marker}${JSON.stringify(results)} -->`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Reads the results in a report, or returns undefined if there are none. */
export function readResults(markdown: string): RouteResult[] | undefined {
  const line = markdown.split('\n').find((each) => each.startsWith(`<!-- ${marker}`))
  if (line === undefined) return undefined
  try {
    const results = JSON.parse(line.slice(`<!-- ${marker}`.length, -' -->'.length)) as RouteResult[]
    return Array.isArray(results) &&
      results.every(({ id, outcome }) => typeof id === 'string' && outcomes.includes(outcome))
      ? results
      : undefined
  } catch {
    // A manually edited report may be unreadable. The caller reports this to the user.
    return undefined
  }
}

function toRow({ id, outcome, why, findings }: RouteResult): string {
  const how = [...(why === undefined ? [] : [why]), ...findings.map(describeFinding)]
    .join('<br>')
    .replaceAll('|', '\\|')
  return `| \`${id}\` | ${outcome} | ${how} |`
}

function describeFinding({ path, part, text }: Finding): string {
  return `${part === undefined ? '' : `${part} `}${path === undefined ? '' : `${path} `}${text}`
}

function describeNotSeen({ id, notSeen, awaitsProbe }: RouteResult): string {
  const places = [...(awaitsProbe === true ? ['the maximum page size'] : []), ...notSeen]
  return (
    `- \`${id}\`: ` +
    `${places.slice(0, 30).join(', ')}${places.length > 30 ? `, and ${places.length - 30} more` : ''}`
  )
}

/** Outcome of comparing a route with the service. */
type Outcome = 'same' | 'differs' | 'refused' | 'absent' | 'not tried'

/** The result for a route, without any values from the service. */
export interface RouteResult {
  id: string
  outcome: Outcome
  findings: readonly Finding[]
  /** JSON paths that did not occur in any response. */
  notSeen: readonly string[]
  /** Reason why the route was refused or could not be tested. */
  why?: string
  /** True if the maximum page size has not been tested yet. */
  awaitsProbe?: true
}

/** True if the route needs no further requests. */
export function isResultFinal({ outcome }: RouteResult): boolean {
  return outcome !== 'not tried'
}
