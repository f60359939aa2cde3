import { answersOf, bodyOf, contentOf, parametersOf } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { fieldsOf } from './shape.ts'
import type { Entry, JsonSchema } from './types.ts'

/** A search result. `field` is set if only that field matches. */
export interface Hit {
  entry: Entry
  field?: string
}

/**
 * Finds operations by words. Matches in title and path are first, then matches in the description,
 * then in fields.
 */
export type Search = (text: string) => readonly Hit[]

/** Maximum depth of searched fields. */
const deepest = 6

/** Creates a search. The index is built at the first search. */
export function createSearch(catalogue: Catalogue): Search {
  let texts: readonly Searched[] | undefined
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    texts ??= catalogue.entries.map((entry) => toTexts(catalogue, entry))
    return texts
      .map((searched) => ({ searched, rank: rankOf(searched, words) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank)
      .map(({ searched: { entry, fields }, rank }) =>
        rank > 1 ? { entry } : { entry, ...namedField(fields, words) },
      )
  }
}

interface Searched {
  entry: Entry
  title: string
  text: string
  fields: readonly string[]
}

function rankOf({ title, text, fields }: Searched, words: readonly string[]): number {
  const holds = (where: string) => words.every((word) => where.includes(word))
  if (holds(title)) return 3
  if (holds(`${title} ${text}`)) return 2
  const names = fields.join(' ').toLowerCase()
  return holds(`${title} ${text} ${names}`) ? 1 : 0
}

function namedField(fields: readonly string[], words: readonly string[]): { field?: string } {
  const field = fields.find((name) => words.some((word) => name.toLowerCase().includes(word)))
  return field === undefined ? {} : { field }
}

function toTexts(catalogue: Catalogue, entry: Entry): Searched {
  const { id, method, path, group, operation } = entry
  const names = new Set(parametersOf(catalogue, entry).map(({ name }) => name))
  const body = bodyOf(entry)
  if (body !== undefined) gather(body.schema, catalogue.resolve, names)
  for (const [, answer] of answersOf(catalogue, entry))
    for (const { schema } of contentOf(answer)) gather(schema, catalogue.resolve, names)
  return {
    entry,
    title: `${operation.summary} ${id} ${method} ${path} ${group}`.toLowerCase(),
    text: `${operation.description} ${operation['x-source'] ?? ''} ${operation['x-kind'] ?? ''}`.toLowerCase(),
    fields: [...names],
  }
}

function gather(
  schema: JsonSchema,
  resolve: Catalogue['resolve'],
  names: Set<string>,
  depth = 0,
): void {
  if (depth > deepest) return
  for (const { fields } of fieldsOf(schema, resolve))
    for (const field of fields) {
      names.add(field.name)
      gather(field.schema, resolve, names, depth + 1)
    }
}
