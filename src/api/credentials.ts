import { isSecretName, usualForms } from '../lib/credentials.ts'
import type { CredentialPatterns } from '../lib/credentials.ts'
import { decodeUrlPart } from '../lib/url.ts'
import { getBodyText } from '../world/journal/exchange.ts'
import type { ApiKey } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'
import { findApiKey } from './admission.ts'

/** API keys of a world, and patterns that match other credentials. */
export interface Keys {
  readonly db: Pick<World['db'], 'apiKeys'>
  readonly options: { credentials?: CredentialPatterns }
}

/**
 * Masks a header before it is stored. A sandbox key is replaced with its role. Any other credential
 * is replaced with its length, because it may be real. Masking is idempotent.
 */
export function maskHeader(keys: Keys, { name, value, known }: SentHeader): HeaderValue {
  if (value === undefined) return undefined
  if (name === 'authorization') return maskCredential(keys, value, known)
  if (canContainKey(keys, name) && isSecretName(name)) return maskCredential(keys, value, undefined)
  const text = String(value)
  return canContainKey(keys, text) ? maskUrl(keys, text) : value
}

type HeaderValue = string | readonly string[] | undefined

interface SentHeader {
  /** Name of the header, in lower case. */
  name: string
  value: HeaderValue
  /** The key that authenticated the request, if any. */
  known: ApiKey | undefined
}

/**
 * Masks credentials in the query and the path of a URL before it is stored. `isPathPlain` means
 * that the path has only constant segments and numbers.
 */
export function maskUrl(keys: Keys, url: string, isPathPlain = false): string {
  if (isPathPlain && !(url.includes('?') && canContainKey(keys, url))) return url
  return maskUrlParts(keys, url, () => {})
}

/** Called for each masked part of a URL, with the original text and its replacement. */
type OnMask = (sent: string, shown: string) => void

function maskUrlParts(keys: Keys, url: string, onMask: OnMask): string {
  const show = (part: string) => maskPair(keys, part, onMask)
  const mark = url.search(/[?#]/)
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = url.slice(path.length + 1)
  return (
    path.replace(/[^/]+/g, show) +
    url.slice(path.length, path.length + 1) +
    query.replace(/[^&#\r\n]+/g, show)
  )
}

/**
 * Masks credentials in the name and the value of a parameter. `pair` may contain several
 * parameters, separated by semicolons.
 */
function maskPair(keys: Keys, pair: string, onMask: OnMask): string {
  const mark = pair.indexOf('=')
  if (mark !== -1 && isSecretName(decodeUrlPart(pair.slice(0, mark))))
    return (
      `${maskPart(keys, pair.slice(0, mark), onMask)}=` +
      maskSecret(keys, pair.slice(mark + 1), onMask)
    )
  let before = ''
  return pair.replace(/[^;=]+/g, (part, offset: number) => {
    const isSecret = pair[offset - 1] === '=' && isSecretName(decodeUrlPart(before))
    before = part
    return isSecret ? maskSecret(keys, part, onMask) : maskPart(keys, part, onMask)
  })
}

function maskSecret(keys: Keys, sent: string, onMask: OnMask): string {
  if (sent === '') return sent
  const shown = maskKey(keys, decodeUrlPart(sent))
  onMask(sent, shown)
  return encodeURIComponent(shown)
}

function maskPart(keys: Keys, sent: string, onMask: OnMask): string {
  if (sent.length < 2) return sent
  const text = decodeUrlPart(sent)
  if (keys.db.apiKeys.in('byKey', text).size > 0) return maskSecret(keys, sent, onMask)
  const shown = maskKnownForms(keys, text)
  if (shown === text) return sent
  onMask(sent, shown)
  return encodeURIComponent(shown)
}

/**
 * Masks the URL's credentials in a short text that may repeat them, such as an error message or a
 * request body.
 */
export function maskText(keys: Keys, text: string, url: string): string {
  let result = text
  maskUrlParts(keys, url, (sent, shown) => {
    // Skips very short credentials, because the text could contain them by coincidence.
    if (sent.length < 4) return
    for (const each of new Set([sent, decodeUrlPart(sent)]))
      result = result.replaceAll(each, () => shown)
  })
  return maskKnownForms(keys, result)
}

/**
 * Masks credentials in the fields of a request body before it is stored. The body may be malformed.
 * `plainFields` are the top-level fields whose names look secret but whose values are not.
 */
export function maskRequestBody(
  keys: Keys,
  body: string | null,
  plainFields: readonly string[] = [],
): string | null {
  if (body === null) return body
  // Stores only the length of a multipart body, which is a client mistake because the API accepts
  // only JSON.
  if (body.startsWith('--')) return `<multipart body, ${body.length} characters>`
  if (!canContainKey(keys, body)) return body
  return /^\s*["[{]/.test(body)
    ? new BodyMask(keys, plainFields).mask(body)
    : maskUrl(keys, `?${body}`).slice(1)
}

/**
 * Matches JSON tokens: strings, punctuation and other words. An unterminated string extends to the
 * end.
 */
const token = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|[^\s"[\]{},:]+/gs
const colon = /\s*:/y

/**
 * Masks the values of JSON fields with secret names. Does not use recursion, so deep nesting cannot
 * overflow the stack.
 */
class BodyMask {
  readonly #keys: Keys
  readonly #plainFields: readonly string[]
  /** One entry for each open list or object: true if it is inside a field with a secret name. */
  readonly #open: boolean[] = []
  /** Caches the results of `isSecretName`, because most names occur several times in a body. */
  readonly #names = new Map<string, boolean>()
  #isSecret = false

  constructor(keys: Keys, plainFields: readonly string[]) {
    this.#keys = keys
    this.#plainFields = plainFields
  }

  mask(body: string): string {
    return body.replace(token, (text, offset: number) => {
      if (text === '{' || text === '[') this.#open.push(this.#isInSecret())
      else if (text === '}' || text === ']') this.#open.pop()
      else if (text !== ':' && text !== ',') {
        colon.lastIndex = offset + text.length
        return colon.test(body) ? this.#maskName(text) : this.#maskValue(text)
      }
      if (text !== ':') this.#isSecret = false
      return text
    })
  }

  #isInSecret(): boolean {
    return this.#isSecret || this.#open.at(-1) === true
  }

  #maskName(text: string): string {
    const name = readText(text)
    const known = this.#names.get(name) ?? (canContainKey(this.#keys, name) && isSecretName(name))
    this.#names.set(name, known)
    this.#isSecret = known && !(this.#open.length === 1 && this.#plainFields.includes(name))
    return writeText(text, name, maskKnownForms(this.#keys, name))
  }

  #maskValue(text: string): string {
    if (text === 'null' || text === 'true' || text === 'false') return text
    const value = readText(text)
    if (this.#isInSecret()) return JSON.stringify(maskKey(this.#keys, value))
    return writeText(text, value, maskKnownForms(this.#keys, value))
  }
}

/** The value of a JSON token. */
function readText(text: string): string {
  if (!text.startsWith('"')) return text
  if (!text.includes('\\')) return text.endsWith('"') ? text.slice(1, -1) : text.slice(1)
  try {
    return JSON.parse(text) as string
  } catch {
    return text.slice(1) // Malformed JSON: masks the token itself.
  }
}

/** Masks one token. Returns the token unchanged if it contains no credential. */
function writeText(text: string, value: string, shown: string): string {
  return value === shown ? text : JSON.stringify(shown)
}

/**
 * Masks a response body before it is stored, because its link to the next page repeats the request
 * URL.
 */
export function maskResponseBody(keys: Keys, body: string | readonly Uint8Array[]): string {
  return (getBodyText(body) ?? '').replace(
    /"next_page":"[^"]*"/,
    (page) => maskUrl(keys, page.slice(0, -1)) + '"',
  )
}

/**
 * Replaces a sandbox key with its role, and any other key with its length. Masking is idempotent.
 */
export function maskKey(keys: Keys, key: string): string {
  if (maskedKey.test(key)) return key
  const role = findApiKey(keys.db, key)?.role
  return role === undefined ? `<unknown key, ${key.length} characters>` : `<key of ${role}>`
}

const maskedKey = /^<(?:unknown key, \d+ characters|key of [^<>]+)>$/

function maskCredential(
  keys: Keys,
  sent: string | readonly string[],
  known: ApiKey | undefined,
): string {
  const value = String(sent)
  if (known !== undefined && value === `Bearer ${known.key}`) return `Bearer <key of ${known.role}>`
  const [, scheme = '', credential = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? []
  return `${scheme}${maskKey(keys, credential.trim())}`
}

function maskKnownForms(keys: Keys, text: string): string {
  return getCredentialPatterns(keys).mask(text, (key) => maskKey(keys, key))
}

function canContainKey(keys: Keys, text: string): boolean {
  return getCredentialPatterns(keys).mayBeIn(text)
}

function getCredentialPatterns({ options }: Keys): CredentialPatterns {
  return options.credentials ?? usualForms
}
