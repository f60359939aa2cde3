import { expect, it } from 'vitest'
import { routes } from '../../src/resources/all-resources.ts'
import { badDays } from '../../src/variation/bad-days.ts'
import { badDayNames } from '../../src/variation/variation.ts'
import { FaultInput } from '../../src/world/fault-input.ts'

const find = (id: string) => routes.find((route) => route.id === id)!
const used = [
  'GET /v1/:account_id/posts',
  'POST /v1/:account_id/posts',
  'GET /v1/tags',
  'POST /v1/fans/:fan_id/stats',
  'GET /media-proxy',
].map(find)

const usual = {
  routes: used,
  requests: 9,
  role: { name: 'owner', requests: 8 },
  account: { id: 1001, requests: 1 },
}

const faultsOf = (name: string, day = usual) =>
  badDays.find((each) => each.name === name)!.createFaults(day, 5000)

it('declares each bad day once, with its source', () => {
  expect(badDays.map(({ name }) => name)).toEqual([...badDayNames])
  expect(badDays.every(({ source }) => source.startsWith('reference §'))).toBe(true)
})

it.each(badDays)('creates valid faults for $name', ({ createFaults: make }) => {
  const runs = make(usual, 5000)
  expect(runs.length).toBeGreaterThan(0)
  for (const fault of runs.flat()) expect(FaultInput.safeParse(fault).error).toBeUndefined()
  // A client that never gives up must end too.
  expect(runs.flat().filter(({ times }) => times === undefined)).toEqual([])
  expect(make({ routes: [], requests: 0 }, 5000).flat()).toEqual([])
})

it('only lapses the session of relay routes, and only uses up credits of the API', () => {
  expect(faultsOf('lapsed-session').flat()).toMatchObject([
    { route: 'GET /v1/:account_id/posts' },
    { route: 'POST /v1/:account_id/posts' },
  ])
  expect(faultsOf('no-credits')).toHaveLength(used.length - 1)
})

it('throttles in the middle of the requests', () => {
  expect(faultsOf('throttled')).toMatchObject([[{ status: 429, after: 4, lasts_ms: 3000 }]])
  expect(faultsOf('throttled', { ...usual, requests: 1 })[0]?.[0]).not.toHaveProperty('after')
})

it('loses, delays and replaces only reads', () => {
  const reads = ['GET /v1/:account_id/posts', 'GET /v1/tags', 'POST /v1/fans/:fan_id/stats']
  expect(faultsOf('dropped-read').flat()).toEqual(
    reads.map((route) => ({ route, drop: true, times: 1 })),
  )
  expect(faultsOf('hanging-read')).toMatchObject([[{ route: reads[0], drop: true }]])
  expect(faultsOf('html-error')).toMatchObject([reads.map((route) => ({ route, status: 502 }))])
})
