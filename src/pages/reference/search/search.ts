import MiniSearch from 'minisearch'
import type { MatchInfo, SearchResult } from 'minisearch'
import type { Catalogue } from '../catalogue.ts'
import type { Model } from '../models/models.ts'
import { guides } from '../guides/guides.ts'
import { listGuideTexts, listModelTexts, listOperationTexts } from './texts.ts'
import type { SearchHit, SearchableItem } from './texts.ts'

/**
 * Finds guides, operations and models by words. Tolerates typos in unknown words. If no item
 * contains all words, returns items that contain some of them. If a word is an HTTP method,
 * operations with that method rank first. If the text asks for content, models rank first.
 * Operations that delete something rank last, unless the text asks to delete.
 */
export type Search = (text: string) => readonly SearchHit[]

/** Creates a search, whose index is built on first use. */
export function createSearch(
  catalogue: Catalogue,
  { models, hasGuides }: { models: ReadonlyMap<string, Model>; hasGuides: boolean },
): Search {
  let index: Index | undefined
  return (text) => {
    const ids = catalogue.entries.map(({ id }) => id)
    const words = normaliseLeadingPost(splitIntoWords(text), ids)
    const { method, others } = separateMethod(words)
    if (words.length === 0) return []
    index ??= createIndex([
      ...(hasGuides ? listGuideTexts(catalogue) : []),
      ...listOperationTexts(catalogue),
      ...listModelTexts(models),
    ])
    const last = words.at(-1)?.toLowerCase() ?? ''
    const contentRank = ({ kind, title }: SearchHit) =>
      kind !== 'model' ? 2 : Number(!title.toLowerCase().includes(last))
    const deletes = ({ entry }: SearchHit) => Number(entry?.method.toUpperCase() === 'DELETE')
    if (method === undefined) {
      const hits = [...findField(models, words), ...index(words)]
      if (isContentSearch(text)) return hits.toSorted((a, b) => contentRank(a) - contentRank(b))
      return isDeletionSearch(words) ? hits : hits.toSorted((a, b) => deletes(a) - deletes(b))
    }
    const hits = [...index(others), ...index(words)]
    const places = hits.map(({ place }) => JSON.stringify(place))
    const unique = hits.filter((_, number) => places.indexOf(places[number] ?? '') === number)
    const hasOther = ({ entry }: SearchHit) => Number(entry?.method.toUpperCase() !== method)
    return unique.toSorted((a, b) => hasOther(a) - hasOther(b))
  }
}

/** Maximum number of models to list for a field. */
const maxFieldHits = 3

/**
 * Finds the models with a field, if one word of the search is its exact name. A name without an
 * inner capital or `_` is not telling, because it could be any word.
 */
function findField(
  models: ReadonlyMap<string, Model>,
  words: readonly string[],
): readonly SearchHit[] {
  const name = words.find((word) => /[a-z]_[a-z]|[a-z][A-Z]/.test(word))
  if (name === undefined || isTitle(name)) return []
  return [...models.values()]
    .filter(({ fieldNames }) => fieldNames.includes(name))
    .slice(0, maxFieldHits)
    .map((model) => ({
      kind: 'model',
      title: model.name,
      note: `field ${name}`,
      place: { section: 'models', item: `${model.name}/${name}` },
    }))
}

/** True if the title of a guide contains a word, such as `next_page`. */
function isTitle(word: string): boolean {
  return guides.some(({ sections }) => sections.some(({ title }) => title.includes(word)))
}

type Index = (words: readonly string[]) => SearchHit[]

/** Number of typos to tolerate per character of a word. */
const fuzziness = 0.25
/** Minimum length of a word in which typos are tolerated. Numbers must match exactly. */
const minFuzzyLength = 4

const boost = { title: 6, names: 4, text: 1, fields: 0.5 }
/**
 * Guides rank highest, because they explain topics that operations only mention. Operations rank
 * above models, because readers look for them more often.
 */
const boosts = { guide: 3, operation: 1, model: 0.5 }
/**
 * Operations that list, create or send rank above operations that change a detail. The boost is
 * divided by the number of words in the id, so `listMessages` ranks above `listMassMessageBuyers`.
 */
const mainBoost = 4
const isMain = /^(?:list|create|send)/

/** Returns the factor by which the score of an item is multiplied. */
function boostOf({ hit: { kind, entry } }: SearchableItem): number {
  const isMainEntry = entry !== undefined && isMain.test(entry.id)
  return boosts[kind] * (isMainEntry ? mainBoost / splitIntoParts(entry.id).length : 1)
}

function createIndex(all: readonly SearchableItem[]): Index {
  const engine = new MiniSearch<SearchableItem & { id: number }>({
    fields: Object.keys(boost),
    tokenize: (text) => splitIntoWords(text).flatMap((word) => [word, ...splitIntoParts(word)]),
    processTerm: toTerm,
    searchOptions: {
      boost,
      boostDocument: (id) => {
        const item = all[Number(id)]
        return item === undefined ? 1 : boostOf(item)
      },
      prefix: true,
      combineWith: 'AND',
      tokenize: (text) => text.split(' '),
    },
  })
  engine.addAll(all.map((searched, id) => ({ ...searched, id })))
  const isKnown = (word: string) => engine.search(word, { fuzzy: 0 }).length > 0
  const find = (words: readonly string[], combineWith: 'AND' | 'OR') =>
    engine.search(words.join(' '), {
      combineWith,
      fuzzy: (word) => (canHaveTypo(word) && !isKnown(word) ? fuzziness : 0),
    })
  return (words) => {
    const parts = words.flatMap(splitIntoParts)
    // Matches of the whole name rank first. `ChatMessage` also finds texts that contain both words.
    const whole = words.every(isKnown) ? find(words, 'AND') : []
    const complete = [...whole, ...find(parts, 'AND')]
    const results = complete.length > 0 ? complete : find(parts, 'OR')
    const ids = results.map(({ id }) => id as number)
    return results
      .filter(({ id }, place) => ids.indexOf(id as number) === place)
      .flatMap((result) => toHit(all, result))
  }
}

/** Returns the form in which the index stores a word. Singular and plural have the same form. */
function toTerm(word: string): string {
  return word.toLowerCase().replace(/(?<=\w{3})s$/, '')
}

function canHaveTypo(word: string): boolean {
  return word.length >= minFuzzyLength && !/\d/.test(word)
}

function toHit(all: readonly SearchableItem[], { id, match }: SearchResult): SearchHit[] {
  const searched = all[Number(id)]
  if (searched === undefined) return []
  const field = findMatchedField(searched, match)
  return [field === undefined ? searched.hit : { ...searched.hit, note: `field ${field}` }]
}

/** Returns the name of the matching field, if the search matched only a field. */
function findMatchedField({ fieldNames }: SearchableItem, match: MatchInfo): string | undefined {
  const places = Object.values(match).flat()
  if (places.some((place) => place !== 'fields')) return undefined
  const terms = Object.keys(match)
  return fieldNames.find((name) =>
    [name, ...splitIntoParts(name)].some((part) => terms.includes(toTerm(part))),
  )
}

/** Question words and other fillers that a search ignores. */
const fillers = new Set(
  'a an and are can contain contains do does for get gives hold holds how i in is it mean meaning means my of on or the to what use what when which with work works'.split(
    ' ',
  ),
)

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Separates an HTTP method from the other words, as in `POST messages` or `post /v1/tags`. A
 * lower-case word is a method only before a path, because `post` is also a kind of record.
 */
function separateMethod(words: readonly string[]): {
  method: string | undefined
  others: readonly string[]
} {
  const isMethod = (word: string, index: number) =>
    methods.has(word) ||
    (methods.has(word.toUpperCase()) && words[index + 1]?.startsWith('/') === true)
  const index = words.findIndex(isMethod)
  const others = words.filter((_, place) => place !== index)
  return index === -1 || others.length === 0
    ? { method: undefined, others: words }
    : { method: words[index]?.toUpperCase(), others }
}

/**
 * Treats the first word of a search such as `post messages` as the method, unless one operation id,
 * such as `listPostComments`, contains all words of the search.
 */
function normaliseLeadingPost(words: readonly string[], ids: readonly string[]): readonly string[] {
  const [first = '', ...others] = words
  if (first !== 'post' || others.length === 0) return words
  const stems = words.map((word) => word.toLowerCase().replace(/s$/, ''))
  const isKnown = ids.some((id) => stems.every((stem) => id.toLowerCase().includes(stem)))
  return isKnown ? words : ['POST', ...others]
}

/** True if a search asks for an operation that deletes or undoes something. */
function isDeletionSearch(words: readonly string[]): boolean {
  return words
    .flatMap(splitIntoParts)
    .some((part) => /^(?:delet|remov|cancel|unsend|clear|un[a-z]{3})/i.test(part))
}

/** True if a search asks for the content of something. Models describe content. */
function isContentSearch(text: string): boolean {
  return /\b(?:holds?|contains?|fields|models?|schemas?)\b/i.test(text)
}

/** Splits text into words at spaces and removes punctuation around each word. */
function splitIntoWords(text: string): string[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/_{]+|[^\p{L}\p{N}}_]+$/gu, ''))
    .filter(Boolean)
  const telling = words.filter((word) => methods.has(word) || !fillers.has(word.toLowerCase()))
  return telling.length === 0 ? words : telling
}

/**
 * Splits a name, path or compound into its parts: `isMediaReady` into `is`, `Media` and `Ready`.
 */
function splitIntoParts(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+|(?<=[a-z\d])(?=[A-Z])/u).filter(Boolean)
}
