/**
 * Substrings that mark a name as secret. Names are compared in lower case and without punctuation.
 * For example, `x-api-key` becomes `xapikey`.
 */
const secretPart =
  /(?:api|access|account|master|private|secret|shared|signing|subscription)keys?|token|secret|passw(?:or)?d|passphrase|passcode|credential|authori[sz]ation|authentication/
/** Names that are secret as whole words, such as `auth` but not `author`. */
const secretWord = /^(?:auth|oauth|bearer|cookies?|jwt|pass|pwd|session|sessionid|sid|signature)$/
/** Matches lower-case names whose last word is `key` or `keys`. */
const lastWordIsKey = /(?:^|[^a-z])keys?[^a-z]*$/
/** Names that contain `key` but are not secret. */
const plainKey = /^(?:x-)?idempotency-key$/
/** Maximum length of a name to check. Only attackers send longer names. */
const maxNameLength = 500

/**
 * True if a header, parameter or field with this name contains a credential. The name must be
 * decoded, without percent-encoding or JSON escapes.
 */
export function isSecretName(name: string): boolean {
  const spaced = name
    .slice(0, maxNameLength)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  if (lastWordIsKey.test(spaced)) return !plainKey.test(spaced)
  const words = spaced.split(/[^a-z]+/)
  return secretPart.test(words.join('')) || words.some((word) => secretWord.test(word))
}

/** Matches text that may contain a secret name or a credential, ignoring case. */
const hints =
  'key|token|secret|pass|pwd|credential|auth|bearer|cookie|jwt|session|sid|signature|' +
  String.raw`[prs]k[-_]|eyJ|_(?:live|prod)_|\\u|%`

/** Matches the prefix of a live key. */
const livePrefix = '[a-z]+_(?:live|prod)_'

/** Options for detecting live keys. */
export interface LiveKeyOptions {
  /** Additional prefixes of live keys. */
  liveKeyPrefixes?: readonly string[]
  /**
   * True to accept keys that look like live keys. They are still masked.
   * @default false
   */
  allowLiveLookingKeys?: boolean
}

/** Detects credentials: keys such as `sk_…`, JSON Web Tokens, and keys that look like live keys. */
export class CredentialPatterns {
  readonly #isAllowed: boolean
  readonly #live: RegExp
  readonly #any: RegExp
  readonly #hints: RegExp

  constructor({ liveKeyPrefixes = [], allowLiveLookingKeys = false }: LiveKeyOptions = {}) {
    const prefixes = liveKeyPrefixes.map((prefix) => prefix.replace(/[^\w]/g, String.raw`\$&`))
    const live = [livePrefix, ...prefixes].join('|')
    this.#isAllowed = allowLiveLookingKeys
    this.#live = new RegExp(`^(?:${live})`)
    // Requires a match to start at the beginning of a word, so that long words are scanned only
    // once.
    this.#any = new RegExp(
      String.raw`(?<![\w-])(?:[prs]k[-_][\w~-]{6,}|eyJ[\w-]{8,}\.[\w.-]+|(?:${live})[\w~-]*)`,
      'g',
    )
    this.#hints = new RegExp([hints, ...prefixes].join('|'), 'i')
  }

  /** True if a key must be rejected because it looks like a live key. */
  refuses(key: string): boolean {
    return !this.#isAllowed && this.#live.test(key)
  }

  /** Fast check. Returns false only if a string contains neither a secret name nor a credential. */
  mayBeIn(text: string): boolean {
    return this.#hints.test(text)
  }

  /** True if a string contains a credential. */
  containsCredential(text: string): boolean {
    return text.search(this.#any) !== -1
  }

  /** Replaces each credential in a string. */
  mask(text: string, show: (credential: string) => string): string {
    return text.replace(this.#any, show)
  }
}

/** Detects credentials with the default options. */
export const usualForms = new CredentialPatterns()

/**
 * True if a name could be a key, because it matches a known form or has a long part with digits.
 */
export function looksLikeKey(name: string): boolean {
  return (
    usualForms.containsCredential(name) ||
    name.split(/[^a-z\d]/i).some((part) => part.length >= 16 && part.replace(/\D/g, '').length >= 3)
  )
}

/** Compares a string with a secret in constant time, to prevent timing attacks. */
export function isSameSecret(sent: string, secret: string): boolean {
  let difference = sent.length ^ secret.length
  for (let index = 0; index < secret.length; index += 1)
    difference |= (sent.charCodeAt(index) | 0) ^ secret.charCodeAt(index)
  return difference === 0
}

/**
 * Decodes a header value as UTF-8. Expects one character per byte, as hosts pass headers. A value
 * that is not valid UTF-8 is returned unchanged.
 */
export function decodeUtf8(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(value) || /[^\0-\xff]/.test(value)) return value
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
  } catch {
    return value // The client sent one byte per character (Latin-1).
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
