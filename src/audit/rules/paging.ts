import { z } from 'zod'
import type { JournalRoute } from '../../world/exchange.ts'
import { groupBy } from '../group.ts'
import { defineRule } from '../rule.ts'
import type { Sight } from '../rule.ts'
import { waitedMs } from '../sent.ts'
import type { Sent } from '../sent.ts'
import type { Walk } from '../walks.ts'

/** So many lists of a route that end after the same number of pages do not end there by chance. */
const manyLists = 3
/** A client may have read so many pages ahead of whoever looks at them. */
const pagesAhead = 2

export const pageNotContinued = defineRule({
  name: 'page-not-continued',
  severity: 'hint',
  mistake:
    'A list given up at a page with fewer rows than the one before, as if it were the last, ' +
    'though it named another; or three lists of a ' +
    'route and more, each cut after the same number of pages.',
  advice:
    'Follow _pagination.next_page until an answer has none, whatever a page holds. Who wants ' +
    'only so many rows asks for so many at once ' +
    'with limit. Whoever leaves a list in the middle, or reads until a row is found, does ' +
    'nothing wrong.',
  source: 'reference §1 Response envelope',
  example: {
    wrong:
      'for (let page = url, count = 0; page && count < 3; count += 1) page = (await ' +
      'get(page))._pagination?.next_page',
    right:
      'for (let page = url; page; page = answer._pagination?.next_page) answer = await get(page)',
  },
  find({ walks: { walks } }) {
    const several = walks.filter(({ pages }) => pages.length > 1)
    return [...byRoute(several).values()].flatMap(leftLists)
  },
})

/** The lists of one route that were given up too early. */
function leftLists(walks: readonly Walk[]): Sight[] {
  const sights: Sight[] = []
  const cut = walks.filter((walk) => isCut(walk))
  const short = cut.filter(endsShort)
  if (short.length > 0)
    sights.push({
      message:
        `${short[0]?.pages[0]?.name} was read to a page that is shorter than the one ` +
        `before, and that named another.`,
      requests: lastPagesOf(short),
    })
  const { length } = cut[0]?.pages ?? []
  if (cut.length - short.length >= manyLists && isCapped(walks, cut))
    sights.push({
      message:
        `${cut[0]?.pages[0]?.name} was read for ${length} pages each of ${cut.length} ` +
        `times, and the last ones named another.`,
      requests: lastPagesOf(cut),
    })
  return sights
}

/** Whether a list was left at a page that named another, by nothing that the client met. */
function isCut({ pages, wasRefused, isReadOn }: Walk): boolean {
  return !wasRefused && !isReadOn && pages.at(-1)?.nextPage != null
}

/**
 * Whether a walk ends at a page with fewer rows than the one before. A page that the journal has in
 * pieces is a full one.
 */
function endsShort({ pages }: Walk): boolean {
  const [before, last] = pages.slice(-2)
  if (before === undefined || typeof last?.exchange.response.body !== 'string') return false
  return (rowsOf(last) ?? Infinity) < (rowsOf(before) ?? 0)
}

/** How many rows a page has; undefined where no list is found. */
function rowsOf({ answered }: Sent): number | undefined {
  const { data } = (answered ?? {}) as { data?: unknown }
  const lists = typeof data === 'object' && data !== null ? [data, ...Object.values(data)] : []
  return (lists.find((value) => Array.isArray(value)) as unknown[] | undefined)?.length
}

/**
 * Whether the lists of a route are all cut after the same number of pages, at the pace of a
 * machine, where one request would have given as many rows.
 */
function isCapped(walks: readonly Walk[], cut: readonly Walk[]): boolean {
  const [first] = cut as [Walk]
  const { length } = first.pages
  const isOther =
    walks.some(({ pages }) => pages.length > length) ||
    cut.some((walk) => walk.pages.length !== length || isScrolled(walk))
  if (length <= pagesAhead || isOther) return false
  if (new Set(cut.map(({ pages }) => pages[0]?.target)).size < manyLists) return false
  const sizes = first.pages[0]?.route && pageSizes(first.pages[0].route)
  return sizes !== undefined && length * sizeOf(first, sizes) <= sizes.max
}

function lastPagesOf(walks: readonly Walk[]): Sent[] {
  return walks.flatMap(({ pages }) => pages.slice(-1))
}

/** Who waits so long between two pages reads them as somebody scrolls, ms. */
const scrollMs = 1000

/**
 * Whether a person reads the list, as far as they like: then the client waits for them between two
 * pages.
 */
function isScrolled({ pages }: Walk): boolean {
  return pages.some((page, index) => {
    const before = pages[index - 1]
    return before !== undefined && (waitedMs(before, page) ?? 0) >= scrollMs
  })
}

export const pageByGuess = defineRule({
  name: 'page-by-guess',
  severity: 'warning',
  mistake:
    'A page by an offset or a cursor that was built by hand and differs from what next_page said.',
  advice: 'Send _pagination.next_page as it is; of a bare offset, the same body with that offset.',
  source: 'reference §1 Response envelope: to be sent as it is',
  example: {
    wrong: 'for (let offset = 0; ; offset += 50) await get(`${url}?limit=20&offset=${offset}`)',
    right:
      'for (let page = `${url}?limit=20`; page; page = answer._pagination?.next_page) answer = ' +
      'await get(page)',
  },
  find(history) {
    // Who goes on from a row that an answer showed, such as the last one that was looked at, sends
    // what it was given.
    const built = history.walks.guesses.filter(
      ({ values }) => !values.every((value) => history.gave(value)),
    )
    return [...groupBy(built, ({ page }) => page.name).values()].map((group) => {
      const [{ page, names }] = group as [(typeof built)[number]]
      return {
        message: `${page.name} was asked with ${names.join(' and ')} that no next_page had.`,
        requests: group.map((guess) => guess.page),
      }
    })
  },
})

/** From so many pages on their size matters. */
const manyPages = 5

export const pageOfOne = defineRule({
  name: 'page-of-one',
  severity: 'hint',
  mistake: 'A list read in pages so small that it costs four times the credits, or more.',
  advice: 'Ask for the largest page that the route has when you want the whole list.',
  source: 'reference §8 Limits: each page takes a credit',
  example: {
    wrong: 'get(`/v1/${account}/posts?limit=1`) // and on, to the last page',
    right: 'get(`/v1/${account}/posts?limit=100`)',
  },
  find({ walks: { walks } }) {
    const sizes = new Map<JournalRoute, PageSizes | undefined>()
    const wasteful = walks.flatMap((walk) => {
      const [first] = walk.pages
      if (first?.route === undefined || walk.pages.length < manyPages) return []
      if (!sizes.has(first.route)) sizes.set(first.route, pageSizes(first.route))
      const known = sizes.get(first.route)
      if (known === undefined) return []
      const size = sizeOf(walk, known)
      const needed = Math.ceil((walk.pages.length * size) / known.max)
      return needed * 4 <= walk.pages.length ? [{ walk, size, needed, max: known.max }] : []
    })
    return [...groupBy(wasteful, ({ walk }) => walk.pages[0]?.name).values()].map((group) => {
      const [{ walk, size, needed, max }] = group as [(typeof wasteful)[number]]
      return {
        message:
          `${walk.pages[0]?.name} was read in ${walk.pages.length} pages of ${size}; ` +
          `pages of ${max} would take ${needed}.`,
        count: group.length,
        requests: group.flatMap((each) => each.walk.pages),
      }
    })
  },
})

/** The rows that a client asks for with each page. */
function sizeOf({ pages: [first] }: Walk, { standard }: PageSizes): number {
  const sent = first?.query.get('limit') ?? (first?.json as { limit?: unknown } | undefined)?.limit
  return sent == null ? standard : Number(sent)
}

interface PageSizes {
  standard: number
  max: number
}

/** The sizes of page that a route has; undefined where they cannot be chosen. */
function pageSizes({ query, body }: JournalRoute): PageSizes | undefined {
  for (const schema of [query, body]) {
    if (schema === null) continue
    const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Properties
    }
    const limit = properties?.['limit']
    if (limit === undefined) continue
    // A route that lowers what is too large has no maximum.
    const lowered = schema.safeParse({ limit: '1000000000' }).data as { limit?: number } | undefined
    const max = limit.maximum ?? lowered?.limit
    if (max !== undefined && max < 1e9) return { standard: Number(limit.default ?? 10), max }
  }
  return undefined
}

type Properties = Record<string, { maximum?: number; default?: unknown } | undefined>

function byRoute(walks: readonly Walk[]): Map<string, Walk[]> {
  return groupBy(walks, ({ pages }) => pages[0]?.name)
}
