import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SortedList } from '../../src/data/sorted-list.ts'
import { foldCase } from '../../src/lib/text.ts'
import { TextSearch } from '../../src/data/text-search.ts'

interface Row {
  id: number
  text: string
}

const byId = (a: Row, b: Row) => a.id - b.id
const listOf = (texts: readonly string[]) =>
  SortedList.from(
    texts.map((text, id) => ({ id, text })),
    byId,
  )
const createSearch = () => new TextSearch<Row>((row) => row.text)
const idsOf = (rows: Iterable<Row>) => [...rows].map(({ id }) => id)

it('finds the same rows as a full scan, from any position and in both directions', () => {
  // Texts that use only a few letters, so that searches have many matches, often across two texts.
  // Some letters change their length in lower case.
  const text = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'İ', 'ß', 's', 'Σ', 'ς', '😀', '\n', '\0'),
    maxLength: 6,
  })
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 700, size: 'max' }),
      text,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      (texts, part, share, backwards) => {
        const rows = listOf(texts)
        const from = Math.floor(share * rows.size)
        const expected = [...rows.walk(from, backwards)].filter((row) =>
          foldCase(row.text).includes(foldCase(part)),
        )
        expect(idsOf(createSearch().walk(rows, part, from, backwards))).toEqual(idsOf(expected))
      },
    ),
  )
})

it('finds rows that changed since the last search, and the old rows in an older list', () => {
  const search = createSearch()
  const before = listOf(Array.from({ length: 1500 }, (_, id) => `Post ${id}`))
  expect(idsOf(search.walk(before, 'post 70'))).toEqual([
    70, 700, 701, 702, 703, 704, 705, 706, 707, 708, 709,
  ])
  const [old] = search.walk(before, 'post 706')
  const after = old === undefined ? before : before.replacing(old, { id: 706, text: 'Rewritten' })
  expect(idsOf(search.walk(after, 'post 706'))).toEqual([])
  expect(idsOf(search.walk(after, 'rewritten'))).toEqual([706])
  expect(idsOf(search.walk(before, 'rewritten'))).toEqual([])
})

it('reads each text only once for any number of searches', () => {
  let reads = 0
  const search = new TextSearch<Row>((row) => {
    reads += 1
    return row.text
  })
  const rows = listOf(Array.from({ length: 1000 }, (_, id) => `Post ${id}`))
  for (const part of ['999', 'nothing', 'post'])
    expect([...search.walk(rows, part)].length).toBeLessThanOrEqual(1000)
  expect(reads).toBe(1000)
})
