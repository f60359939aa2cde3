import { apiError } from '../../errors.ts'
import type { Call, FileAnswer, Reply } from '../route.ts'

/** Reads the bytes of a shipped file. */
export type FileLoader = (file: string) => Promise<Uint8Array>

/** Answers with a file: whole, the part that `Range` asks for, or the headers of the whole for `HEAD`. */
export async function serveFile(call: Call, { file, contentType }: FileAnswer, load: FileLoader): Promise<Reply> {
  const bytes = await load(file)
  const headers = { 'content-type': contentType, 'accept-ranges': 'bytes', 'cache-control': 'private' }
  // RFC 9110 gives a Range a meaning with GET alone.
  const range = call.method === 'GET' ? parseRange(call.header('range'), bytes.length) : undefined
  if (range === 'unsatisfiable') {
    const { status, message } = apiError('range_unsatisfiable', { range: call.header('range') ?? '', size: bytes.length })
    const body = JSON.stringify({ error: message })
    return {
      status,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-range': `bytes */${bytes.length}` },
      body,
    }
  }
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  const partHeaders: Record<string, string> =
    range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${bytes.length}` }
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...partHeaders, 'content-length': String(part.length) },
    body: call.method === 'HEAD' ? null : part,
  }
}

/** The one range asked for; undefined when there is none, or a form that RFC 9110 lets a server ignore. */
function parseRange(header: string | null, size: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') {
    const length = Number(match[2])
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
