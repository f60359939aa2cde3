/**
 * Parts of names that hold a credential, for names in lower case without punctuation: `x-api-key`
 * is `xapikey`.
 */
const secretPart =
  /(?:api|access|account|master|private|secret|shared|signing|subscription)keys?|token|secret|passw(?:or)?d|passphrase|passcode|credential|authori[sz]ation|authentication/
/** Words that make a name secret only as a whole word: `auth`, but not `author`. */
const secretWords: ReadonlySet<string> = new Set([
  'auth',
  'oauth',
  'bearer',
  'cookie',
  'cookies',
  'jwt',
  'pass',
  'pwd',
  'session',
  'sessionid',
  'sid',
  'signature',
])
/** A name in lower case whose last word is `key` or `keys`. */
const lastWordIsKey = /(?:^|[^a-z])keys?[^a-z]*$/
/** Such names that hold no credential. */
const plainKey = /^(?:x-)?idempotency-key$/
/** Maximum length of a name that is checked. Longer ones occur only in attacks. */
const maxNameLength = 500

/**
 * True if a header, a parameter or a field of this name holds a credential. The name is decoded: no
 * percent-encoding, no JSON escapes.
 */
export function isSecretName(name: string): boolean {
  const spaced = name
    .slice(0, maxNameLength)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  if (lastWordIsKey.test(spaced)) return !plainKey.test(spaced)
  const words = spaced.split(/[^a-z]+/)
  return secretPart.test(words.join('')) || words.some((word) => secretWords.has(word))
}

/** Parts of a text that may indicate a secret name or a credential, ignoring case. */
const hints = [
  'key',
  'token',
  'secret',
  'pass',
  'pwd',
  'credential',
  'auth',
  'bearer',
  'cookie',
  'jwt',
  'session',
  'sid',
  'signature',
  '[prs]k[-_]',
  'eyJ',
  '_(?:live|prod)_',
  String.raw`\\u`,
  '%',
]

/** The prefix of a key of a live service. */
const livePrefix = '[a-z]+_(?:live|prod)_'

/** Options for recognising keys of live services. */
export interface LiveKeyOptions {
  /** More prefixes of keys of live services. */
  liveKeyPrefixes?: readonly string[]
  /** Accepts keys that look live. They are still masked. @default false */
  allowLiveLookingKeys?: boolean
}

/**
 * Forms of credentials: keys such as `sk_…`, JSON Web Tokens, and keys that look like those of a
 * live service.
 */
export class CredentialForms {
  readonly #isAllowed: boolean
  readonly #live: RegExp
  readonly #any: RegExp
  readonly #hints: RegExp

  constructor({ liveKeyPrefixes = [], allowLiveLookingKeys = false }: LiveKeyOptions = {}) {
    const prefixes = liveKeyPrefixes.map((prefix) => prefix.replace(/[^\w]/g, String.raw`\$&`))
    const live = [livePrefix, ...prefixes].join('|')
    this.#isAllowed = allowLiveLookingKeys
    this.#live = new RegExp(`^(?:${live})`)
    // It begins at the start of a word, so a long word is read once.
    this.#any = new RegExp(
      String.raw`(?<![\w-])(?:[prs]k[-_][\w~-]{6,}|eyJ[\w-]{8,}\.[\w.-]+|(?:${live})[\w~-]*)`,
      'g',
    )
    this.#hints = new RegExp([...hints, ...prefixes].join('|'), 'i')
  }

  /** True if this key must be refused, because it looks like one of a live service. */
  refuses(key: string): boolean {
    return !this.#isAllowed && this.#live.test(key)
  }

  /** A fast check: false if a text has neither a secret name nor a credential. */
  mayBeIn(text: string): boolean {
    return this.#hints.test(text)
  }

  /** True if a text contains a credential. */
  holds(text: string): boolean {
    return text.search(this.#any) !== -1
  }

  /** Replaces each credential in a text. */
  mask(text: string, show: (credential: string) => string): string {
    return text.replace(this.#any, show)
  }
}

/** The forms without options. */
export const usualForms = new CredentialForms()

/**
 * True if a name could be a key: it has one of the usual forms, or a long part with digits in it.
 */
export function looksLikeKey(name: string): boolean {
  return (
    usualForms.holds(name) ||
    name.split(/[^a-z\d]/i).some((part) => part.length >= 16 && part.replace(/\D/g, '').length >= 3)
  )
}
