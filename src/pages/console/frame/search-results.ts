import { matchesWithTypos, splitIntoLowerWords } from '../../../lib/typo.ts'
import { useActions } from '../actions/use-actions.ts'
import type { ShownAction } from '../actions/use-actions.ts'
import { toWorldUrl } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { formatMilliseconds, formatNumber } from '../../shared/format.ts'
import { useLoadedData, useStore } from '../../shared/hooks.ts'
import { getBadges, readNewestFindings } from '../requests/findings.ts'
import { toHash } from '../shared/place.ts'
import {
  describeMatch,
  describeOrigin,
  findRecordPage,
  formatRecordName,
  getRecordName,
  looksLikeId,
  getSearchRank,
  rankText,
  toRecordHref,
} from '../shared/records.ts'
import { useRouteSummaries } from '../shared/routes.tsx'
import { toErrorMessage } from '../../shared/store.ts'
import type { Row, WorldSummary } from '../../shared/types.ts'
import { listSearchWords, usePageFunctions } from './page-functions.ts'
import type { PageFunction } from './page-functions.ts'
import type { SearchHit } from './search-routes.ts'
import { findRoutes } from './search-routes.ts'

/** Tables to search. The other tables can be searched in the data view. */
const searchedTables = ['fans', 'posts', 'messages', 'transactions', 'accounts'] as const
const perKind = 5
/** Pause in typing after which a search starts, ms. */
const debounceMs = 250

/** The search results, and what was not searched. */
export interface SearchResults {
  hits: readonly SearchHit[]
  problems: readonly string[]
  /** True while records and requests are still being searched. */
  isSearching: boolean
}

const nothing: SearchResults = { hits: [], problems: [], isSearching: false }

/**
 * Ranks of results that are not records. Records are ranked by `getSearchRank`, from 0 for an id to
 * 5 for a match in any field.
 */
const ranks = { exact: 0, keyword: 3, field: 5, typo: 6, recordTypo: 7 }

/** Finds records, requests, routes, actions and console functions, best matches first. */
export function useSearchResults(text: string, showHelp: () => void): SearchResults {
  const { api } = useStore()
  const routes = useRouteSummaries()
  const actions = useActions()
  const functions = usePageFunctions(showHelp)
  const { data: loaded } = useLoadedData(
    async (signal) => {
      const own: Api = { ...api, get: (path, query) => api.get(path, query, signal) }
      return { text, ...(text === '' ? nothing : await findStored(own, text)) }
    },
    text,
    { debounceMs },
  )
  if (text === '') return { ...nothing, hits: [...readRecent(), ...listFirst(functions)] }
  // Results for the previous search text would be misleading.
  const isSearching = loaded?.text !== text
  const data = isSearching ? nothing : loaded
  const found = [
    ...findStatuses(text),
    ...findFunctions(functions, text),
    ...findActions(actions, text),
    ...data.hits,
    ...findRoutes(routes, text),
  ]
  // Matches with typos are shown only if there are no better matches. Until the search ends, this
  // is unknown.
  const best = Math.min(...found.map(({ rank }) => rank))
  const worst = isSearching ? ranks.field : Math.max(ranks.field, best)
  const hits = found.filter(({ rank }) => rank <= worst).toSorted((a, b) => a.rank - b.rank)
  return { hits, problems: data.problems, isSearching }
}

/** Key of the results that were opened last, for this tab. */
const recentKey = 'creator-api-sandbox recent'
const maxRecent = 5
/** Number of console functions to offer before the user types. */
const maxFirst = 8

function readRecent(): readonly SearchHit[] {
  return JSON.parse(sessionStorage.getItem(recentKey) ?? '[]') as SearchHit[]
}

/** Remembers an opened result. Results that call a function cannot be stored. */
export function noteRecent(hit: SearchHit): void {
  if (typeof hit.goal !== 'string') return
  const others = readRecent().filter(({ goal }) => goal !== hit.goal)
  sessionStorage.setItem(recentKey, JSON.stringify([hit, ...others].slice(0, maxRecent)))
}

function listFirst(functions: readonly PageFunction[]): readonly SearchHit[] {
  return functions
    .slice(0, maxFirst)
    .map(({ text, goal }) => ({ kind: 'console', text, rank: ranks.keyword, goal }))
}

/** Ranks a title with additional search words. Undefined if it does not match. */
function rankTitle(title: string, known: readonly string[], text: string): number | undefined {
  const rank = rankText(title, text)
  if (rank < 4) return title.toLowerCase() === text.toLowerCase() ? 1 : rank + 1
  const asked = splitIntoLowerWords(text)
  if (asked.length === 0) return undefined
  const isKnown = asked.every((word) => known.some((each) => each.startsWith(word)))
  if (isKnown) return ranks.keyword
  return matchesWithTypos(asked, known) ? ranks.typo : undefined
}

function findFunctions(functions: readonly PageFunction[], text: string): readonly SearchHit[] {
  return functions
    .flatMap((each): SearchHit[] => {
      const rank = rankTitle(each.text, listSearchWords(each), text)
      return rank === undefined ? [] : [{ kind: 'console', text: each.text, rank, goal: each.goal }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, perKind)
}

/**
 * Finds actions. A number in the search text is used as the amount, as in `tip 20`. Numbers with more
 * than five digits are ids.
 */
function findActions(actions: readonly ShownAction[], text: string): readonly SearchHit[] {
  const [, words = text, amount] = /^(\D+?) +\$?(\d{1,5}(?:\.\d{1,2})?)$/.exec(text) ?? []
  return actions
    .flatMap(({ type, title, button, summary, schema }): SearchHit[] => {
      const isAmount = amount !== undefined && schema.properties?.['amount'] !== undefined
      const known = splitIntoLowerWords(`${type} ${title} ${button} ${summary}`)
      const rank = rankTitle(title, known, isAmount ? words : text)
      if (rank === undefined) return []
      const filters: Record<string, string> = isAmount ? { amount } : {}
      return [
        {
          kind: 'action',
          text: isAmount ? `${title}, amount ${amount}` : title,
          rank,
          goal: toHash({ view: 'actions', item: type, filters }),
        },
      ]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, perKind)
}

/** Search words for classes of HTTP statuses. */
const statusWords: readonly (readonly [status: string, words: readonly string[], text: string])[] =
  [
    ['4', ['refused', 'rejected', 'denied', 'failed', 'errors'], 'All refused requests (4xx)'],
    ['5', ['failed', 'errors', 'broken'], 'All failed requests (5xx)'],
    ['2', ['succeeded', 'successful'], 'All successful requests (2xx)'],
  ]

/** Returns the status classes for a search word such as `refused`. */
function findStatusClasses(text: string): typeof statusWords {
  const asked = splitIntoLowerWords(text)
  if (asked.length !== 1 || text.length < 4) return []
  return statusWords.filter(([, words]) => matchesWithTypos(asked, words))
}

/**
 * Returns results that link to all requests with a given status, or with a status in the class that
 * a word stands for.
 */
function findStatuses(text: string): readonly SearchHit[] {
  const toStatusHit = (status: string, shown: string) => ({
    kind: 'status',
    text: shown,
    rank: ranks.exact,
    goal: toHash({ view: 'requests', filters: { status } }),
  })
  if (isStatus(text)) return [toStatusHit(text, `All requests with the status ${text}`)]
  return findStatusClasses(text).map(([status, , shown]) => toStatusHit(status, shown))
}

function isStatus(text: string): boolean {
  return /^[1-5]\d\d$/.test(text)
}

/** Words that can precede a record id, as in `fan 12`, with their tables. */
const tableOfWord: Readonly<Record<string, string>> = {
  fan: 'fans',
  post: 'posts',
  message: 'messages',
  payment: 'transactions',
  transaction: 'transactions',
  account: 'accounts',
}

/** Finds records and requests, and reports tables that are too large to search as a whole. */
async function findStored(
  api: Api,
  text: string,
): Promise<Pick<SearchResults, 'hits' | 'problems'>> {
  const problems: string[] = []
  const report = (reason: unknown) => {
    problems.push(toErrorMessage(reason))
    return []
  }
  const partial: string[] = []
  const onPartial = (name: string) => partial.push(name)
  const [, word = '', id = ''] = /^([a-z]+?)s? *#? *(\d+)$/i.exec(text) ?? []
  const table = tableOfWord[word.toLowerCase()]
  const requestId = word.toLowerCase() === 'request' ? id : text.replace(/^#/, '')
  const { exact, field } = ranks
  const searched = await Promise.all([
    looksLikeId(requestId) ? findRequest(api, Number(requestId)).catch(report) : [],
    isStatus(text) ? findRequests(api, { status: text }, exact).catch(report) : [],
    ...findStatusClasses(text).map(([status]) =>
      findRequests(api, { status_class: status }, exact).catch(report),
    ),
    matchesWithTypos(splitIntoLowerWords(text), ['slowest']) ? findSlow(api).catch(report) : [],
    findRequestsByBadge(api, text).catch(report),
    findWorlds(api, text).catch(report),
    table === undefined ? [] : findIn(api, { table, text: id, onPartial }).catch(report),
    // Records whose id contains a status code would hide the requests with that status.
    ...(isStatus(text) ? [] : searchedTables).map((each) =>
      findIn(api, { table: each, text, onPartial }).catch(report),
    ),
    findRequests(api, { contains: text }, field).catch(report),
    findRequests(api, { path: text }, ranks.keyword).catch(report),
  ])
  if (partial.length > 0)
    problems.push(`Only the newest 50,000 records were searched of: ${partial.join(', ')}.`)
  const hits = new Map<SearchHit['goal'], SearchHit>()
  for (const hit of searched.flat().toSorted((a, b) => a.rank - b.rank))
    if (!hits.has(hit.goal)) hits.set(hit.goal, hit)
  return { hits: [...hits.values()], problems }
}

async function findRequest(api: Api, id: number): Promise<readonly SearchHit[]> {
  const rows = await api.get<Row[]>('requests', { before: id + 1, limit: 1, brief: 'true' })
  return rows.filter((row) => row.id === id).map((row) => toRequestHit(row, ranks.exact))
}

async function findRequests(
  api: Api,
  query: Readonly<Record<string, string>>,
  rank: number,
): Promise<readonly SearchHit[]> {
  const rows = await api.get<Row[]>('requests', { ...query, brief: 'true', limit: perKind })
  return rows.map((row) => toRequestHit(row, rank))
}

/**
 * Finds requests by their badges, such as `ignores limt`, or by their error message. A whole word
 * of a badge ranks like an id, because the name of a misspelt parameter rarely occurs in other
 * records.
 */
async function findRequestsByBadge(api: Api, text: string): Promise<readonly SearchHit[]> {
  const rows = await readNewest(api)
  const findings = await readNewestFindings(api, rows)
  const searched = text.toLowerCase()
  return rows
    .flatMap((row) => {
      const badges = getBadges(row, findings)
      const word = badges.find((badge) => [badge, ...badge.split(/[ ,]+/)].includes(searched))
      const match =
        word ?? [...badges, row.error ?? ''].find((each) => each.toLowerCase().includes(searched))
      if (match === undefined) return []
      return [{ ...toRequestHit(row, word === undefined ? ranks.keyword : ranks.exact), match }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, perKind)
}

/** Number of newest requests whose badges, messages and durations are searched. */
const maxNewest = 200

function readNewest(api: Api): Promise<readonly Row[]> {
  return api.get<Row[]>('requests', { brief: 'true', limit: maxNewest })
}

async function findSlow(api: Api): Promise<readonly SearchHit[]> {
  const rows = await readNewest(api)
  const durationOf = ({ duration_ms: duration }: Row) => duration ?? 0
  return rows
    .toSorted((a, b) => durationOf(b) - durationOf(a))
    .slice(0, perKind)
    .map((row) => ({
      ...toRequestHit(row, ranks.exact),
      match: `took ${formatMilliseconds(durationOf(row))}`,
    }))
}

async function findIn(
  api: Api,
  { table, text, onPartial }: { table: string; text: string; onPartial: (table: string) => void },
): Promise<readonly SearchHit[]> {
  const { found, total, searched } = await findRecordPage(api, table, text, perKind)
  if (searched !== undefined) onPartial(table)
  const names = found.map(({ record }) => getRecordName(record))
  const hits = await Promise.all(
    found.map(async ({ record, picture }, index) => {
      const match = describeMatch(record, text)
      const isAmbiguous = names.some((name, other) => other !== index && name === names[index])
      const rank = getSearchRank({ record, picture }, text)
      return {
        kind: table,
        text: formatRecordName(record),
        match: isAmbiguous ? await describeOrigin(api, record) : match,
        rank: rank === ranks.field && match === undefined ? ranks.recordTypo : rank,
        goal: toRecordHref(table, String(record['id'])),
      }
    }),
  )
  const more = total - hits.length
  if (more <= 0) return hits
  return [
    ...hits,
    {
      kind: table,
      text: `${formatNumber(more)} more ${table} with “${text}”`,
      rank: hits.at(-1)?.rank ?? ranks.field,
      goal: toHash({ view: 'data', item: table, filters: { contains: text } }),
    },
  ]
}

/** Finds the other worlds by their names. */
async function findWorlds(api: Api, text: string): Promise<readonly SearchHit[]> {
  const worlds = await api.get<WorldSummary[]>('worlds', { world: undefined })
  return ['main', ...worlds.map(({ id }) => id)]
    .filter((name) => rankText(name, text) < 4)
    .slice(0, perKind)
    .map((name) => ({
      kind: 'world',
      text: name,
      rank: name.toLowerCase() === text.toLowerCase() ? ranks.exact : 1 + rankText(name, text),
      goal: toWorldUrl(name === 'main' ? null : name, '#overview'),
    }))
}

function toRequestHit({ id, method, path, status }: Row, rank: number): SearchHit {
  return {
    kind: 'request',
    text: `${id}: ${method} ${path}, ${status}`,
    rank,
    goal: toHash({ view: 'requests', item: String(id) }),
  }
}
