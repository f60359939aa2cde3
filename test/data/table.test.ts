import { Collection } from '@msw/data'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ascending, defineTable, descending, orderBy, Table } from '../../src/data/table.ts'
import type { Changes } from '../../src/data/table-index.ts'

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
      order: orderBy(
        descending((song) => song.plays),
        ascending((song) => song.id),
      ),
    },
    byMood: { group: (song) => song.moods, order: ascending((song) => song.id) },
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
  const table = new Table('songs', definition)
  for (const each of songs) table.insert(each)
  return table
}
const idsOf = (rows: readonly Song[]) => rows.map(({ id }) => id)

it('makes the schema of its records when one first needs it', () => {
  let made = 0
  const schema = z.lazy(() => {
    made += 1
    return Song
  })
  const table = new Table('songs', defineTable({ schema, indexes: {} }))
  table.load([song(2), song(1)])
  expect(table.knownSize).toBe(2)
  expect(made).toBe(0)
  expect(idsOf(table.all())).toEqual([1, 2])
  table.insert(song(3))
  expect(made).toBe(1)
})

it('relies on the library handing out its live array', () => {
  const collection = new Collection({ schema: Song })
  collection.all().push(song(1) as never)
  expect(collection.count()).toBe(1)
  expect(collection.findFirst((query) => query.where({ id: 1 }))?.title).toBe('Song 1')
})

it('keeps records in the order of their ids, whatever the order of the inserts', () => {
  expect(idsOf(createTable(song(3), song(1), song(2)).all())).toEqual([1, 2, 3])
})

it('rejects a second record with the same id and keeps the first', () => {
  const table = createTable(song(1))
  expect(() => table.insert(song(1, { title: 'Other' }))).toThrow('the id 1 is taken')
  expect(table.get(1)?.title).toBe('Song 1')
})

it('puts a record where there is none of its id, or in the place of that one', () => {
  const table = createTable(song(1))
  table.put(song(2, { album: 7 }))
  table.put(song(1, { album: 7, plays: 3 }))
  expect(idsOf(table.in('byAlbum', 7).slice())).toEqual([1, 2])
  expect(table.size).toBe(2)
})

it('rejects records that do not fit the schema, on insert and on update, and changes nothing', () => {
  const table = createTable(song(1))
  expect(() => table.insert(song(2, { plays: 0.5 }))).toThrow('Failed to insert into songs: plays')
  expect(() => table.update(1, { plays: -0.5 })).toThrow('Failed to update songs: plays')
  expect(() => table.update(9, {})).toThrow('there is no record with the id 9')
  expect(table.all()).toEqual([song(1)])
})

it('takes an update that changes nothing for none', () => {
  const table = createTable(song(1, { moods: ['calm'] }))
  const told: unknown[] = []
  table.watch({ change: (before, after) => told.push([before, after]) })
  const { token } = table
  const row = table.get(1)
  expect(table.update(1, { plays: 0, title: 'Song 1', moods: row?.moods ?? [] })).toBe(row)
  expect([table.token === token, told]).toEqual([true, []])
})

it('adds a whole record as it is, unless its id is taken or too large', () => {
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

it('fills in the default of a field that an insert leaves out, and refuses an update to undefined', () => {
  const rated = defineTable({ schema: Song.extend({ rating: z.int().default(3) }), indexes: {} })
  const table = new Table<z.output<typeof rated.schema>, never, z.input<typeof rated.schema>>(
    'songs',
    rated,
  )
  expect(table.insert(song(1))).toMatchObject({ id: 1, rating: 3 })
  table.update(1, { rating: 5 })
  expect(() => table.update(1, { rating: undefined })).toThrow(
    'Failed to update songs (rating): it is undefined. Leave the field out, or give it a value.',
  )
  expect(table.get(1)?.rating).toBe(5)
})

it('freezes what it stores, down to nested values', () => {
  const stored = createTable(song(1, { moods: ['calm'] })).get(1)
  expect(() => Object.assign(stored ?? {}, { title: 'Changed' })).toThrow(TypeError)
  expect(() => stored?.moods.push('loud')).toThrow(TypeError)
})

it('writes a changed record as if all of it were new, whatever its schema lets it lack', () => {
  const schema = z.object({
    id: z.int(),
    note: z.string().optional(),
    plays: z.int().default(0),
    moods: z.array(z.string()).default([]),
  })
  const table = new Table('songs', defineTable({ schema, indexes: {} }))
  // Records that come from elsewhere may lack a default, and have their fields in any order.
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

it('checks a rule over several fields whichever of them changes', () => {
  const schema = z
    .object({ id: z.int(), from: z.int(), to: z.int() })
    .refine(({ from, to }) => from <= to, { error: 'it ends before it begins' })
  const table = new Table('spans', { schema, indexes: {}, containers: [] })
  table.insert({ id: 1, from: 1, to: 3 })
  expect(() => table.update(1, { from: 4 })).toThrow('it ends before it begins')
})

it('keeps every write of many in a row', () => {
  const table = createTable(song(1))
  for (let count = 0; count < 10; count += 1)
    table.update(1, { plays: (table.get(1)?.plays ?? 0) + 1 })
  expect(table.get(1)?.plays).toBe(10)
})

it('reads groups in the order of the index, through inserts, updates and removals', () => {
  const table = createTable(
    song(1, { plays: 5 }),
    song(2, { plays: 9 }),
    song(3, { album: 2 }),
    song(4, { album: null }),
  )
  expect(idsOf(table.in('byAlbum', 1).slice())).toEqual([2, 1])
  table.update(1, { plays: 10 })
  table.update(3, { album: 1 })
  expect(idsOf(table.in('byAlbum', 1).slice())).toEqual([1, 2, 3])
  expect(table.in('byAlbum', 2).size).toBe(0)
  table.remove(2)
  expect(idsOf(table.in('byAlbum', 1).slice())).toEqual([1, 3])
})

it('shows in its indexes what it holds, whenever they are read between however many writes, snapshots and ways back', () => {
  const fields = fc.record({
    album: fc.option(fc.integer({ min: 1, max: 3 })),
    plays: fc.integer({ min: 0, max: 5 }),
    moods: someMoods,
  })
  const write = fc.record({
    does: fc.constantFrom('put', 'put', 'put', 'remove'),
    id: fc.integer({ min: 1, max: 60 }),
    fields,
  })
  const step = fc.oneof({ weight: 40, arbitrary: write }, fc.constantFrom('read', 'keep', 'return'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const table = createTable()
      let kept = table.snapshot()
      for (const each of steps) {
        if (each === 'read') expect(shown(table)).toEqual(shown(createTable(...table.all())))
        else if (each === 'keep') kept = table.snapshot()
        else if (each === 'return') table.restore(kept)
        else if (each.does === 'remove') table.remove(each.id)
        else table.put(song(each.id, each.fields))
      }
      expect(shown(table)).toEqual(shown(createTable(...table.all())))
    }),
    { numRuns: 30 },
  )
})

const someMoods = fc.uniqueArray(fc.constantFrom('calm', 'night', 'rain'))
const shown = (table: ReturnType<typeof createTable>) => [
  ...[1, 2, 3].map((album) => table.in('byAlbum', album).slice()),
  ...['calm', 'night', 'rain'].map((mood) => table.in('byMood', mood).slice()),
]

it('finds a record in every group that it belongs to', () => {
  const table = createTable(song(1, { moods: ['calm', 'night'] }), song(2, { moods: ['night'] }))
  expect(idsOf(table.in('byMood', 'night').slice())).toEqual([1, 2])
  table.update(1, { moods: ['calm'] })
  expect(idsOf(table.in('byMood', 'night').slice())).toEqual([2])
})

it('goes back to a snapshot, indexes included, without copying records', () => {
  const table = createTable(song(1), song(2))
  table.in('byAlbum', 1)
  const first = table.get(1)
  const snapshot = table.snapshot()
  table.update(1, { plays: 3 })
  table.remove(2)
  table.insert(song(5))
  table.restore(snapshot)
  expect(table.get(1)).toBe(first)
  expect(idsOf(table.all())).toEqual([1, 2])
  expect(idsOf(table.in('byAlbum', 1).slice())).toEqual([1, 2])
})

it('shares a snapshot with another table without either seeing the writes of the other', () => {
  const [table, twin] = [createTable(song(1), song(2)), createTable()]
  table.in('byAlbum', 1)
  twin.restore(table.snapshot())
  table.update(1, { album: 7 })
  twin.remove(2)
  expect(idsOf(table.in('byAlbum', 1).slice())).toEqual([2])
  expect(idsOf(twin.in('byAlbum', 1).slice())).toEqual([1])
  expect(idsOf(table.all())).toEqual([1, 2])
})

it('builds an index once for all tables that hold the same records, whoever looks first', () => {
  let looks = 0
  const counted = defineTable({
    schema: Song,
    indexes: {
      byAlbum: { group: ({ album }) => (looks++, album), order: ascending(({ id }) => id) },
    },
  })
  const [first, second, third] = [1, 2, 3].map(() => new Table('songs', counted)) as [
    Table<Song>,
    Table<Song>,
    Table<Song>,
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
  for (const table of [second, third]) table.restore(snapshot)
  expect(albums()).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
  expect(looks).toBe(4)
})

it('finds by pattern and by predicate', () => {
  const table = createTable(song(1, { plays: 4 }), song(2, { album: 2 }), song(3, { plays: 4 }))
  expect(idsOf(table.where({ plays: 4 }))).toEqual([1, 3])
  expect(table.find((each) => each.album === 2)?.id).toBe(2)
  expect(table.find({ title: 'None' })).toBeUndefined()
})

it('tells its watchers of every change and of loads', () => {
  const table = createTable()
  const seen: string[] = []
  table.watch({
    change: (before, after) => seen.push(`${before?.plays}>${after?.plays}`),
    load: () => seen.push(`load ${table.size}`),
  })
  table.insert(song(1))
  table.update(1, { plays: 2 })
  table.remove(1)
  table.load([song(1), song(2)])
  expect(seen).toEqual(['undefined>0', '0>2', '2>undefined', 'load 2'])
})

const Album = z.object({ id: z.int(), plays: z.int() })
const albums = defineTable({
  schema: Album,
  indexes: { byPlays: { group: () => 'all', order: descending((album) => album.plays) } },
})

/**
 * Songs, and the albums that a watcher derives from them; `builds` counts how often they were built
 * anew.
 */
function createDerived(
  rows: Song[],
  onChange: (derived: Table<z.infer<typeof Album>>) => void = () => {},
) {
  const [songs, derived] = [new Table('songs', definition), new Table('albums', albums)]
  const builds = { count: 0 }
  songs.watch({ change: () => onChange(derived) })
  const playsOf = (album: number) =>
    songs
      .in('byAlbum', album)
      .slice()
      .reduce((sum, { plays }) => sum + plays, 0)
  derived.derive(() => {
    builds.count += 1
    return [...new Set(songs.all().flatMap(({ album }) => album ?? []))].map((id) => ({
      id,
      plays: playsOf(id),
    }))
  })
  songs.watch({
    keeps: derived,
    change(before, after) {
      const id = (after ?? before)?.album ?? 0
      const plays = (derived.get(id)?.plays ?? 0) + (after?.plays ?? 0) - (before?.plays ?? 0)
      if (derived.get(id) === undefined) derived.insert({ id, plays })
      else derived.update(id, { plays })
    },
  })
  songs.load(rows)
  return { songs, derived, builds }
}

it('builds a derived table when somebody looks, and keeps it up to date from then on', () => {
  const { songs, derived, builds } = createDerived([song(1, { plays: 2 }), song(2, { plays: 3 })])
  songs.update(1, { plays: 4 })
  expect(builds.count).toBe(0)
  expect(derived.get(1)).toEqual({ id: 1, plays: 7 })
  songs.update(2, { plays: 5 })
  songs.insert(song(3, { album: 2, plays: 1 }))
  expect(derived.in('byPlays', 'all').slice()).toEqual([
    { id: 1, plays: 9 },
    { id: 2, plays: 1 },
  ])
  expect(builds.count).toBe(1)
})

it('lets a derived table take changes when somebody looks, many at once, and what may be taken back at once', () => {
  const changes: Changes = { count: 0 }
  const [songs, derived] = [
    new Table('songs', definition, { changes }),
    new Table('albums', albums, { changes }),
  ]
  const taken: number[] = []
  derived.derive(() => [])
  songs.watch(
    derived.following<Song>((moves) => {
      taken.push(moves.length)
      for (const { before, after } of moves) {
        const id = (after ?? before)?.album ?? 0
        derived.put({
          id,
          plays: (derived.get(id)?.plays ?? 0) + (after?.plays ?? 0) - (before?.plays ?? 0),
        })
      }
    }),
  )
  expect(derived.size).toBe(0)
  songs.insert(song(1, { plays: 2 }))
  songs.insert(song(2, { plays: 3 }))
  const { version } = derived
  songs.update(2, { plays: 5 })
  expect([taken, derived.version === version]).toEqual([[], false])

  const { count } = changes
  expect(derived.get(1)).toEqual({ id: 1, plays: 7 })
  expect([taken, changes.count]).toEqual([[3], count])

  songs.update(1, { plays: 4 })
  changes.undo = []
  songs.update(1, { plays: 100 })
  expect(taken).toEqual([3, 1, 1])
  for (const undo of changes.undo.toReversed()) undo()
  delete changes.undo
  expect([derived.get(1)?.plays, songs.get(1)?.plays]).toEqual([9, 4])

  for (let plays = 0; plays < 1_100; plays += 1) songs.update(1, { plays })
  expect(taken.slice(3)).toEqual([512, 512])
  expect(derived.get(1)?.plays).toBe(1_104)
})

it('forgets changes that are still to be taken when all records are replaced', () => {
  const [songs, derived] = [new Table('songs', definition), new Table('albums', albums)]
  const refuse = () => expect.unreachable('the change is of what was replaced')
  const loaded = [{ id: 1, plays: 4 }]
  derived.derive(() => loaded)
  songs.watch(derived.following(refuse))
  const before = derived.snapshot()
  for (const replace of [
    () => derived.outdate(),
    () => derived.load(loaded),
    () => derived.restore(before),
  ]) {
    songs.put(song(1, { plays: songs.size + 1 }))
    replace()
    songs.remove(1)
    replace()
    expect(derived.size).toBeLessThan(2)
  }
})

it('counts no change twice when another watcher looks at the derived table first', () => {
  const { songs, derived } = createDerived(
    [song(1, { plays: 2 })],
    (albumsNow) => void albumsNow.size,
  )
  songs.update(1, { plays: 10 })
  expect(derived.get(1)?.plays).toBe(10)
})

it('keeps in a snapshot whether a derived table is still to be built', () => {
  const { songs, derived, builds } = createDerived([song(1, { plays: 2 })])
  const [before, outdated] = [songs.snapshot(), derived.snapshot()]
  songs.update(1, { plays: 9 })
  expect(derived.get(1)?.plays).toBe(9)
  songs.restore(before)
  derived.restore(outdated)
  expect(derived.get(1)?.plays).toBe(2)
  expect(builds.count).toBe(2)
})

it('refuses fields that its records do not have', () => {
  const table = createTable(song(1))
  const misspelt = { titel: 'Other' } as Partial<Song>
  expect(() => table.update(1, misspelt)).toThrow(
    'Failed to update songs (titel): its records have no such field. They have id, album, title, plays, moods.',
  )
  expect(() => table.where(misspelt)).toThrow('Failed to search songs (titel)')
  expect(() => table.find(misspelt)).toThrow('Failed to search songs (titel)')
})
