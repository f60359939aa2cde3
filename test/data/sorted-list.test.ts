import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SortedList } from '../../src/data/sorted-list.ts'

interface Row {
  rank: number
  id: number
}

const compare = (a: Row, b: Row) => a.rank - b.rank || a.id - b.id
const rowsOf = (ranks: readonly number[]) => ranks.map((rank, id) => ({ rank, id }))
const manyRanks = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 2000, size: 'max' })

it('equals a sorted array after any inserts and removals, and leaves earlier lists unchanged', () => {
  fc.assert(
    fc.property(manyRanks, fc.array(fc.nat(), { maxLength: 300 }), (ranks, picks) => {
      const rows = rowsOf(ranks)
      let list = SortedList.from<Row>([], compare)
      let model: Row[] = []
      for (const row of rows) {
        list = list.with(row)
        model.push(row)
        // Cached ranks must stay correct after later changes.
        if (row.id % 100 === 0) expect(list.at(list.size - 1)).toBe(model.toSorted(compare).at(-1))
      }
      const full = list
      for (const pick of picks) {
        const row = rows[pick % Math.max(rows.length, 1)]
        if (row === undefined) continue
        list = list.without(row)
        model = model.filter((other) => other !== row)
      }
      expect(list.slice()).toEqual(model.toSorted(compare))
      expect(Array.from({ length: list.size }, (_, rank) => list.at(rank))).toEqual(
        model.toSorted(compare),
      )
      expect(Array.from({ length: full.size }, (_, rank) => full.at(rank))).toEqual(
        rows.toSorted(compare),
      )
    }),
    { numRuns: 20 },
  )
})

it('replaces, removes and adds many rows at once, and leaves earlier lists unchanged', () => {
  fc.assert(
    fc.property(manyRanks, fc.array(fc.nat(), { maxLength: 200 }), (ranks, picks) => {
      const rows = rowsOf(ranks)
      const list = SortedList.from<Row>(rows, compare)
      const replacements = new Map<Row, Row>()
      const removed = new Set<Row>()
      const added: Row[] = []
      for (const pick of picks) {
        const row = rows[pick % Math.max(rows.length, 1)]
        if (row === undefined) continue
        if (pick % 2 === 0) removed.add(row)
        else replacements.set(row, { ...row })
        if (pick % 3 === 0) added.push({ ...row })
      }
      const changed = list.changing(replacements, removed, added)
      const expected = rows
        .toSorted(compare)
        .filter((row) => !removed.has(row))
        .map((row) => replacements.get(row) ?? row)
        .concat(added)
        .toSorted(compare)
      expect(changed.slice()).toEqual(expected)
      expect([...changed.walk(changed.size - 1, true)]).toEqual(expected.toReversed())
      expect(list.slice()).toEqual(rows.toSorted(compare))
    }),
    { numRuns: 30 },
  )
})

it('finds positions by rank from both ends', () => {
  fc.assert(
    fc.property(
      manyRanks,
      fc.integer({ min: -1, max: 51 }),
      fc.nat({ max: 2100 }),
      (ranks, bound, place) => {
        const rows = rowsOf(ranks)
        const sorted = rows.toSorted(compare)
        const list = SortedList.from(rows, compare)
        expect(list.findPartitionPoint((row) => row.rank >= bound)).toBe(
          sorted.filter((row) => row.rank < bound).length,
        )
        expect(list.first((row) => row.rank >= bound)).toEqual(
          sorted.find((row) => row.rank >= bound),
        )
        expect(list.at(place)).toEqual(sorted[place])
        expect(list.slice(place, place + 10)).toEqual(sorted.slice(place, place + 10))
        for (const row of rows.slice(0, 5)) expect(list.findRank(row)).toBe(sorted.indexOf(row))
      },
    ),
    { numRuns: 50 },
  )
})

it('replaces a row that compares as equal, and leaves earlier lists unchanged', () => {
  fc.assert(
    fc.property(manyRanks, fc.array(fc.nat(), { maxLength: 50 }), (ranks, picks) => {
      const rows = rowsOf(ranks)
      const full = SortedList.from<Row>(rows, compare)
      let [list, model] = [full, rows.toSorted(compare)]
      for (const pick of picks) {
        const row = model[pick % Math.max(model.length, 1)]
        if (row === undefined) continue
        const other = { ...row }
        list = list.replacing(row, other)
        model = model.map((each) => (each === row ? other : each))
        expect(list.at(model.indexOf(other))).toBe(other)
      }
      expect(list.slice()).toEqual(model)
      expect([full.slice(), list.replacing({ rank: -1, id: -1 }, { rank: -1, id: -1 })]).toEqual([
        rows.toSorted(compare),
        list,
      ])
    }),
    { numRuns: 20 },
  )
})
