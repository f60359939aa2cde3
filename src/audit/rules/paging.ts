import { z } from 'zod'
import type { JournalRoute } from '../../engine/journal.ts'
import { groupBy } from '../group.ts'
import { defineRule } from '../rule.ts'
import { waitedMs } from '../sent.ts'
import type { Walk } from '../walks.ts'

export const pageNotContinued = defineRule({
  name: 'page-not-continued',
  severity: 'hint',
  mistake: 'A list whose second page was read and whose end was not.',
  advice: 'Follow _pagination.next_page until an answer has none. Who wants only so many rows asks for so many at once with limit.',
  source: 'reference §1 Response envelope',
  example: {
    wrong: 'const first = await get(url); const second = await get(first._pagination.next_page)',
    right: 'for (let page = url; page; page = answer._pagination?.next_page) answer = await get(page)',
  },
  *find({ walks: { walks } }) {
    const cut = walks.filter(
      (walk) => walk.pages.length > 1 && !walk.wasRefused && !walk.isReadOn && walk.pages.at(-1)?.nextPage != null && !isScrolled(walk),
    )
    for (const group of byRoute(cut).values()) {
      const [{ pages }] = group as [Walk]
      yield {
        message: `${pages[0]?.name} was read for ${pages.length} pages, and the last one named another.`,
        count: group.length,
        requests: group.flatMap((walk) => walk.pages.slice(-1)),
      }
    }
  },
})

/** Who waits so long between two pages reads them as somebody scrolls, ms. */
const scrollMs = 1000

/** Whether a person reads the list, as far as they like: then the client waits for them between two pages. */
function isScrolled({ pages }: Walk): boolean {
  return pages.some((page, index) => {
    const before = pages[index - 1]
    return before !== undefined && (waitedMs(before, page) ?? 0) >= scrollMs
  })
}

export const pageByGuess = defineRule({
  name: 'page-by-guess',
  severity: 'warning',
  mistake: 'A page by an offset or a cursor that was built by hand and differs from what next_page said.',
  advice: 'Send _pagination.next_page as it is; of a bare offset, the same body with that offset.',
  source: 'reference §1 Response envelope: to be sent as it is',
  example: {
    wrong: 'for (let offset = 0; ; offset += 50) await get(`${url}?limit=20&offset=${offset}`)',
    right: 'for (let page = `${url}?limit=20`; page; page = answer._pagination?.next_page) answer = await get(page)',
  },
  *find({ walks: { guesses } }) {
    for (const group of groupBy(guesses, ({ page }) => page.name).values()) {
      const [{ page, names }] = group as [(typeof guesses)[number]]
      yield {
        message: `${page.name} was asked with ${names.join(' and ')} that no next_page had.`,
        requests: group.map((guess) => guess.page),
      }
    }
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
  example: { wrong: 'get(`/v1/${account}/posts?limit=1`) // and on, to the last page', right: 'get(`/v1/${account}/posts?limit=100`)' },
  *find({ walks: { walks } }) {
    const sizes = new Map<JournalRoute, PageSizes | undefined>()
    const wasteful = walks.flatMap((walk) => {
      const [first] = walk.pages
      if (first?.route === undefined || walk.pages.length < manyPages) return []
      if (!sizes.has(first.route)) sizes.set(first.route, pageSizes(first.route))
      const known = sizes.get(first.route)
      if (known === undefined) return []
      const sent = first.query.get('limit') ?? (first.json as { limit?: unknown } | undefined)?.limit
      const size = sent == null ? known.standard : Number(sent)
      const needed = Math.ceil((walk.pages.length * size) / known.largest)
      return needed * 4 <= walk.pages.length ? [{ walk, size, needed, largest: known.largest }] : []
    })
    for (const group of groupBy(wasteful, ({ walk }) => walk.pages[0]?.name).values()) {
      const [{ walk, size, needed, largest }] = group as [(typeof wasteful)[number]]
      yield {
        message: `${walk.pages[0]?.name} was read in ${walk.pages.length} pages of ${size}; pages of ${largest} would take ${needed}.`,
        count: group.length,
        requests: group.flatMap((each) => each.walk.pages),
      }
    }
  },
})

interface PageSizes {
  standard: number
  largest: number
}

/** The sizes of page that a route has; undefined where they cannot be chosen. */
function pageSizes({ query, body }: JournalRoute): PageSizes | undefined {
  for (const schema of [query, body]) {
    if (schema === null) continue
    const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: Properties }
    const limit = properties?.['limit']
    if (limit === undefined) continue
    // A route that lowers what is too large has no maximum.
    const lowered = schema.safeParse({ limit: '1000000000' }).data as { limit?: number } | undefined
    const largest = limit.maximum ?? lowered?.limit
    if (largest !== undefined && largest < 1e9) return { standard: Number(limit.default ?? 10), largest }
  }
  return undefined
}

type Properties = Record<string, { maximum?: number; default?: unknown } | undefined>

function byRoute(walks: readonly Walk[]): Map<string, Walk[]> {
  return groupBy(walks, ({ pages }) => pages[0]?.name)
}
