import { errorCatalogue } from '../src/errors.ts'
import type { GeneratedFile } from './generate-media.ts'
import { toTable } from './markdown.ts'

const introduction = `# Errors

Every error is \`{"error": "<one sentence>"}\`, with no envelope and no other key. Statuses are documented where the source says so. The
**texts are inferred**, all of them: the reference shows none. Build on the status, never on a text.

An error takes 1 credit, but for 401 and 429, which take none, and for those of \`/media-proxy\`, which never do. The codes are the
sandbox's own names, in \`ApiError.code\`; they are not answered.
`

/** Writes the page of every error that the API answers. */
export function generateErrors(): GeneratedFile[] {
  const rows = Object.entries(errorCatalogue).map(([code, { status, message, source }]) => [`\`${code}\``, String(status), message, source])
  return [{ path: 'docs/errors.md', content: `${introduction}\n${toTable(['Code', 'Status', 'Text', 'Source of the status'], rows)}` }]
}
