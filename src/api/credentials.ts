import { textOf } from '../world/journal.ts'
import type { ApiKey } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'
import { findKey } from './admit.ts'

type Keys = Pick<World['db'], 'apiKeys'>

/** Headers that hold a credential, besides `authorization`. */
const secretHeader =
  /^(?:proxy-authorization|cookie|api-?key|x-(?:api-?)?key|x-.*(?:token|secret|auth).*|.*(?:token|secret))$/
const token = '(?:access|refresh|id|auth|session)[-_]?token|client[-_]?secret'
const secretName = `(?:x[-_])?(?:api[-_]?key|key|${token}|token|auth|authorization|bearer|secret|password)`
/** A parameter of an address that holds a credential. */
const secretParameter = new RegExp(`([?&]${secretName}=)([^&#]*)`, 'gi')
/** What stands between the signs that part an address, but for numbers. */
const part = /[^/?&=#]*[^\d/?&=#][^/?&=#]*/g
/** The same in its query, where it begins as keys do. */
const partOfQuery = /(?<=[?&=])(?:[prs]k[-_]|eyJ)[^/?&=#]*/g
/**
 * What nobody takes for anything but a credential: a key of the usual form, or a JSON Web Token.
 */
const credential = /^(?:[prs]k[-_][\w~-]{6,}|eyJ[\w-]{8,}\.[\w.-]+)$/
/** A key of a JSON body that holds a credential. */
const secretField = new RegExp(
  `("(?:x-)?(?:api[-_]?key|${token}|authorization|password|secret)"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)"`,
  'gi',
)

/**
 * A header of a request as it may be kept. In place of a key of the sandbox it names its role, and
 * in place of any other credential it says how long it was: it may open something elsewhere. What
 * is shown of what was shown is the same.
 */
export function shownHeader(db: Keys, { name, value, known }: SentHeader): HeaderValue {
  if (value === undefined) return undefined
  if (name === 'authorization') return showCredential(db, value, known)
  if (name === 'referer') return shownUrl(db, String(value))
  return mayBeSecret(name) && secretHeader.test(name) ? showCredential(db, value, undefined) : value
}

type HeaderValue = string | readonly string[] | undefined

interface SentHeader {
  /** In lower case. */
  name: string
  value: HeaderValue
  /** The key that opened the request, if one did. */
  known: ApiKey | undefined
}

/** Most headers need no closer look, and each request has ten of them. */
function mayBeSecret(name: string): boolean {
  return (
    name.startsWith('x-') ||
    name === 'cookie' ||
    name.startsWith('api') ||
    name.startsWith('proxy-') ||
    /(?:token|secret)$/.test(name)
  )
}

/**
 * The address of a request as it may be kept, without a credential among its parameters or as
 * another part of it. `isPathPlain`: its path has nothing but what a route says, and numbers.
 */
export function shownUrl(db: Keys, url: string, isPathPlain = false): string {
  if (isPathPlain && !url.includes('?')) return url
  return url
    .replace(
      secretParameter,
      (_, before: string, value: string) => before + encodeURIComponent(showKey(db, decode(value))),
    )
    .replace(isPathPlain ? partOfQuery : part, (text) =>
      isCredential(db, text) ? encodeURIComponent(showKey(db, decode(text))) : text,
    )
}

/**
 * A short text as it may be kept that repeats parts of an address: the sentence of an error, or its
 * answer.
 */
export function shownText(db: Keys, text: string, url: string): string {
  const credentials = (url.match(part) ?? []).filter((each) => isCredential(db, each))
  return credentials.reduce(
    (shown, each) => shown.replaceAll(each, showKey(db, decode(each))),
    text,
  )
}

/**
 * Whether a part of an address is a key of the sandbox, or looks like one that somebody else
 * issued.
 */
function isCredential(db: Keys, text: string): boolean {
  return credential.test(text) || db.apiKeys.in('byKey', text).size > 0
}

/** The body of a request as it may be kept, without a credential among its fields. */
export function shownBody(db: Keys, body: string | null): string | null {
  if (body === null) return null
  return body.replace(
    secretField,
    (_, before: string, value: string) => `${before}${showKey(db, value)}"`,
  )
}

/** The body of an answer as it may be kept: the address of a next page repeats what was sent. */
export function shownAnswer(db: Keys, body: string | readonly Uint8Array[]): string {
  return (textOf(body) ?? '').replace(
    /"next_page":"[^"]*"/,
    (page) => shownUrl(db, page.slice(0, -1)) + '"',
  )
}

/**
 * Names a key by its role, or says how long it is where the sandbox has none like it. What a
 * recording shows of one stays as it is.
 */
export function showKey(db: Keys, key: string): string {
  if (shownKey.test(key)) return key
  const role = findKey(db, key)?.role
  return role === undefined ? `<unknown key, ${key.length} characters>` : `<key of ${role}>`
}

const shownKey = /^<(?:unknown key, \d+ characters|key of [^<>]+)>$/

function showCredential(
  db: Keys,
  sent: string | readonly string[],
  known: ApiKey | undefined,
): string {
  const value = String(sent)
  if (known !== undefined && value === `Bearer ${known.key}`) return `Bearer <key of ${known.role}>`
  const [, scheme = '', credential = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? []
  return `${scheme}${showKey(db, credential.trim())}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // it is no key of the sandbox, and only its length is shown
  }
}
