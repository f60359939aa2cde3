import { matchesWithTypos, splitIntoLowerWords } from '../../../lib/typo.ts'
import { ControlError } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { formatTimestamp } from '../../shared/format.ts'
import { toHash } from './place.ts'
import type { DataPage } from '../../shared/types.ts'

/** A record with its picture. */
export interface FoundRecord {
  record: Readonly<Record<string, unknown>>
  picture: string | undefined
}

/** Maximum number of records to read when searching for the best matches. */
const maxRead = 200
/** Maximum number of records of a table that the server searches. */
const maxSearched = 50_000

/** A page of records. `searched` is the number of newest records that were searched, if not all. */
export type RecordPage = DataPage & { searched?: number }

/** Reads a page of records. In a table that is too large, searches only the newest records. */
export async function readRecords(
  api: Api,
  table: string,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<RecordPage> {
  return api.get<DataPage>(`data/${table}`, query).catch(async (error: unknown) => {
    if (!(error instanceof ControlError) || error.status !== 413) throw error
    const page = await api.get<DataPage>(`data/${table}`, { ...query, newest: maxSearched })
    return { ...page, searched: maxSearched }
  })
}

/**
 * Finds records that contain a text. If no record contains it, tolerates typos. Exact ids come
 * first, followed by the other results in the order of `getSearchRank`. Ids are found in tables of
 * any size, but other text only in tables that the server can search.
 */
export async function findRecords(
  api: Api,
  table: string,
  text: string,
  limit: number,
): Promise<readonly FoundRecord[]> {
  return (await findRecordPage(api, table, text, limit)).found
}

/**
 * Like `findRecords`, with the number of all records that contain the text. `searched` is the
 * number of newest records that were searched, if not all.
 */
export async function findRecordPage(
  api: Api,
  table: string,
  text: string,
  limit: number,
): Promise<{ found: readonly FoundRecord[]; total: number; searched?: number | undefined }> {
  const read = async (query: Readonly<Record<string, string | undefined>>) => {
    const page = await readRecords(api, table, {
      ...query,
      limit: text === '' ? limit : Math.max(limit, maxRead),
      sort: 'id:desc',
      pictures: 'true',
    })
    const { items, pictures = {}, total, searched } = page
    const found = (items as readonly Record<string, unknown>[]).map((record) => ({
      record,
      picture: pictures[String(record['id'])],
    }))
    return { found, total, searched }
  }
  const withId = looksLikeId(text) ? (await read({ id: text })).found : []
  const find = async () => {
    const containing = await read({ contains: text === '' ? undefined : text })
    if (containing.total > 0 || !/[^\d\s]{4}/.test(text)) return containing
    // The data view, which would show the remaining records, tolerates no typos.
    const similar = await read({ contains: text, typos: 'true' })
    // A typo in a field without a name, such as a URL, is a coincidence.
    const asked = splitIntoLowerWords(text)
    const found = similar.found.filter(({ record }) =>
      matchesWithTypos(asked, splitIntoLowerWords(listNames(record).join(' '))),
    )
    return { ...similar, found, total: 0 }
  }
  const containing = await find().catch((error: unknown) => {
    if (withId.length > 0) return { found: [], total: 0, searched: undefined }
    throw error
  })
  const others = containing.found
    .filter(({ record }) => String(record['id']) !== text)
    .toSorted((a, b) => getSearchRank(a, text) - getSearchRank(b, text))
  const { total, searched } = containing
  return { found: [...withId, ...others].slice(0, limit), total, searched }
}

/** True if the text is the full name of a record. */
export function hasExactName({ record }: FoundRecord, text: string): boolean {
  return [record['name'], record['username']].some(
    (each) => String(each).toLowerCase() === text.toLowerCase(),
  )
}

/**
 * Returns the rank of a record among search results: 0 for its id, then for its exact name, a name
 * or title that begins with the text, a word that begins with it, a name or title that contains it,
 * and last for another field. Lower ranks come first.
 */
export function getSearchRank(found: FoundRecord, text: string): number {
  if (String(found.record['id']) === text) return 0
  if (hasExactName(found, text)) return 1
  return 1 + Math.min(4, ...listNames(found.record).map((name) => rankText(name, text)))
}

/**
 * Ranks a text against a search: 1 if the text begins with the search, 2 if one of its words does,
 * 3 if it contains the search, and 4 otherwise.
 */
export function rankText(text: string, searched: string): number {
  const [value, part] = [text.toLowerCase(), searched.toLowerCase()]
  if (value.startsWith(part)) return 1
  if (splitIntoLowerWords(value).some((word) => word.startsWith(part))) return 2
  return value.includes(part) ? 3 : 4
}

/** Maximum number of characters to show of a matching field. */
const maxMatch = 60

/**
 * Describes the field in which a search was found, unless the name of the record shows it already.
 */
export function describeMatch(
  record: Readonly<Record<string, unknown>>,
  text: string,
): string | undefined {
  const isMatch = (value: string) => value.toLowerCase().includes(text.toLowerCase())
  if (isMatch(formatRecordName(record))) return undefined
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const [field, value] =
    Object.entries(record).find(([, each]) => isMatch(toText(each ?? null))) ?? []
  if (field === undefined) return undefined
  const whole = toText(value)
  const start = Math.max(0, whole.toLowerCase().indexOf(text.toLowerCase()) - 20)
  const cut = whole.slice(start, start + maxMatch)
  return `${field}: ${start > 0 ? '…' : ''}${cut}${start + maxMatch < whole.length ? '…' : ''}`
}

/** True if a string could be the id of a record or request. */
export function looksLikeId(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

function listNames(record: FoundRecord['record']): readonly string[] {
  return nameFields.map((field) => record[field]).filter(isFilledText)
}

const nameFields = ['name', 'username', 'title', 'text', 'rawText', 'type', 'description']
const maxName = 80

/** Describes a record on one line, with its id. */
export function formatRecordName(record: Readonly<Record<string, unknown>>): string {
  const [name = ''] = listNames(record)
  const text = name.replaceAll(/<[^>]*>/g, '').slice(0, maxName)
  return text === '' ? String(record['id']) : `${text} (${String(record['id'])})`
}

/** Names of records, by keys from `toNameKey`. */
export type RecordNames = ReadonlyMap<string, string>

export function toNameKey(table: string, id: unknown): string {
  return `${table} ${String(id)}`
}

/** Returns the name of a record without its id, or undefined if it has no name. */
export function getRecordName(record: FoundRecord['record']): string | undefined {
  const id = String(record['id'])
  const name = formatRecordName(record)
  return name === id ? undefined : name.slice(0, -` (${id})`.length)
}

/** Reads the names of records. Records that cannot be read have none. */
export async function readNames(api: Api, keys: readonly string[]): Promise<RecordNames> {
  const names = new Map<string, string>()
  const load = async (key: string) => {
    const [table = '', id] = key.split(' ')
    const { items } = await api.get<DataPage>(`data/${table}`, { id, limit: 1 })
    const name = getRecordName((items[0] ?? {}) as FoundRecord['record'])
    if (name !== undefined) names.set(key, name)
  }
  await Promise.all(keys.map((key) => load(key).catch(() => {})))
  return names
}

/** Returns the table that a field such as `lastMessageId` refers to. */
export function getFieldTable(field: string): string | undefined {
  const words = field.replace(/Id$/, '').split(/(?=[A-Z])/)
  const kinds = words.map((_, index) => words.slice(index).join('_').toLowerCase())
  return field.endsWith('Id')
    ? kinds.map((kind) => tableOfKind[kind]).find((table) => table !== undefined)
    : undefined
}

/** Fields with the time of a record, best first. */
const timeFields = ['createdAt', 'postedAt', 'transaction_created_at', 'at']

/** Describes the fan and the time of a record, to tell records with the same text apart. */
export async function describeOrigin(
  api: Api,
  record: FoundRecord['record'],
): Promise<string | undefined> {
  const { fanId, isFromFan = true } = record
  const key = toNameKey('fans', fanId)
  const fan = typeof fanId === 'number' ? (await readNames(api, [key])).get(key) : undefined
  const time = timeFields.map((field) => record[field]).find(isFilledText)
  const parts = [
    ...(fan === undefined ? [] : [`${isFromFan === true ? 'from' : 'to'} ${fan}`]),
    ...(time === undefined ? [] : [formatTimestamp(time)]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Table for each kind of record that actions and their fields refer to. */
export const tableOfKind: Readonly<Record<string, string>> = {
  fan: 'fans',
  post: 'posts',
  message: 'messages',
  transaction: 'transactions',
  account: 'accounts',
  comment: 'comments',
  media: 'vaultMedia',
  tracking_link: 'trackingLinks',
  trial_link: 'trialLinks',
  chat: 'chats',
  subscription: 'subscriptions',
  apiKey: 'apiKeys',
}

export function toRecordHref(table: string, id: number | string): string {
  return toHash({ view: 'data', item: table, filters: { record: String(id) } })
}
