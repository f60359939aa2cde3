import { readQuery, splitUrl } from '../lib/url.ts'
import { eachObject } from './shape.ts'
import type { JsonObject } from './shape.ts'
import { defineVariation } from './variation.ts'
import type { Variation } from './variation.ts'

/**
 * What is added to an id: it stays a safe integer, no time in ms of this decade is like it, and cut
 * to 32 bits it is not the id that it was.
 */
const distance = 1_100_000_000_000
/** Ids that are larger stay as they are. */
const largest = 2 ** 33
/** Names of fields that hold ids, one or a list of them. */
const idName = /^ids?$|(?:Ids?|_ids?)$|^(?:previews|userLists)$/

const largeIds = defineVariation({
  name: 'large-ids',
  does:
    'Ids lie beyond 2^31, but for those of accounts and those that the client sent; the API ' +
    'knows them by both.',
  breaks: 'A client that keeps ids in 32 bits, in floats of 32 bits, or in a column of that size.',
  source: 'reference §2: ids are integers; every id is one of the platform, without a largest',
  open: ({ isAccount }) => ({
    enter({ sent }) {
      const { path, rawQuery } = splitUrl(sent.url)
      const url = withSmallIds(path) + (rawQuery === '' ? '' : `?${withSmallIds(rawQuery)}`)
      const body = sent.body === null || !hasLarge(sent.body) ? sent.body : smallBody(sent.body)
      return url === sent.url && body === sent.body ? undefined : { ...sent, url, body }
    },
    leave({ status, shape, body }, { sent, call }) {
      const back = withLargeIds(body, sent.url, call.url)
      if (status >= 400) return back
      const known = idsIn(call)
      const asked = idsIn(sent)
      const isLarge = (id: number) =>
        Number.isInteger(id) &&
        id >= 0 &&
        id < largest &&
        !isAccount(id) &&
        !(known.has(id) && asked.has(id))
      let isChanged = back
      eachObject(shape, body['data'], (object, { properties }) => {
        const changed =
          properties === undefined ? renameKeys(object, isLarge) : enlarge(object, isLarge)
        isChanged ||= changed
      })
      return isChanged
    },
  }),
})

/** Enlarges the ids of an object. Returns whether it has any. */
function enlarge(object: JsonObject, isLarge: (id: number) => boolean): boolean {
  let isChanged = false
  const toLarge = (value: unknown): unknown => {
    if (
      typeof value === 'number'
        ? !isLarge(value)
        : typeof value !== 'string' || !/^\d+$/.test(value) || !isLarge(Number(value))
    )
      return value
    isChanged = true
    return typeof value === 'number' ? value + distance : String(Number(value) + distance)
  }
  for (const [name, value] of Object.entries(object))
    if (idName.test(name)) object[name] = Array.isArray(value) ? value.map(toLarge) : toLarge(value)
  return isChanged
}

/** Enlarges the ids that are the keys of a map. */
function renameKeys(map: JsonObject, isLarge: (id: number) => boolean): boolean {
  const ids = Object.keys(map).filter((key) => /^\d+$/.test(key) && isLarge(Number(key)))
  for (const id of ids) {
    map[String(Number(id) + distance)] = map[id]
    delete map[id]
  }
  return ids.length > 0
}

/**
 * What an answer repeats of the request is as the client sent it: the address of the next page, and
 * a sentence that names an id.
 */
function withLargeIds(body: JsonObject, sentUrl: string, url: string): boolean {
  if (sentUrl === url) return false
  const { error } = body
  const page = body['_pagination'] as { next_page?: unknown } | undefined
  const ids = [...sentUrl.matchAll(number)].map(([id]) => id).filter((id) => isBeyond(Number(id)))
  const repeat = (text: string) =>
    ids.reduce((found, id) => found.replaceAll(wholeNumber(Number(id) - distance), id), text)
  if (typeof error === 'string') body['error'] = repeat(error)
  if (typeof page?.next_page === 'string' && page.next_page.startsWith('/'))
    page.next_page = repeat(page.next_page)
  return true
}

/** The ids that a call names. */
function idsIn({ url, body }: { url: string; body: string | null }): Set<number> {
  const { path, rawQuery } = splitUrl(url)
  const texts = [path, ...Object.values(readQuery(rawQuery)).flat().map(String), body ?? '']
  return new Set(texts.flatMap((text) => [...text.matchAll(number)].map(([id]) => Number(id))))
}

const number = /(?<![\w.])\d{1,16}(?![\w.])/g

function wholeNumber(id: number): RegExp {
  return new RegExp(`(?<![\\w.])${id}(?![\\w.])`, 'g')
}

function withSmallIds(text: string): string {
  return text.replaceAll(/\d{13,}/g, (id) =>
    isBeyond(Number(id)) ? String(Number(id) - distance) : id,
  )
}

function isBeyond(id: number): boolean {
  return id >= distance && id < distance + largest
}

function hasLarge(body: string): boolean {
  return [...body.matchAll(/\d{13,}/g)].some(([id]) => isBeyond(Number(id)))
}

/** A body with small ids: each such number, and each such text under the name of an id. */
function smallBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body, toSmall))
  } catch {
    return body // it is refused as it is
  }
}

function toSmall(name: string, value: unknown): unknown {
  if (typeof value === 'number') return isBeyond(value) ? value - distance : value
  if (typeof value === 'string' && idName.test(name)) return withSmallIds(value)
  return value
}

/** What varies in ids. */
export const idVariations: readonly Variation[] = [largeIds]
