import type { Audit } from './audit.ts'
import { severities, formatCount } from './rule.ts'
import type { AuditFormat } from './rule.ts'

/** Writes an audit as JSON, as text for a terminal, or as Markdown for a pull request. */
export function formatAudit(audit: Audit, format: AuditFormat = 'text'): string {
  return writers[format](audit)
}

const writers: Readonly<Record<AuditFormat, (audit: Audit) => string>> = {
  json: (audit) => `${JSON.stringify(audit, null, 2)}\n`,
  text: toText,
  markdown: toMarkdown,
}

function toText({ findings, ...rest }: Audit): string {
  const lines = findings.flatMap(({ rule, severity, message, advice, source, requests }) => [
    `${severity.padEnd(7)}  ${rule}: ${message}`,
    `         ${advice}`,
    `         ${source}; ${requests.length === 1 ? 'request' : 'requests'} ${list(requests)}`,
    '',
  ])
  return [...lines, ...describeRest({ findings, ...rest }), ''].join('\n')
}

function toMarkdown({ findings, ...rest }: Audit): string {
  const rows = findings.map(({ rule, severity, message, advice, source, requests }) =>
    [severity, `\`${rule}\``, message, advice, source, list(requests)]
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;'))
      .join(' | '),
  )
  const head = [
    'Severity | Rule | Mistake | Fix | Source | Requests',
    '--- | --- | --- | --- | --- | ---',
  ]
  const table = rows.length === 0 ? [] : [...[...head, ...rows].map((row) => `| ${row} |`), '']
  return [...table, ...describeRest({ findings, ...rest }).flatMap((line) => [line, ''])].join('\n')
}

function describeRest({ cost, summary }: Audit): string[] {
  const found = severities
    .map((severity) => formatCount(summary.findings[severity], severity))
    .join(', ')
  const dropped =
    summary.dropped === 0
      ? ''
      : ` The journal dropped ${formatCount(summary.dropped, 'request')} before the audit. To keep ` +
        'more, set a larger journalSize.'
  const unread =
    summary.unread === 0
      ? ''
      : ` ${formatCount(summary.unread, 'request')} had bodies that were too long to check.`
  const untried =
    summary.untried.length === 0
      ? []
      : [`Not tested on the routes that were used: ${summary.untried.join(', ')}.`]
  const { charged, visible, errors, lost } = summary.credits
  const reasons = [
    ...(errors.length === 0 ? [] : [`errors have no _meta (${list(errors)})`]),
    ...(lost.length === 0 ? [] : [`no response with _meta arrived (${list(lost)})`]),
  ]
  const hidden =
    charged === visible
      ? []
      : [
          `Clients could see ${visible} of ${formatCount(charged, 'credit')} in _meta: ${reasons.join(', ')}.`,
        ]
  const role =
    summary.smallestRole.length === 0
      ? []
      : [`Permissions used: ${JSON.stringify(summary.smallestRole)}`]
  return [
    `${found} in ${formatCount(summary.requests, 'request')}, ${formatCount(cost.credits, 'credit')}.${dropped}${unread}`,
    ...hidden,
    ...untried,
    ...role,
  ]
}

function list(ids: readonly number[]): string {
  return `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
}
