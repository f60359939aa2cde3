import { quoteText } from '../errors.ts'
import { joinChunks, toChunks } from '../lib/chunks.ts'
import type { Call } from './route.ts'

/** Decodes the bytes of a body as UTF-8. Malformed bytes become U+FFFD. */
export function decodeBody(call: Call): Call {
  const { body, bytes } = call
  if (body !== null || bytes === undefined || bytes.length === 0) return call
  return { ...call, body: lenient.decode(toWhole(bytes)) }
}

/**
 * Checks a body before it is parsed. Returns the reason why it cannot be JSON in UTF-8, or
 * undefined if no problem is found.
 */
export function findJsonBodyProblem(call: Call): string | undefined {
  const contentType = call.header('content-type')
  if (contentType === null) return 'there is no Content-Type'
  if (!isJson(contentType)) return `the Content-Type is ${quoteText(contentType, 80)}`
  if (hasByteOrderMark(call)) return 'the body starts with a byte order mark'
  return isUtf8(call) ? undefined : 'the body is not UTF-8'
}

// Keeps a byte order mark in the text, so that a body that starts with one is rejected.
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

function isJson(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1] ?? 'utf-8'
  return /^application\/json\s*(;|$)/i.test(contentType) && charset.toLowerCase() === 'utf-8'
}

/** True if a body begins with a byte order mark of UTF-8 or UTF-16. */
function hasByteOrderMark({ bytes, body }: Call): boolean {
  const [first, second] = toChunks(bytes ?? null)[0] ?? []
  return (
    body?.startsWith('\uFEFF') === true ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  )
}

function isUtf8({ bytes, body }: Call): boolean {
  // Decoding turns malformed bytes into U+FFFD, so a body without this character is valid.
  if (bytes === undefined || body?.includes('\uFFFD') !== true) return true
  try {
    strict.decode(toWhole(bytes))
    return true
  } catch {
    return false
  }
}

function toWhole(bytes: NonNullable<Call['bytes']>): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : joinChunks(bytes)
}
