import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortingByKeys } from '../../src/engine/store/sort-keys.ts'
import { ascending, descending, orderBy } from '../../src/engine/store/table.ts'
import { finish } from '../../src/engine/work.ts'

interface Row {
  likes: number
  at: string
  place: number
}

const mostLiked = orderBy<Row>(
  descending((row) => row.likes),
  orderBy(
    descending((row) => row.at),
    ascending((row) => row.at.length),
  ),
)

function makeRows(size: number, { step, spread }: { step: number; spread: number }): Row[] {
  return Array.from({ length: size }, (_, place) => ({
    likes: (place * step) % spread,
    at: `2026-${String((place * step) % 89)}`,
    place,
  }))
}

it('sorts as toSorted does by the same order, equal rows in the order in which they came', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 700 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 97 }),
      (size, step, spread) => {
        const rows = makeRows(size, { step, spread })
        for (const given of [rows, rows.toSorted(mostLiked), rows.toSorted(mostLiked).toReversed()])
          expect(finish(sortingByKeys(given, mostLiked.keys ?? []))).toEqual(
            given.toSorted(mostLiked),
          )
      },
    ),
    { numRuns: 20 },
  )
})

it('says by which keys it orders, unless one of the orders does not say', () => {
  const byLikes = ascending<Row>((row) => row.likes)
  expect(mostLiked.keys?.map(({ isDescending }) => isDescending)).toEqual([true, true, false])
  expect(orderBy(byLikes, (a, b) => a.place - b.place).keys).toBeUndefined()
})

it('pauses every few thousand rows, and leaves the rows as they came', () => {
  const rows = makeRows(20_000, { step: 7919, spread: 5003 })
  const before = rows.slice()
  const work = sortingByKeys(rows, mostLiked.keys ?? [])
  let pauses = 0
  while (work.next().done !== true) pauses += 1
  expect(pauses).toBeGreaterThan(40)
  expect(rows).toEqual(before)
})
