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

const faultsOf = (name: string, day = { routes: used, requests: 9 }) =>
  badDays.find((each) => each.name === name)!.createFaults(day, 5000)

it('declares each bad day once, with its source', () => {
  expect(badDays.map(({ name }) => name)).toEqual([...badDayNames])
  expect(badDays.every(({ source }) => source.startsWith('reference §'))).toBe(true)
})

it.each(badDays)('creates valid faults for $name', ({ createFaults: make }) => {
  const runs = make({ routes: used, requests: 9 }, 5000)
  expect(runs.length).toBeGreaterThan(0)
  for (const fault of runs.flat()) expect(FaultInput.safeParse(fault).error).toBeUndefined()
  expect(make({ routes: [], requests: 0 }, 5000).flat()).toEqual([])
})

it('only loses the responses of writes', () => {
  const post = 'POST /v1/:account_id/posts'
  expect(faultsOf('lost-answer')).toEqual([[{ route: post, drop: true, applied: true, times: 1 }]])
  expect(faultsOf('late-answer')).toEqual([
    [{ route: post, delay_ms: 5000, applied: true, times: 1 }],
  ])
})

it('only lapses the session of relay routes, and only uses up credits of the API', () => {
  expect(faultsOf('lapsed-session').flat()).toMatchObject([
    { route: 'GET /v1/:account_id/posts' },
    { route: 'POST /v1/:account_id/posts' },
  ])
  expect(faultsOf('no-credits')).toHaveLength(used.length - 1)
})

it('throttles in the middle of the requests', () => {
  expect(faultsOf('throttled')).toMatchObject([[{ status: 429, after: 4, lasts_ms: 1000 }]])
  expect(faultsOf('throttled', { routes: used, requests: 1 })[0]?.[0]).not.toHaveProperty('after')
})
