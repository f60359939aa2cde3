import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPage, readIterablePage } from '../../src/api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../src/api/lists/paging.ts'

/** Collects the rows of all pages by following `next`. */
function walkPages<Row>(read: (query: PageQuery) => ListPage<Row>, limit: number): Row[] {
  const rows: Row[] = []
  for (let next: PageQuery['offset'] | undefined = 0; next !== undefined;) {
    const page: ListPage<Row> = read({ offset: next, limit })
    expect(page.rows.length).toBeLessThanOrEqual(limit)
    expect(page.hasMore).toBe(page.next !== null)
    rows.push(...page.rows)
    next = page.next?.offset
  }
  return rows
}

it('returns all rows of a slice of a list once, in order, for any page size', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 60 }),
      fc.nat({ max: 70 }),
      fc.nat({ max: 70 }),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (size, a, b, limit, backwards) => {
        const all = Array.from({ length: size }, (_, place) => place)
        const [from, to] = [Math.min(a, b, size), Math.min(Math.max(a, b), size)]
        const part = all.slice(from, to)
        expect(walkPages((query) => readPage(all, query, { from, to, backwards }), limit)).toEqual(
          backwards ? part.toReversed() : part,
        )
        expect(walkPages((query) => readIterablePage(part, query), limit)).toEqual(part)
      },
    ),
  )
})

it.each([
  ['past the end', { offset: 9, limit: 2 }, {}],
  ['past the start of a list read backwards', { offset: 9, limit: 2 }, { backwards: true }],
  ['of a slice that ends before it starts', { offset: 0, limit: 2 }, { from: 2, to: 1 }],
])('returns an empty last page %s', (_where, query, part) => {
  expect(readPage(['a', 'b', 'c'], query, part)).toEqual({ rows: [], hasMore: false, next: null })
})

it('does not read beyond the first row after the page', () => {
  let walked = 0
  const rows = (function* () {
    for (; ; walked += 1) yield walked
  })()
  expect(readIterablePage(rows, { offset: 3, limit: 2 })).toEqual({
    rows: [3, 4],
    hasMore: true,
    next: { offset: 5 },
  })
  expect(walked).toBe(5)
})
