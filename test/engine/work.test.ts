import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finish, inUnits, isWork, manyInUnits, sortInUnits } from '../../src/engine/work.ts'

it('sorts as toSorted does, equal rows in the order in which they came', () => {
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
  fc.assert(
    fc.property(fc.nat({ max: 5000 }), fc.integer({ min: 1, max: 50 }), (size, step) => {
      const rows = Array.from({ length: size }, (_, place) => ({ key: (place * step) % 97, place }))
      expect(finish(sortInUnits(rows, byKey))).toEqual(rows.toSorted(byKey))
    }),
    { numRuns: 20 },
  )
})

it('goes through all rows, and pauses after each unit', () => {
  const seen: number[] = []
  const work = inUnits([1, 2, 3, 4, 5], (row) => seen.push(row), 2)
  work.next()
  expect(seen).toEqual([1, 2])
  finish(work)
  expect(seen).toEqual([1, 2, 3, 4, 5])
  expect(finish(manyInUnits(3, (place) => place * 2, 1))).toEqual([0, 2, 4])
})

it('tells work from other results', () => {
  expect(
    [manyInUnits(1, Number), [], {}, null, undefined, 'text', new Map().values()].map(isWork),
  ).toEqual([true, ...Array(6).fill(false)])
})
