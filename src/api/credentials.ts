import { isSecretName, usualForms } from '../lib/credentials.ts'
import type { CredentialForms } from '../lib/credentials.ts'
import { textOf } from '../world/journal/exchange.ts'
import type { ApiKey } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'
import { findKey } from './admit.ts'

/** The keys of a world, and the forms that keys can have. */
export interface Keys {
  readonly db: Pick<World['db'], 'apiKeys'>
  readonly options: { credentials?: CredentialForms }
}

/**
 * Masks a header for storage. A key of the sandbox is replaced by its role, and any other
 * credential by its length, because it may be real. Masking is idempotent.
 */
export function shownHeader(keys: Keys, { name, value, known }: SentHeader): HeaderValue {
  if (value === undefined) return undefined
  if (name === 'authorization') return showCredential(keys, value, known)
  if (mayBeIn(keys, name) && isSecretName(name)) return showCredential(keys, value, undefined)
  const text = String(value)
  return mayBeIn(keys, text) ? shownUrl(keys, text) : value
}

type HeaderValue = string | readonly string[] | undefined

interface SentHeader {
  /** In lower case. */
  name: string
  value: HeaderValue
  /** The key that opened the request, if one did. */
  known: ApiKey | undefined
}

/**
 * Masks credentials in a URL for storage, in its parameters and its path. `isPathPlain`: the path
 * has only the constants of a route, and numbers.
 */
export function shownUrl(keys: Keys, url: string, isPathPlain = false): string {
  if (isPathPlain && !(url.includes('?') && mayBeIn(keys, url))) return url
  return showUrl(keys, url, () => {})
}

/** Called for each masked part of a URL, with the sent text and its replacement. */
type OnHide = (sent: string, shown: string) => void

function showUrl(keys: Keys, url: string, onHide: OnHide): string {
  const show = (part: string) => showPair(keys, part, onHide)
  const mark = url.search(/[?#]/)
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = url.slice(path.length + 1)
  return (
    path.replace(/[^/]+/g, show) +
    url.slice(path.length, path.length + 1) +
    query.replace(/[^&#\r\n]+/g, show)
  )
}

/** Masks a parameter with its name, or several that semicolons separate. */
function showPair(keys: Keys, pair: string, onHide: OnHide): string {
  const mark = pair.indexOf('=')
  if (mark !== -1 && isSecretName(decode(pair.slice(0, mark))))
    return (
      `${showPart(keys, pair.slice(0, mark), onHide)}=` +
      hidePart(keys, pair.slice(mark + 1), onHide)
    )
  let before = ''
  return pair.replace(/[^;=]+/g, (part, offset: number) => {
    const isSecret = pair[offset - 1] === '=' && isSecretName(decode(before))
    before = part
    return isSecret ? hidePart(keys, part, onHide) : showPart(keys, part, onHide)
  })
}

function hidePart(keys: Keys, sent: string, onHide: OnHide): string {
  if (sent === '') return sent
  const shown = showKey(keys, decode(sent))
  onHide(sent, shown)
  return encodeURIComponent(shown)
}

function showPart(keys: Keys, sent: string, onHide: OnHide): string {
  if (sent.length < 2) return sent
  const text = decode(sent)
  if (keys.db.apiKeys.in('byKey', text).size > 0) return hidePart(keys, sent, onHide)
  const shown = maskForms(keys, text)
  if (shown === text) return sent
  onHide(sent, shown)
  return encodeURIComponent(shown)
}

/** Masks parts of the URL that a short text repeats: an error message, or a request body. */
export function shownText(keys: Keys, text: string, url: string): string {
  let result = text
  showUrl(keys, url, (sent, shown) => {
    // A short part may match by chance.
    if (sent.length < 4) return
    for (const each of new Set([sent, decode(sent)])) result = result.replaceAll(each, () => shown)
  })
  return maskForms(keys, result)
}

/**
 * Masks credentials in the fields of a request body, for storage. The body may be malformed.
 * `plainFields` are top-level fields that hold no credential, even if their name looks like it.
 */
export function shownBody(
  keys: Keys,
  body: string | null,
  plainFields: readonly string[] = [],
): string | null {
  if (body === null) return body
  // The API takes only JSON. A multipart body is a mistake of the client.
  if (body.startsWith('--')) return `<multipart body, ${body.length} characters>`
  if (!mayBeIn(keys, body)) return body
  return /^\s*["[{]/.test(body)
    ? new BodyMask(keys, plainFields).mask(body)
    : shownUrl(keys, `?${body}`).slice(1)
}

/**
 * The tokens of JSON: strings, punctuation, and other words. An unterminated string extends to the
 * end.
 */
const token = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|[^\s"[\]{},:]+/gs
const colon = /\s*:/y

/** Masks the values of secret names in JSON, without recursion. */
class BodyMask {
  readonly #keys: Keys
  readonly #plainFields: readonly string[]
  /** True for each open list and object under a secret name, at any depth. */
  readonly #open: boolean[] = []
  /** Caches `isSecretName` for the names of the body, because most occur many times. */
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
        return colon.test(body) ? this.#showName(text) : this.#showValue(text)
      }
      if (text !== ':') this.#isSecret = false
      return text
    })
  }

  #isInSecret(): boolean {
    return this.#isSecret || this.#open.at(-1) === true
  }

  #showName(text: string): string {
    const name = readText(text)
    const known = this.#names.get(name) ?? (mayBeIn(this.#keys, name) && isSecretName(name))
    this.#names.set(name, known)
    this.#isSecret = known && !(this.#open.length === 1 && this.#plainFields.includes(name))
    return writeText(text, name, maskForms(this.#keys, name))
  }

  #showValue(text: string): string {
    if (text === 'null' || text === 'true' || text === 'false') return text
    const value = readText(text)
    if (this.#isInSecret()) return JSON.stringify(showKey(this.#keys, value))
    return writeText(text, value, maskForms(this.#keys, value))
  }
}

/** The value of a JSON token. */
function readText(text: string): string {
  if (!text.startsWith('"')) return text
  if (!text.includes('\\')) return text.endsWith('"') ? text.slice(1, -1) : text.slice(1)
  try {
    return JSON.parse(text) as string
  } catch {
    return text.slice(1) // Malformed: the token itself is the value.
  }
}

/** A token with its shown value. An unchanged value keeps the token as it was. */
function writeText(text: string, value: string, shown: string): string {
  return value === shown ? text : JSON.stringify(shown)
}

/** Masks an answer body for storage: the address of a next page repeats the request. */
export function shownAnswer(keys: Keys, body: string | readonly Uint8Array[]): string {
  return (textOf(body) ?? '').replace(
    /"next_page":"[^"]*"/,
    (page) => shownUrl(keys, page.slice(0, -1)) + '"',
  )
}

/**
 * Replaces a key of the sandbox by its role, and any other key by its length. Masking is
 * idempotent.
 */
export function showKey(keys: Keys, key: string): string {
  if (shownKey.test(key)) return key
  const role = findKey(keys.db, key)?.role
  return role === undefined ? `<unknown key, ${key.length} characters>` : `<key of ${role}>`
}

const shownKey = /^<(?:unknown key, \d+ characters|key of [^<>]+)>$/

function showCredential(
  keys: Keys,
  sent: string | readonly string[],
  known: ApiKey | undefined,
): string {
  const value = String(sent)
  if (known !== undefined && value === `Bearer ${known.key}`) return `Bearer <key of ${known.role}>`
  const [, scheme = '', credential = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? []
  return `${scheme}${showKey(keys, credential.trim())}`
}

function maskForms(keys: Keys, text: string): string {
  return formsOf(keys).mask(text, (key) => showKey(keys, key))
}

function mayBeIn(keys: Keys, text: string): boolean {
  return formsOf(keys).mayBeIn(text)
}

function formsOf({ options }: Keys): CredentialForms {
  return options.credentials ?? usualForms
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Not a key of the sandbox. Only its length is shown.
  }
}
