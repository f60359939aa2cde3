import { z } from 'zod'
import type { JournalRoute } from '../../world/journal/exchange.ts'
import { groupBy } from '../../lib/iterables.ts'
import { reportGroups } from '../report-groups.ts'
import { defineRule } from '../rule.ts'
import type { Occurrence } from '../rule.ts'
import { getDelayMs, isSentAfterResponse } from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'
import type { PagedRead } from '../paged-reads.ts'

/**
 * Minimum number of lists with the same page count before a finding is reported. Fewer may be a
 * coincidence.
 */
const manyLists = 3
/** Number of pages that a client may prefetch. */
const pagesAhead = 2

export const pageNotContinued = defineRule({
  name: 'page-not-continued',
  severity: 'hint',
  mistake:
    'A client stops reading a list at a page that has fewer rows than the previous page, ' +
    'although there is a next_page. The rule also reports a client that reads the same number ' +
    'of pages from three or more lists of a route, although each list has more pages, and a ' +
    'client that reads only the first page of a list whose hasMore is false although there is a ' +
    'next_page.',
  advice:
    'Follow _pagination.next_page until a response has no next_page. Do not use the number of ' +
    'rows or hasMore to detect the last page. To get a fixed number of rows, set limit and send one ' +
    'request. A client may stop in the middle of a list, for example when it has found the row ' +
    'that it needs.',
  source: 'reference §1 Response envelope',
  example: {
    wrong:
      'for (let page = url, count = 0; page && count < 3; count += 1) page = (await ' +
      'get(page))._pagination?.next_page',
    right:
      'for (let page = url; page; page = response._pagination?.next_page) response = ' +
      'await get(page)',
  },
  find({ pagedReads: { pagedReads }, requests }) {
    const several = pagedReads.filter(({ pages }) => pages.length > 1)
    return [
      ...[...groupByRoute(several).values()].flatMap(findAbandonedLists),
      ...findListsReadByHasMore(requests),
    ]
  },
})

/** Finds lists of one route that the client stopped reading too early. */
function findAbandonedLists(pagedReads: readonly PagedRead[]): Occurrence[] {
  const occurrences: Occurrence[] = []
  const cut = pagedReads.filter((pagedRead) => isStoppedEarly(pagedRead))
  const short = cut.filter(hasShortLastPage)
  if (short.length > 0)
    occurrences.push({
      message:
        `${short[0]?.pages[0]?.name} was read only up to a page with fewer rows than the page ` +
        'before, although it has a next_page.',
      requests: listLastPages(short),
    })
  const { length } = cut[0]?.pages ?? []
  if (cut.length - short.length >= manyLists && isCappedByPageCount(pagedReads, cut))
    occurrences.push({
      message:
        `${cut[0]?.pages[0]?.name} was read ${cut.length} times, each time for ${length} pages, ` +
        'although the last page has a next_page.',
      requests: listLastPages(cut),
    })
  return occurrences
}

/** Finds lists of which the client read only the first page, because its hasMore is false. */
function findListsReadByHasMore(requests: readonly AuditedRequest[]): Occurrence[] {
  const paged = requests.filter(({ route }) => route?.pagination !== undefined)
  const lists = groupBy(paged, ({ caller, path }) => `${caller} ${path}`)
  const first = [...lists.values()].flatMap((pages) => {
    if (pages.some(({ query }) => Number(query.get('offset')) > 0)) return []
    const page = pages.find(({ nextPage }) => nextPage !== null)
    return page?.hasInResponse('"hasMore":false') === true ? [page] : []
  })
  return [...groupBy(first, ({ name }) => name)].map(([name, group]) => ({
    message:
      `${name} was read only up to a page whose hasMore is false, although it has a next_page. ` +
      'On the first page of this list, hasMore is always false.',
    requests: group,
  }))
}

/**
 * True if the client did not read the next page, although there was one and it was not rejected.
 */
function isStoppedEarly({ pages, refusal, isReadOn }: PagedRead): boolean {
  return refusal === undefined && !isReadOn && pages.at(-1)?.nextPage != null
}

/**
 * True if the last page has fewer rows than the page before it. A body stored in chunks counts as a
 * full page.
 */
function hasShortLastPage({ pages }: PagedRead): boolean {
  const [before, last] = pages.slice(-2)
  if (before === undefined || last === undefined) return false
  return (last.responseRows ?? Infinity) < (before.responseRows ?? 0)
}

/**
 * True if all lists of a route end after the same number of pages, and one request could have
 * returned all these rows. Ignores pages that were read at the speed of a scrolling user.
 */
function isCappedByPageCount(pagedReads: readonly PagedRead[], cut: readonly PagedRead[]): boolean {
  const [first] = cut as [PagedRead]
  const { length } = first.pages
  const isOther =
    pagedReads.some(({ pages }) => pages.length > length) ||
    cut.some((pagedRead) => pagedRead.pages.length !== length || isReadLikeUser(pagedRead))
  if (length <= pagesAhead || isOther) return false
  if (new Set(cut.map(({ pages }) => pages[0]?.target)).size < manyLists) return false
  const sizes = first.pages[0]?.route && getPageSizes(first.pages[0].route)
  return sizes !== undefined && length * getRequestedSize(first, sizes) <= sizes.max
}

function listLastPages(pagedReads: readonly PagedRead[]): AuditedRequest[] {
  return pagedReads.flatMap(({ pages }) => pages.slice(-1))
}

/** If the gaps between pages are longer than this, a user may be scrolling (ms). */
const scrollMs = 1000

/** True if the client pauses between pages, like a user who scrolls through the list. */
function isReadLikeUser({ pages }: PagedRead): boolean {
  return pages.some((page, index) => {
    const before = pages[index - 1]
    return before !== undefined && (getDelayMs(before, page) ?? 0) >= scrollMs
  })
}

export const pageByGuess = defineRule({
  name: 'page-by-guess',
  severity: 'warning',
  mistake:
    'A page request whose offset or cursor was computed by the client and differs from next_page.',
  advice:
    'Send _pagination.next_page unchanged. If next_page contains only an offset, send the same ' +
    'body with that offset.',
  source: 'reference §1 Response envelope: send next_page unchanged',
  example: {
    wrong: 'for (let offset = 0; ; offset += 50) await get(`${url}?limit=20&offset=${offset}`)',
    right:
      'for (let page = `${url}?limit=20`; page; page = response._pagination?.next_page) ' +
      'response = await get(page)',
  },
  find(history) {
    // Accepts ids and times from earlier responses, because a client may continue from a row that
    // it received.
    const built = history.pagedReads.guesses.filter(
      ({ values }) => !values.every((value) => history.hasReturnedCursor(value)),
    )
    const guesses = reportGroups(
      built,
      ({ request }) => request.name,
      ({ request, names }) =>
        `${request.name} was requested with a value of ${names.join(' and ')} that no next_page ` +
        'contained.',
    )
    return [...guesses, ...findSamePages(history.requests)]
  },
})

/** Finds lists that the client requested with many values of parameters that have no effect. */
function findSamePages(requests: readonly AuditedRequest[]): Occurrence[] {
  const ignoring = requests.filter(
    ({ route, isGood, facts }) =>
      route?.pagination !== undefined && isGood && facts.ignored.length > 0,
  )
  const listIgnored = ({ facts }: AuditedRequest) => facts.ignored.map(({ name }) => name)
  const pages = groupBy(ignoring, (request) => {
    const query = new URLSearchParams(request.query)
    for (const name of listIgnored(request)) query.delete(name)
    return `${request.caller} ${request.method} ${request.path} ${query.toString()}`
  })
  return [...pages.values()].flatMap((group) => {
    if (new Set(group.map(({ target }) => target)).size < manyLists) return []
    const names = [...new Set(group.flatMap(listIgnored))].join(' and ')
    return {
      message:
        `${group[0]?.name} was requested with ${group.length} values of ${names}, which has no ` +
        'effect: each response is the same page.',
      requests: group,
    }
  })
}

export const listAbandoned = defineRule({
  name: 'list-abandoned',
  severity: 'warning',
  mistake:
    'A client stops reading a list because a further page failed, and then continues with other ' +
    'requests. The rows that it read are only a part of the list.',
  advice:
    'Repeat the failed page after a pause. If it still fails, report the failure, and do not use ' +
    'the rows as the whole list.',
  source: 'reference §7 Errors: 5xx occurs; §1 Response envelope',
  example: {
    wrong: 'for (let page = url; page; page = next) try { rows.push(…) } catch { break }',
    right: 'for (let page = url; page; page = next) rows.push(…) // an error ends the job',
  },
  find({ pagedReads: { pagedReads }, requests }) {
    const abandoned = pagedReads.flatMap(({ refusal, isReadOn }) => {
      if (refusal === undefined || isReadOn) return []
      const sent = requests.filter(({ caller }) => caller === refusal.caller)
      const later = sent.filter((request) => isSentAfterResponse(request, refusal))
      // The client may read the list again with another page size.
      const isReadAgain = later.some(({ path, isGood }) => path === refusal.path && isGood)
      const isContinued = later.some(({ path }) => path !== refusal.path)
      return isContinued && !isReadAgain && later.at(-1)?.isGood === true ? [refusal] : []
    })
    return [...groupBy(abandoned, ({ name }) => name)].map(([name, group]) => ({
      message:
        `${name} was not read to its end, because request ${group[0]?.id} failed with ` +
        `${group[0]?.status || 'no response'}. The client continued with other requests.`,
      requests: group,
    }))
  },
})

/** Minimum number of pages for a finding about the page size. */
const manyPages = 5

export const pageOfOne = defineRule({
  name: 'page-of-one',
  severity: 'hint',
  mistake: 'A list that was read in small pages, at four or more times the cost of large pages.',
  advice: 'To read a whole list, request pages of the maximum size that the route allows.',
  source: 'reference §8 Limits: each page takes a credit',
  example: {
    wrong: 'get(`/v1/${account}/posts?limit=1`) // and on, to the last page',
    right: 'get(`/v1/${account}/posts?limit=100`)',
  },
  find({ pagedReads: { pagedReads } }) {
    const sizes = new Map<JournalRoute, PageSizes | undefined>()
    const wasteful = pagedReads.flatMap((pagedRead) => {
      const [first] = pagedRead.pages
      if (first?.route === undefined || pagedRead.pages.length < manyPages) return []
      if (!sizes.has(first.route)) sizes.set(first.route, getPageSizes(first.route))
      const known = sizes.get(first.route)
      if (known === undefined) return []
      const size = getRequestedSize(pagedRead, known)
      const needed = Math.ceil((pagedRead.pages.length * size) / known.max)
      const isWaste = needed * 4 <= pagedRead.pages.length && !hasShortPages(pagedRead, size)
      return isWaste ? [{ pagedRead, size, needed, max: known.max }] : []
    })
    return [...groupBy(wasteful, ({ pagedRead }) => pagedRead.pages[0]?.name).values()].map(
      (group) => {
        const [{ pagedRead, size, needed, max }] = group as [(typeof wasteful)[number]]
        return {
          message:
            `${pagedRead.pages[0]?.name} was read in ${pagedRead.pages.length} pages of ${size}; ` +
            `pages of ${max} would take ${needed}.`,
          count: group.length,
          requests: group.flatMap((each) => each.pagedRead.pages),
        }
      },
    )
  },
})

/**
 * True if a page before the last one has fewer rows than requested. In that case, a larger page
 * size may not help.
 */
function hasShortPages({ pages }: PagedRead, size: number): boolean {
  return pages.slice(0, -1).some(({ responseRows }) => (responseRows ?? Infinity) < size)
}

/** Returns the requested page size. */
function getRequestedSize({ pages: [first] }: PagedRead, { standard }: PageSizes): number {
  const sent = first?.query.get('limit') ?? first?.facts.fields.get('limit')
  return sent == null ? standard : Number(sent)
}

interface PageSizes {
  standard: number
  max: number
}

/** Returns the page sizes of a route. Returns undefined if it has no limit parameter. */
function getPageSizes({ query, body }: JournalRoute): PageSizes | undefined {
  for (const schema of [query, body]) {
    if (schema === null) continue
    const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Properties
    }
    const limit = properties?.['limit']
    if (limit === undefined) continue
    // Parses a huge limit, because the schema of a route that lowers large limits states no
    // maximum.
    const lowered = schema.safeParse({ limit: '1000000000' }).data as { limit?: number } | undefined
    const max = limit.maximum ?? lowered?.limit
    if (max !== undefined && max < 1e9) return { standard: Number(limit.default ?? 10), max }
  }
  return undefined
}

type Properties = Record<string, { maximum?: number; default?: unknown } | undefined>

function groupByRoute(pagedReads: readonly PagedRead[]): Map<string, PagedRead[]> {
  return groupBy(pagedReads, ({ pages }) => pages[0]?.name)
}
