import { expect, it } from 'vitest'
import {
  listDifferences,
  openFakeLiveService,
  verifyFakeLiveService,
} from '../support/fake-live-service.ts'

it('finds no differences in an identical service, and only sends reads', async () => {
  const live = await openFakeLiveService()
  const { results, requests, spent } = await verifyFakeLiveService(live)
  expect(listDifferences(results)).toEqual({})
  expect(results.filter(({ outcome }) => outcome === 'same').length).toBeGreaterThan(90)
  expect(new Set(live.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
  expect(
    live.requests.filter(({ method, path }) => method === 'POST' && !path.startsWith('/v1/fans')),
  ).toEqual([])
  expect([requests, spent]).toEqual([live.requests.length, live.requests.length])
})
