import type { z } from 'zod'
import type { Route } from '../api/route.ts'
import { definitionOf } from '../lib/schema-parts.ts'
import type { Finding } from './compare.ts'

/** The most values of the service that are kept in memory, to tell names from them. */
const maxValues = 500_000

/**
 * Tells the names of the service from its values: what it calls a field may be written, what stands
 * in one may not. It keeps the values that were seen in memory, and writes none.
 */
export class NameGuard {
  readonly #words: ReadonlySet<string>
  readonly #values = new Set<string>()

  constructor(routes: readonly Route[]) {
    this.#words = vocabularyOf(routes)
  }

  /** Takes a value that was seen. */
  readonly see = (value: string): void => {
    if (this.#values.size < maxValues && value.length <= 64 && !this.#words.has(value))
      this.#values.add(value)
  }

  /** Whether a word may be written: it is one of ours, or no value of the service. */
  allows(word: string): boolean {
    return this.#words.has(word) || (!this.#values.has(word) && this.#values.size < maxValues)
  }

  /** The findings that may be written; another is told without its names. */
  filter(findings: readonly Finding[]): Finding[] {
    return findings.map((finding) => {
      if (finding.names.every((name) => this.allows(name))) return finding
      const path = finding.path?.replace(/[.[][^.[]*$/, '') ?? '$'
      return {
        path: path === '' ? '$' : path,
        text: 'has a field whose name is also a value, so it is not written',
        names: [],
      }
    })
  }
}

const deepest = 12

/** Every name and every word of an enumeration that the routes know. */
function vocabularyOf(routes: readonly Route[]): Set<string> {
  const words = new Set<string>()
  const seen = new Set<z.ZodType>()
  const read = (schema: z.ZodType | null | undefined, depth: number): void => {
    if (schema === null || schema === undefined || depth > deepest || seen.has(schema)) return
    seen.add(schema)
    const {
      getter,
      innerType,
      in: input,
      out: output,
      element,
      valueType,
      shape,
      options,
    } = definitionOf(schema)
    const { entries, values } = schema.def as {
      entries?: Readonly<Record<string, unknown>>
      values?: readonly unknown[]
    }
    for (const word of [
      ...Object.values(entries ?? {}),
      ...(values ?? []),
      ...Object.keys(shape ?? {}),
    ])
      words.add(String(word))
    for (const inner of [
      getter?.(),
      innerType,
      input,
      output,
      element,
      valueType,
      ...Object.values(shape ?? {}),
      ...(options ?? []),
    ])
      read(inner, depth + 1)
  }
  for (const { path, params, query, body, data } of routes) {
    for (const segment of path.split('/')) words.add(segment)
    for (const schema of [params, query, body, data]) read(schema, 0)
  }
  return words
}
