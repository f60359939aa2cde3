import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { MemoryLimit } from '../../src/world/memory-limit.ts'
import { Clock } from '../../src/world/clock.ts'
import { ById, toJson, JsonFragment } from '../../src/lib/json-fragment.ts'
import { defineService, definePersistedService, Services } from '../../src/world/service.ts'
import { DependencyTracker } from '../../src/data/dependencies.ts'
import { ascending, defineTable } from '../../src/data/define-table.ts'
import { IndexedTable } from '../../src/data/indexed-table.ts'
import { ViewCache } from '../../src/world/view-cache.ts'

const start = Date.parse('2026-10-01T00:00:00.000Z')
const pets = defineTable({
  schema: z.object({ id: z.int(), owner: z.int(), name: z.string() }),
  indexes: { byOwner: { group: (pet) => pet.owner, order: ascending((pet) => pet.name) } },
})

it('makes a view once, and anew when a record that it read has changed', () => {
  const { table, views, count } = setUp()
  const show = () =>
    of(
      views,
      key,
      count(() => table.get(1)?.name),
    )
  expect([show(), show()]).toEqual(['Rex', 'Rex'])
  table.update(2, { name: 'Tom' })
  expect([show(), count.made]).toEqual(['Rex', 1])
  table.update(1, { name: 'Max' })
  expect([show(), count.made]).toEqual(['Max', 2])
})

it.each([
  ['the rows of a group', (table: PetTable) => table.in('byOwner', 7).size],
  ['a record that was not there', (table: PetTable) => table.get(3)?.name],
  ['all records', (table: PetTable) => table.where({ owner: 7 }).length],
  ['how many there are', (table: PetTable) => table.size],
] as const)('makes a view anew when %s changed', (_what, read) => {
  const { table, views, count } = setUp()
  const show = () =>
    of(
      views,
      key,
      count(() => read(table)),
    )
  show()
  table.insert({ id: 3, owner: 7, name: 'Bella' })
  show()
  expect(count.made).toBe(2)
})

it('holds what was read after many reads, too', () => {
  const { table, views, count } = setUp()
  for (let id = 100; id < 300; id += 1) table.insert({ id, owner: id, name: 'Pet' })
  const readAll = () => {
    let names = ''
    for (let id = 100; id < 300; id += 1) names += table.get(id)?.name
    return names
  }
  const show = () => of(views, key, count(readAll))
  show()
  show()
  expect(count.made).toBe(1)
  table.update(299, { name: 'Last' })
  expect(show().endsWith('Last')).toBe(true)
})

it('keeps a view of the same subject that another one is made of, when only the other one has to be made anew', () => {
  const { table, views, count } = setUp()
  const inner = () =>
    of(
      views,
      { ...key, view: 'inner' },
      count(() => table.get(2)?.name),
    )
  const outer = () => of(views, key, () => `${table.get(1)?.name} and ${inner()}`)
  expect([outer(), count.made]).toEqual(['Rex and Mia', 1])
  table.update(1, { name: 'Max' })
  expect([outer(), count.made]).toEqual(['Max and Mia', 1])
})

it('knows what the views read that a view is made of', () => {
  const { table, views, count } = setUp()
  const inner = () => of(views, { ...key, view: 'inner' }, () => table.get(1)?.name)
  const outer = () =>
    of(
      views,
      key,
      count(() => `The pet ${inner()}`),
    )
  expect([inner(), outer()]).toEqual(['Rex', 'The pet Rex'])
  table.update(1, { name: 'Max' })
  expect(outer()).toBe('The pet Max')
})

it('holds a view that is made of others, whatever the time', () => {
  const { clock, table, views, count } = setUp()
  const inner = () => of(views, { ...key, view: 'inner' }, () => table.get(1)?.name)
  const outer = () => of(views, key, count(inner))
  inner()
  outer()
  clock.advance(1)
  expect([outer(), count.made]).toEqual(['Rex', 1])
})

it('keeps what it makes of the same subject on the way', () => {
  const { views, count } = setUp()
  const inner = () =>
    of(
      views,
      { ...key, view: 'inner' },
      count(() => 'Rex'),
    )
  expect([of(views, key, () => `The pet ${inner()}`), inner(), count.made]).toEqual([
    'The pet Rex',
    'Rex',
    1,
  ])
})

it('holds as long as the time that was asked for has not come', () => {
  const { clock, views, count } = setUp()
  const show = () =>
    of(
      views,
      key,
      count(() => clock.hasReached(start + 5_000)),
    )
  expect([show(), show()]).toEqual([false, false])
  clock.advance(4_999)
  expect([show(), count.made]).toEqual([false, 1])
  clock.advance(1)
  expect([show(), count.made]).toEqual([true, 2])
  clock.advance('30d')
  expect([show(), count.made]).toEqual([true, 2])
})

it('holds within a step of the time, and no longer than an instant where the time itself was read', () => {
  const { clock, views, count } = setUp()
  const second = () =>
    of(
      views,
      key,
      count(() => clock.stepsSince(start, 1_000)),
    )
  const now = () => of(views, { ...key, view: 'now' }, () => clock.now())
  expect([second(), now()]).toEqual([0, start])
  clock.advance(999)
  expect([second(), count.made, now()]).toEqual([0, 1, start + 999])
  clock.advance(1)
  expect([second(), count.made]).toEqual([1, 2])
})

it('looks at the time only for what has read it', () => {
  const { clock, table, views } = setUp()
  const name = () => of(views, key, () => table.get(1)?.name)
  const isLate = () => of(views, { ...key, view: 'late' }, () => clock.hasReached(start + 1))
  name()
  isLate()
  const now = vi.spyOn(clock, 'now')
  name()
  expect(now).not.toHaveBeenCalled()
  isLate()
  expect(now).toHaveBeenCalledOnce()
})

it('keeps nothing that read the saved state of a resource, which nobody watches', () => {
  const { tracker, views, count } = setUp()
  const saved = definePersistedService({
    name: 'state',
    schema: z.unknown(),
    create: () => ({ state: () => null, restore: () => {} }),
  })
  const cache = defineService(() => new Map())
  const parts = new Services({}, [saved], tracker)
  const show = (part: typeof saved | typeof cache) =>
    of(
      views,
      { ...key, view: part },
      count(() => parts.get<unknown>(part)),
    )
  show(cache)
  show(cache)
  expect(count.made).toBe(1)
  show(saved)
  show(saved)
  expect(count.made).toBe(3)
})

it('forgets a view that failed', () => {
  const { views } = setUp()
  const fail = () => {
    throw new Error('no such pet')
  }
  expect(() => of(views, key, fail)).toThrow('no such pet')
  expect(of(views, key, () => 'Rex')).toBe('Rex')
})

it('keeps a view for each variant, written and not', () => {
  const { views } = setUp()
  const show = (variant: string, isWritten: boolean) =>
    of(views, { ...key, variant, isWritten }, () => `${variant} ${isWritten}`)
  for (let round = 0; round < 2; round += 1)
    expect([show('a', false), show('b', false), show('a', true)]).toEqual([
      'a false',
      'b false',
      'a true',
    ])
})

it('finds a variant again that is an object with the same fields, such as a window', () => {
  const { views, count } = setUp()
  const show = (window: object) =>
    of(
      views,
      { ...key, variant: window },
      count(() => Object.values(window).join()),
    )
  expect([
    show({ start: 1, end: 2 }),
    show({ start: 1, end: 2 }),
    show({ start: 1 }),
    show({ start: 1, end: 3 }),
  ]).toEqual(['1,2', '1,2', '1', '1,3'])
  expect(count.made).toBe(3)
})

it('holds what shows a measure of the time until its next step', () => {
  const { clock, views, count } = setUp()
  const measure = (now: number) => Math.floor(((now - start) / 1_000) ** 2)
  const show = () =>
    of(
      views,
      key,
      count(() => measure(clock.nowFor(measure, start + 2_000))),
    )
  clock.advance(900)
  show()
  clock.advance(99)
  expect([show(), count.made]).toEqual([0, 1])
  clock.advance(1)
  expect([show(), count.made]).toEqual([1, 2])
  clock.advance(1_500)
  expect([show(), count.made]).toEqual([6, 3])
  clock.advance('1d')
  show()
  expect(count.made).toBe(3)
})

it('looks at a table again only once that table has changed', () => {
  const { changes, table, views } = setUp()
  const look = vi.spyOn(table, 'look')
  const show = () => of(views, key, () => table.get(1)?.name)
  show()
  new IndexedTable('others', pets, { changes }).insert({ id: 1, owner: 1, name: 'Other' })
  show()
  expect(look).not.toHaveBeenCalled()
  table.update(2, { name: 'Tom' })
  expect([show(), look.mock.calls.length]).toEqual(['Rex', 1])
})

it('counts its bytes, and is emptied when caches and journals hold too much', () => {
  const { tracker, views: _, ...world } = setUp()
  const memory = new MemoryLimit(400_000)
  const views = new ViewCache(tracker, { changes: () => 0, now: () => world.clock.now() }, memory)
  const show = (variant: number) =>
    of(views, { ...key, variant, isWritten: true }, () => new JsonFragment('x'.repeat(5_000)))
  show(1)
  expect(memory.used).toBeGreaterThan(5_000)
  const once = memory.used
  show(1)
  expect(memory.used).toBe(once)
  for (let variant = 2; variant < 12; variant += 1) show(variant)
  expect(memory.used).toBe(11 * once)
  memory.hold(100_000)
  show(99)
  expect(memory.used).toBe(100_000)
})

it.each([
  ['a whole', (row: unknown) => row],
  ['a field', (row: unknown) => ({ before: 1, row, after: undefined, last: [1, { a: 'ü' }] })],
  ['the rows of a list', (row: unknown) => ({ list: [row, row], hasMore: false })],
  ['the fields of a map', (row: unknown) => ({ users: { 1: row, 2: row } })],
  ['a field of a row', (row: unknown) => ({ list: [{ row }] })],
  [
    'an object by ids',
    (row: unknown) => ({
      users: new ById([['218000005', row]]),
      none: new ById(),
      deep: [new ById([['7', row]])],
    }),
  ],
  [
    'a row made of others',
    (row: unknown) =>
      row instanceof JsonFragment ? new JsonFragment({ rows: [row], row }) : { rows: [row], row },
  ],
])('writes %s that is written already as JSON.stringify would', (_what, wrap) => {
  const row = { id: 1, text: 'Grüße 💥 "quoted"' }
  const body = toJson('{"data":', wrap(new JsonFragment(row)), '}')
  const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
  expect(text).toBe(`{"data":${JSON.stringify(wrap(row))}}`)
})

it('fills in what each answer has anew, where it stands last', () => {
  const row = { note: 'hh:mm ü', at: 'hh:mm' }
  const written = new JsonFragment(row)
  const show = (each: JsonFragment) => JSON.parse(JSON.stringify([each]))[0]
  expect(show(written.filling('hh:mm', '09:30'))).toEqual({ note: 'hh:mm ü', at: '09:30' })
  expect(show(written)).toEqual(row)
  expect(written.filling('absent', '09:30:')).toBe(written)
})

type PetTable = ReturnType<typeof setUp>['table']

const key = { view: 'view', subject: {}, variant: undefined, isWritten: false }

/** Shows what is known, and makes what is not, as a world does. */
function of<Value>(
  views: ViewCache,
  viewed: Parameters<ViewCache['make']>[0],
  make: () => Value,
): Value {
  const { view, subject, variant, isWritten } = viewed
  const known = views.known(view, subject, variant, isWritten)
  return known === undefined ? views.make(viewed, make) : (known.value as Value)
}

function setUp() {
  const tracker = new DependencyTracker()
  const changes = { count: 0, tracker }
  const table = new IndexedTable('pets', pets, { changes })
  table.insert({ id: 1, owner: 7, name: 'Rex' })
  table.insert({ id: 2, owner: 8, name: 'Mia' })
  const clock = new Clock(start, { tracker })
  const views = new ViewCache(tracker, { changes: () => changes.count, now: () => clock.now() })
  /** Counts how often something is made. */
  const count = Object.assign(
    <Value>(make: () => Value) =>
      () => {
        count.made += 1
        return make()
      },
    { made: 0 },
  )
  return { tracker, changes, table, clock, views, count }
}
