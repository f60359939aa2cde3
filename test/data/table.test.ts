import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
} from '../../src/data/define-table.ts'
import { IndexedTable } from '../../src/data/indexed-table.ts'
import { ChangeLog } from '../../src/data/change-log.ts'
import type { Changes } from '../../src/data/change-log.ts'

const Song = z.object({
  id: z.int(),
  album: z.int().nullable(),
  title: z.string(),
  plays: z.int(),
  moods: z.array(z.string()),
})
type Song = z.infer<typeof Song>

const definition = defineTable({
  schema: Song,
  indexes: {
    byAlbum: {
      group: (song) => song.album,
      order: combineComparators(
        compareDescending((song) => song.plays),
        compareAscending((song) => song.id),
      ),
    },
    byMood: { group: (song) => song.moods, order: compareAscending((song) => song.id) },
  },
})

const song = (id: number, values: Partial<Song> = {}): Song => ({
  id,
  album: 1,
  title: `Song ${id}`,
  plays: 0,
  moods: [],
  ...values,
})
const createTable = (...songs: Song[]) => {
  const table = new IndexedTable('songs', definition)
  for (const each of songs) table.insert(each)
  return table
}
const idsOf = (rows: readonly Song[]) => rows.map(({ id }) => id)

it('ignores an update that changes nothing', () => {
  const table = createTable(song(1, { moods: ['calm'] }))
  const told: unknown[] = []
  table.onChange((before, after) => told.push([before, after]))
  const { version } = table
  const row = table.get(1)
  expect(table.update(1, { plays: 0, title: 'Song 1', moods: row?.moods ?? [] })).toBe(row)
  expect([table.version === version, told]).toEqual([true, []])
})

it('adds a complete record unchanged, unless its id is taken or too large', () => {
  const table = createTable(song(1))
  const added = song(2, { moods: ['calm'] })
  expect(table.add(added)).toBe(added)
  expect([table.get(2), Object.isFrozen(added), Object.isFrozen(added.moods)]).toEqual([
    added,
    true,
    true,
  ])
  expect(table.in('byAlbum', 1).size).toBe(2)
  expect(() => table.add(song(2))).toThrow('the id 2 is taken')
  expect(() => table.add(song(9_000_000_000_000_001))).toThrow('it must be at most')
})

it('fills in the default of a field that an insert leaves out, and rejects an update to undefined', () => {
  const rated = defineTable({ schema: Song.extend({ rating: z.int().default(3) }), indexes: {} })
  const table = new IndexedTable<
    z.output<typeof rated.schema>,
    never,
    z.input<typeof rated.schema>
  >('songs', rated)
  expect(table.insert(song(1))).toMatchObject({ id: 1, rating: 3 })
  table.update(1, { rating: 5 })
  expect(() => table.update(1, { rating: undefined })).toThrow(
    'Failed to update songs (rating): it is undefined. Leave the field out, or set a value.',
  )
  expect(table.get(1)?.rating).toBe(5)
})

it('stores a changed record with all its fields, even if the schema allows missing ones', () => {
  const schema = z.object({
    id: z.int(),
    note: z.string().optional(),
    plays: z.int().default(0),
    moods: z.array(z.string()).default([]),
  })
  const table = new IndexedTable('songs', defineTable({ schema, indexes: {} }))
  // Records from other sources may lack defaults and have their fields in any order.
  table.load([{ moods: [], id: 1 } as never, { id: 2, plays: 1, moods: [] }])
  expect(JSON.stringify(table.update(1, { moods: ['calm'] }))).toBe(
    '{"id":1,"plays":0,"moods":["calm"]}',
  )
  expect(JSON.stringify(table.update(2, { plays: 2 }))).toBe('{"id":2,"plays":2,"moods":[]}')
  expect(JSON.stringify(table.update(2, { note: 'live' }))).toBe(
    '{"id":2,"note":"live","plays":2,"moods":[]}',
  )
  const moods = ['loud']
  const changed = table.update(2, { moods })
  expect(Object.isFrozen(changed) && Object.isFrozen(changed.moods)).toBe(true)
  expect(() => table.update(2, { plays: 0.5 })).toThrow(
    'Failed to update songs: plays: Invalid input: expected int, received number.',
  )
})

it('checks a rule about several fields if any of them changes', () => {
  const schema = z
    .object({ id: z.int(), from: z.int(), to: z.int() })
    .refine(({ from, to }) => from <= to, { error: 'it ends before it begins' })
  const table = new IndexedTable('spans', { schema, indexes: {} })
  table.insert({ id: 1, from: 1, to: 3 })
  expect(() => table.update(1, { from: 4 })).toThrow('it ends before it begins')
})

it('updates many records at once, and none if one of them does not exist', () => {
  const ids = Array.from({ length: 40 }, (_, place) => place + 1)
  const table = createTable(...ids.map((id) => song(id, { moods: ['calm'] })))
  const before = table.in('byMood', 'calm')
  const told: number[] = []
  table.onChange((_before, after) => told.push(after?.id ?? 0))
  table.updateMany(ids.map((id) => [id, id <= 20 ? { plays: id } : { moods: ['night'] }]))
  expect(idsOf(table.in('byAlbum', 1).slice(0, 3))).toEqual([20, 19, 18])
  expect(idsOf(table.in('byMood', 'calm').slice())).toEqual(ids.slice(0, 20))
  expect(idsOf(table.in('byMood', 'night').slice())).toEqual(ids.slice(20))
  expect([before.size, told]).toEqual([40, ids])
  const updates = [
    [1, { plays: 7 }],
    [99, { plays: 7 }],
  ] as const
  expect(() => table.updateMany(updates)).toThrow('Failed to update songs: there is no record')
  expect(table.get(1)?.plays).toBe(1)
  table.updateMany([
    [1, { plays: 8 }],
    [1, { moods: ['rain'] }],
  ])
  expect(table.in('byMood', 'rain').slice()).toEqual([song(1, { plays: 8, moods: ['rain'] })])
})

it('has indexes that match its records after any writes, rollbacks, snapshots and restores', () => {
  const changes: Changes = { count: 0 }
  const fields = fc.record({
    album: fc.option(fc.integer({ min: 1, max: 3 })),
    plays: fc.integer({ min: 0, max: 5 }),
    moods: fc.uniqueArray(fc.constantFrom('calm', 'night', 'rain')),
  })
  const write = fc.record({
    does: fc.constantFrom('put', 'put', 'put', 'put many', 'remove', 'remove many', 'attempt'),
    id: fc.integer({ min: 1, max: 60 }),
    fields,
  })
  const step = fc.oneof({ weight: 40, arbitrary: write }, fc.constantFrom('read', 'keep', 'return'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const table = new IndexedTable('songs', definition, { changes })
      let kept = table.snapshot()
      for (const each of steps) {
        if (each === 'read') expect(shown(table)).toEqual(shown(createTable(...table.all())))
        else if (each === 'keep') kept = table.snapshot()
        else if (each === 'return') table.restore(kept)
        else if (each.does === 'remove') table.remove(each.id)
        else if (each.does === 'remove many')
          table.removeMany([each.id, each.id + 1, each.id + 3, each.id])
        else if (each.does === 'put many')
          table.updateMany(table.all().map(({ id }) => [id, id % 3 === 0 ? each.fields : {}]))
        else if (each.does === 'put') table.put(song(each.id, each.fields))
        else {
          const [{ version }, before] = [table, shown(table)]
          changes.undo = []
          table.put(song(each.id, each.fields))
          table.remove((each.id % 7) + 1)
          for (const undo of changes.undo.toReversed()) undo()
          delete changes.undo
          expect([table.version === version, shown(table)]).toEqual([true, before])
        }
      }
      expect(shown(table)).toEqual(shown(createTable(...table.all())))
    }),
    { numRuns: 30 },
  )
})

const shown = (table: ReturnType<typeof createTable>) => [
  ...[1, 2, 3].map((album) => table.in('byAlbum', album).slice()),
  ...['calm', 'night', 'rain'].map((mood) => table.in('byMood', mood).slice()),
]

it('reads each of many updated records a few times, without validating it or logging all of them', () => {
  const [parse, now] = [vi.spyOn(Song.shape.moods, 'safeParse'), vi.fn(() => 0)]
  onTestFinished(() => void parse.mockRestore())
  const changeLog = new ChangeLog(now)
  const table = new IndexedTable('songs', definition, { changes: { count: 0, changeLog } })
  table.load(Array.from({ length: 20_000 }, (_, place) => song(place + 1, { moods: ['calm'] })))
  table.updateMany(table.all().map(({ id }) => [id, { moods: [] }]))
  expect(table.where(({ moods }) => moods.length > 0)).toEqual([])
  expect([parse.mock.calls.length, changeLog.last]).toEqual([0, 20_000])
  // The log keeps the changes of at most 2,000 records.
  expect(now.mock.calls.length).toBeLessThan(2_010)
  expect(changeLog.listChanges('songs', 20_000)).toMatchObject([{ fields: ['moods'] }])
  expect(changeLog.listFieldsSince(0, 'songs', 1)).toBeNull()
})

it('keeps only one earlier version of a record for an index that is not read', () => {
  let count = 0
  const group = ({ album }: Song) => {
    count += 1
    return album
  }
  const counted = { ...definition, indexes: { byAlbum: { ...definition.indexes.byAlbum, group } } }
  const table = new IndexedTable('songs', counted)
  table.load([song(1), song(2)])
  table.in('byAlbum', 1)
  count = 0
  for (let plays = 1; plays <= 500; plays += 1) table.update(1 + (plays % 2), { plays })
  expect(table.in('byAlbum', 1).slice()).toEqual([table.get(1), table.get(2)])
  // Each of the two records is compared with its version of the last read.
  expect(count).toBe(4)
})

it('builds an index once for all tables that share a snapshot', () => {
  let looks = 0
  const counted = defineTable({
    schema: Song,
    indexes: {
      byAlbum: { group: ({ album }) => (looks++, album), order: compareAscending(({ id }) => id) },
    },
  })
  const [first, second, third] = [1, 2, 3].map(() => new IndexedTable('songs', counted)) as [
    IndexedTable<Song>,
    IndexedTable<Song>,
    IndexedTable<Song>,
  ]
  first.load([song(2), song(1)])
  const snapshot = first.snapshot()
  for (const table of [second, third]) table.restore(snapshot)
  const albums = () => [first, second, third].map((table) => idsOf(table.in('byAlbum', 1).slice()))
  expect(albums()).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  expect(looks).toBe(2)
  second.remove(1)
  third.insert(song(3))
  expect(albums()).toEqual([[1, 2], [2], [1, 2, 3]])
})

it('rejects fields that its records do not have', () => {
  const table = createTable(song(1))
  const misspelt = { titel: 'Other' } as Partial<Song>
  expect(() => table.update(1, misspelt)).toThrow(
    'Failed to update songs (titel): there is no such field. The fields are id, album, title, ' +
      'plays, moods.',
  )
  expect(() => table.where(misspelt)).toThrow('Failed to search songs (titel)')
  expect(() => table.find(misspelt)).toThrow('Failed to search songs (titel)')
})
