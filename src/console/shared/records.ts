import type { Api } from './api.ts'
import { toHash } from './place.ts'
import type { DataPage } from './types.ts'

/** A record with its picture. */
export interface FoundRecord {
  record: Readonly<Record<string, unknown>>
  picture: string | undefined
}

/** Maximum number of records to read when searching for the best matches. */
const maxRead = 50

/**
 * Finds records that contain a text. Exact ids come first, then exact names, then records with a
 * word that starts with the text. Ids are found in tables of any size, but other text only in
 * tables that the server can search.
 */
export async function findRecords(
  api: Api,
  table: string,
  text: string,
  limit: number,
): Promise<readonly FoundRecord[]> {
  const read = async (query: Readonly<Record<string, string | undefined>>) => {
    const { items, pictures = {} } = await api.get<DataPage>(`data/${table}`, {
      ...query,
      limit: text === '' ? limit : Math.max(limit, maxRead),
      sort: 'id:desc',
      pictures: 'true',
    })
    return (items as readonly Record<string, unknown>[]).map((record) => ({
      record,
      picture: pictures[String(record['id'])],
    }))
  }
  const withId = looksLikeId(text) ? await read({ id: text }) : []
  const containing = await read({ contains: text === '' ? undefined : text }).catch(
    (error: unknown) => {
      if (withId.length > 0) return []
      throw error
    },
  )
  const others = containing
    .filter(({ record }) => String(record['id']) !== text)
    .toSorted((a, b) => getSearchRank(a, text) - getSearchRank(b, text))
  return [...withId, ...others].slice(0, limit)
}

/** True if the text is the full name of a record. */
export function hasExactName({ record }: FoundRecord, text: string): boolean {
  return [record['name'], record['username']].some(
    (each) => String(each).toLowerCase() === text.toLowerCase(),
  )
}

/** Returns the rank of a record among search results. Lower ranks come first. */
function getSearchRank(found: FoundRecord, text: string): number {
  if (hasExactName(found, text)) return 0
  const start = text.toLowerCase()
  const begins = (fields: readonly string[]) =>
    fields.some((field) => {
      const value = String(found.record[field] ?? '').toLowerCase()
      const words = value.split(/[^\p{L}\p{N}]+/u)
      return value.startsWith(start) || words.some((word) => word.startsWith(start))
    })
  if (begins(['name', 'username'])) return 1
  return begins(nameFields) ? 2 : 3
}

/** True if a string could be the id of a record or request. */
export function looksLikeId(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

const nameFields = ['name', 'username', 'title', 'text', 'rawText', 'type', 'description']
const maxName = 80

/** Describes a record on one line, with its id. */
export function formatRecordName(record: Readonly<Record<string, unknown>>): string {
  const name = nameFields.map((field) => record[field]).find(isFilledText) ?? ''
  const text = name.replaceAll(/<[^>]*>/g, '').slice(0, maxName)
  return text === '' ? String(record['id']) : `${text} (${String(record['id'])})`
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
}

export function toRecordHref(table: string, id: number | string): string {
  return toHash({ view: 'data', item: table, filters: { record: String(id) } })
}
