import { splitIntoLowerWords } from '../../../lib/typo.ts'
import { toHash } from '../shared/place.ts'
import { rankText } from '../shared/records.ts'
import { toDocsHref } from '../shared/routes.tsx'
import type { RouteSummary } from '../../shared/types.ts'

/** Words that stand for an HTTP method. */
const methodWords: Readonly<Record<string, readonly string[]>> = {
  GET: ['list', 'read', 'fetch', 'show'],
  POST: ['send', 'create', 'add', 'new'],
  PUT: ['update', 'change', 'edit', 'set'],
  PATCH: ['update', 'change', 'edit', 'set'],
  DELETE: ['remove'],
}
/** Words of a search that do not select a route. */
const ignoredWords = new Set(['a', 'an', 'the', 'of', 'to', 'v1', 'api', 'route', 'endpoint'])
const maxRoutes = 5
/** The best route comes after ids and statuses, but before names. */
const bestRank = 0.5
const otherRank = 3

/**
 * Finds routes by the words of their method, path and summary. Routes with a path segment that is
 * one of the words come first, then those with a shorter path.
 */
export function findRoutes(routes: readonly RouteSummary[], text: string): readonly SearchHit[] {
  const asked = splitIntoLowerWords(text).filter((word) => !ignoredWords.has(word))
  return routes
    .flatMap((route) => {
      const score = scoreRoute(route, asked, text)
      return score === undefined ? [] : [{ ...route, score }]
    })
    .toSorted((a, b) => a.score - b.score || a.id.length - b.id.length)
    .slice(0, maxRoutes)
    .flatMap(({ id, summary, score }, index): SearchHit[] => {
      const rank = index === 0 && score < scores.summary ? bestRank : otherRank
      const goals = [
        ['its requests', toHash({ view: 'requests', filters: { route: id } })],
        ['its documentation', toDocsHref(id)],
      ] as const
      return goals.map(([what, goal]) => ({
        kind: 'route',
        text: `${id}: ${what}`,
        match: summary,
        rank,
        goal,
      }))
    })
}

/** Scores of the places in which a search was found. Lower scores come first. */
const scores = { segment: 0, path: 1, summary: 2 }

/** Returns the score of a route, or undefined if it does not match. */
function scoreRoute(
  { id, summary }: RouteSummary,
  asked: readonly string[],
  text: string,
): number | undefined {
  const [method = '', path = ''] = id.split(' ')
  const segments = path.split('/').filter((part) => /^[a-z][\w-]*$/.test(part) && part !== 'v1')
  const methods = [method.toLowerCase(), ...(methodWords[method] ?? [])]
  const inPath = [...methods, ...segments.flatMap(splitIntoLowerWords)]
  if (asked.length > 1 && rankText(summary, text) === 1) return scores.segment
  const nouns = asked.filter((word) => !methods.includes(word))
  if (asked.length > 0 && asked.every((word) => isKnown(word, inPath)))
    return segments.some((segment) => toSingular(segment) === toSingular(nouns.join('-')))
      ? scores.segment
      : scores.path
  if (rankText(id, text) < 4) return scores.path
  const known = [...inPath, ...splitIntoLowerWords(summary)]
  return asked.length > 0 && asked.every((word) => isKnown(word, known))
    ? scores.summary
    : undefined
}

/** True if a word begins one of the known words, in the singular or the plural. */
function isKnown(word: string, known: readonly string[]): boolean {
  return known.some((each) => each.startsWith(word) || toSingular(each) === toSingular(word))
}

function toSingular(word: string): string {
  return word.replace(/s$/, '')
}

/** A search result. */
export interface SearchHit {
  kind: string
  text: string
  /** The field that matched, if the text does not show it. */
  match?: string | undefined
  /** Lower ranks come first. */
  rank: number
  /** The place that the result opens, or the function that it calls. */
  goal: string | (() => void)
}
