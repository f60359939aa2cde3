import { errorCatalogue } from '../src/error-catalogue.ts'
import type { GeneratedFile } from './generate-media.ts'
import { toTable } from './markdown.ts'

const introduction = `# Errors

Every error is \`{"error": "<one sentence>"}\`, with no envelope and no other key. Statuses are documented where the source says so. The
**texts are inferred**, all of them: the reference shows none. Build on the status, never on a text.

An error takes 1 credit, but for 401 and 429, which take none, and for those of \`/media-proxy\`, which never do. Nor do \`host_foreign\` and
\`origin_foreign\`, with which a server refuses requests before it looks at the key: the service itself knows neither, and in process nothing
asks for them. The codes are the sandbox's own names, in \`ApiError.code\`; they are not answered.
\`{clock}\` says that the clock stands still, where it does: no window opens then.
`

const anyError = '400 to 599'

const summary = `## By status

Every status above 399 that can occur, and what answers it.
`

/** What can be answered besides the errors of the catalogue. */
const others = [
  [anyError, 'Injected faults (`fault_injected`): the status that the fault says.'],
  [
    '400, 401, 403, 404, 413, 500, 503',
    'The control plane under `/_sandbox/`, none of it the API: 401 without its token, 503 while too many event streams are open.',
  ],
]

/** Writes the page of every error that the API answers. */
export function generateErrors(): GeneratedFile[] {
  const rows = Object.entries(errorCatalogue).map(([code, { status, message, source }]) => [
    `\`${code}\``,
    code === 'fault_injected' ? anyError : String(status),
    message,
    source,
  ])
  const codesOf = new Map<number, string[]>()
  for (const [code, { status }] of Object.entries(errorCatalogue))
    if (code !== 'fault_injected')
      codesOf.set(status, [...(codesOf.get(status) ?? []), `\`${code}\``])
  const statuses = [...codesOf]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), codes.join(', ')])
  return [
    {
      path: 'docs/errors.md',
      content: `${introduction}\n${toTable(['Code', 'Status', 'Text', 'Source of the status'], rows)}\n${summary}\n${toTable(['Status', 'Codes'], [...statuses, ...others])}`,
    },
  ]
}
