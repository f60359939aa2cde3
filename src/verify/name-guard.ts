import type { z } from 'zod'
import type { Route } from '../api/route.ts'
import { looksLikeKey } from '../lib/credentials.ts'
import { getSchemaDefinition } from '../lib/schema-parts.ts'
import type { Finding } from './compare-shape.ts'

/** Maximum number of stored values. */
const maxValues = 500_000
const maxSecrets = 1000
/** Minimum length of a secret. A shorter one could be part of a name. */
const minSecretLength = 6

/**
 * Separates the service's names from its values. Reports may contain field names, but not field
 * values. Observed values are kept only in memory.
 */
export class NameGuard {
  readonly #words: ReadonlySet<string>
  readonly #values = new Set<string>()
  readonly #secrets = new Set<string>()

  constructor(routes: readonly Route[]) {
    this.#words = collectVocabulary(routes)
  }

  /** Adds an observed value. */
  readonly see = (value: string): void => {
    if (this.#values.size < maxValues && value.length <= 64 && !this.#words.has(value))
      this.#values.add(value)
  }

  /** Adds a secret, such as the key. Words that contain the secret are never written. */
  hide(secret: string): void {
    if (secret.length >= minSecretLength && this.#secrets.size < maxSecrets)
      this.#secrets.add(secret)
  }

  /**
   * True if a word may be written. Words in the sandbox's routes always may, and other words may
   * unless they are a value or a secret.
   */
  allows(word: string): boolean {
    if (this.#words.has(word)) return true
    return !this.#isSecret(word) && !this.#values.has(word) && this.#values.size < maxValues
  }

  /** Redacts the names in findings that must not be written to a file. */
  filter(findings: readonly Finding[]): Finding[] {
    return findings.map((finding) => {
      const words = listOverlayWords(finding.changes)
      if ([...finding.names, ...words.names].some((name) => !this.allows(name)))
        return {
          path: this.#pathAround(finding.path),
          text: 'has a field with a name that is not shown, because it is also a value or may be a key',
          names: [],
        }
      return words.values.some((value) => this.#isSecret(value))
        ? { path: finding.path, text: 'has a value that may be a key', names: [] }
        : finding
    })
  }

  #isSecret(word: string): boolean {
    if (looksLikeKey(word)) return true
    for (const secret of this.#secrets) if (word.includes(secret)) return true
    return false
  }

  /** Returns the path of the object that contains a field. */
  #pathAround(path = ''): string {
    const around = path.replace(/[.[][^.[]*$/, '')
    return around !== '' && toWords(around).every((word) => this.allows(word)) ? around : '$'
  }
}

/** Returns the names and enumeration values in overlay changes. */
function listOverlayWords(changes: Finding['changes'] = {}): { names: string[]; values: string[] } {
  const all = Object.entries(changes)
  return {
    names: all.flatMap(([path, { rename, wrap }]) => [
      ...toWords(path),
      ...[rename, wrap].filter((name) => name !== undefined),
    ]),
    values: all.flatMap(([, change]) =>
      (change.enum ?? []).filter((each) => typeof each === 'string'),
    ),
  }
}

function toWords(path: string): string[] {
  return path.match(/[\w-]+/g) ?? []
}

const deepest = 12

/** Returns all names and enumeration values in the routes. */
function collectVocabulary(routes: readonly Route[]): Set<string> {
  const words = new Set<string>()
  const seen = new Set<z.ZodType>()
  const read = (schema: z.ZodType | null | undefined, depth: number): void => {
    if (schema === null || schema === undefined || depth > deepest || seen.has(schema)) return
    seen.add(schema)
    const definition = getSchemaDefinition(schema)
    const { entries, values } = schema.def as {
      entries?: Readonly<Record<string, unknown>>
      values?: readonly unknown[]
    }
    for (const word of [
      ...Object.values(entries ?? {}),
      ...(values ?? []),
      ...Object.keys(definition.shape ?? {}),
    ])
      words.add(String(word))
    for (const inner of [
      definition.getter?.(),
      definition.innerType,
      definition.in,
      definition.out,
      definition.element,
      definition.valueType,
      ...Object.values(definition.shape ?? {}),
      ...(definition.options ?? []),
    ])
      read(inner, depth + 1)
  }
  for (const { path, params, query, body, data } of routes) {
    for (const segment of path.split('/')) words.add(segment)
    for (const schema of [params, query, body, data]) read(schema, 0)
  }
  return words
}
