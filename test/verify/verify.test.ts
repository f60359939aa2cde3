import type { OverlayInput } from 'creator-api-sandbox/overlay'
import { expect, it } from 'vitest'
import { readResults, formatReportMarkdown } from '../../src/verify/verify-report.ts'
import {
  throwConnectionError,
  listDifferences,
  toServiceOverlay,
  openFakeLiveService,
  verifyFakeLiveService,
} from '../support/fake-live-service.ts'

const posts = 'GET /v1/:account_id/posts'
const hidden: OverlayInput = {
  routes: {
    [posts]: {
      query: { '$.limit': { maximum: 5, clamp: true } },
      answer: {
        '$.list[*].text': { rename: 'caption' },
        '$.list[*].author': { remove: true },
        '$.list[*].postedAt': { format: 'epoch-seconds' },
        '$.list[*].isPromoted': { add: 'boolean', value: false },
        '$.list[*].tipsAmount': { nullable: true, value: null },
      },
    },
    'GET /v1/:account_id/subscribers': { query: { '$.limit': { maximum: 100, clamp: true } } },
    'GET /v1/tags': { answer: { $: { wrap: 'tags' } } },
    'GET /v1/:account_id/chats': { path: '/v1/:account_id/conversations' },
    'GET /v1/:account_id/user-lists': { answer: { '$.list': { wrap: 'items' } } },
    'GET /v1/:account_id/posts/labels': { absent: true },
    'POST /v1/fans/:fan_id/stats': {
      answer: { '$.stats[*].total_spend': { format: 'dollars-text' } },
    },
  },
}

const toReport = (results: Parameters<typeof formatReportMarkdown>[0]) =>
  formatReportMarkdown(results, { title: 'Verified', about: '' })

/** Routes of the hidden overlay, and the routes that provide their ids. */
const only = ['GET /v1/accounts', 'GET /v1/:account_id/lists', ...Object.keys(hidden.routes)]

it('finds exactly the differences, none with the overlay that it writes, and changes nothing', async () => {
  const live = await openFakeLiveService(hidden)
  const records = () => JSON.stringify({ ...live.sandbox.snapshot().tables, organisations: [] })
  const before = records()
  const first = await verifyFakeLiveService(live, { only })
  expect(records()).toBe(before)
  expect(listDifferences(first.results)).toEqual({
    [posts]: [
      '$.list[*].postedAt has the format epoch-seconds',
      '$.list[*].tipsAmount is sometimes null',
      '$.list[*].text is missing, but there is a new field caption (renamed?)',
      '$.list[*].author does not exist',
      '$.list[*].isPromoted is added: boolean',
      '$.limit is lowered to 5, not to 100',
    ],
    'GET /v1/:account_id/subscribers': ['$.limit is lowered to 100, not refused above it'],
    'GET /v1/tags': ['$ is an object with this object under tags'],
    'GET /v1/:account_id/chats': ['absent'],
    'GET /v1/:account_id/user-lists': ['$.list is an object with the list under items'],
    'GET /v1/:account_id/posts/labels': ['absent'],
    'POST /v1/fans/:fan_id/stats': ['$.stats[*].total_spend has the format dollars-text'],
  })
  const second = await verifyFakeLiveService(live, { overlays: [toServiceOverlay(first)], only })
  expect(listDifferences(second.results)).toEqual({})
})

it('writes no values of the service', async () => {
  const live = await openFakeLiveService(hidden)
  const run = await verifyFakeLiveService(live, { only })
  const written = [toServiceOverlay(run), toReport(run.results)].join('\n')
  const values = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) collect(inner)
    else if (
      value !== null &&
      typeof value !== 'boolean' &&
      String(value).length > 3 &&
      !run.guard.allows(String(value))
    )
      values.add(String(value))
  }
  live.answers.forEach(collect)
  expect(values.size).toBeGreaterThan(100)
  const words = new Set(written.split(/[^\w-]+/))
  expect(
    [...values].filter(
      (value) => words.has(value) || (/\W/.test(value) && written.includes(value)),
    ),
  ).toEqual([])
  for (const key of Object.values(live.sandbox.keys)) expect(written).not.toContain(key)
})

it('reports fields that did not occur in any response as not seen, never as the same', async () => {
  const live = await openFakeLiveService()
  const { results } = await verifyFakeLiveService(live, {
    glob: 'GET /v1/*/subscribers/restricted',
  })
  expect(results.find(({ id }) => id.endsWith('/restricted'))?.notSeen).toContain('$.list[*]')
})

it('stays within its credit limit, and continues from its report', async () => {
  const live = await openFakeLiveService()
  const first = await verifyFakeLiveService(live, { credits: 10 })
  expect([first.spent, first.stopped]).toEqual([10, 'the maximum of 10 credits is spent'])
  const earlier = readResults(toReport(first.results)) ?? []
  const done = earlier.filter(({ outcome }) => outcome !== 'not tried')
  const second = await verifyFakeLiveService(live, {
    earlier,
    glob: 'GET /v1/:account_id/p*',
    credits: 30,
  })
  const before = new Set(done.map(({ id }) => id))
  expect(done.length).toBeGreaterThan(4)
  expect(second.results.filter(({ id }) => before.has(id)).map(({ outcome }) => outcome)).toEqual(
    done.map(({ outcome }) => outcome),
  )
})

it('requests all routes before it tests maximum page sizes, which a later run continues', async () => {
  const live = await openFakeLiveService({
    routes: { [posts]: { query: { '$.limit': { maximum: 5, clamp: true } } } },
  })
  const glob = 'GET /v1/:account_id/p*'
  const first = await verifyFakeLiveService(live, { glob, credits: 12 })
  expect([first.stopped, first.isSpent, first.results.map(({ outcome }) => outcome)]).toEqual([
    'the maximum of 12 credits is spent',
    true,
    first.results.map(() => 'same'),
  ])
  const report = toReport(first.results)
  expect(report).toContain(`- \`${posts}\`: the maximum page size`)
  const asked = live.requests.length
  const second = await verifyFakeLiveService(live, { glob, earlier: readResults(report) ?? [] })
  expect(listDifferences(second.results)).toEqual({
    [posts]: ['$.limit is lowered to 5, not to 100'],
  })
  expect(live.requests.slice(asked).map(({ path }) => path.replace(/^.*\//, ''))).toEqual([
    'accounts',
    'posts?limit=101',
    'promotions-trials?limit=201',
    'labels?limit=101',
    'posts',
    'comments?limit=101',
  ])
})

it('skips lists whose ids it does not need', async () => {
  const live = await openFakeLiveService()
  await verifyFakeLiveService(live, { glob: 'GET /v1/:account_id/tracking-links/:link_id/stats' })
  expect(live.requests.map(({ path }) => path.replace(/\d{6,}/g, ':id'))).toEqual([
    '/v1/accounts',
    '/v1/:id/tracking-links',
    '/v1/:id/tracking-links/:id/stats',
  ])
})

it.each([
  [401, 'the key is not valid'],
  [402, 'no subscription'],
  [403, 'the key has no permission to read'],
])('stops on %i with a message', async (status, sentence) => {
  const live = await openFakeLiveService({ routes: {} }, () => ({
    status,
    contentType: 'application/json',
    json: { error: 'No.' },
  }))
  const { stopped, requests } = await verifyFakeLiveService(live)
  expect(stopped).toContain(sentence)
  expect(requests).toBeLessThan(4)
})

it('waits for the next window after a 429, and before a window is used up', async () => {
  const live = await openFakeLiveService({ routes: {} }, (count) =>
    count === 2 ? { status: 429, contentType: null, json: { error: 'Slow.' } } : undefined,
  )
  const waits: number[] = []
  const { results, spent, requests } = await verifyFakeLiveService(live, {
    glob: 'GET /v1/:account_id/me*',
    wait: async (ms) => void waits.push(ms),
  })
  expect([waits, requests - spent, listDifferences(results)]).toEqual([[61_000], 1, {}])
})

it('keeps its results if the service fails during the run', async () => {
  const html = { status: 502, contentType: 'text/html', json: undefined }
  const live = await openFakeLiveService({ routes: {} }, (count) => {
    if (count === 3) throwConnectionError()
    if (count === 5 || count === 6) return html
    return [8, 9, 12].includes(count)
      ? { status: 200, contentType: 'text/html', json: undefined }
      : undefined
  })
  const { results } = await verifyFakeLiveService(live, { glob: 'GET /v1/:account_id/p*' })
  expect(results.filter(({ outcome }) => outcome === 'not tried').map(({ why }) => why)).toEqual([
    'the service answered 502, twice',
  ])
  expect(Object.values(listDifferences(results)).flat()).toEqual([
    ' has a Content-Type other than application/json',
    ' has no envelope with data',
  ])
  expect(results.filter(({ outcome }) => outcome === 'same').length).toBeGreaterThan(5)
})

it('infers no limit from an invalid response', async () => {
  const comments = 'GET /v1/:account_id/posts/:post_id/comments'
  let isReached = false
  const live = await openFakeLiveService({ routes: {} }, (_, request) => {
    isReached ||= request.path.includes('/comments?limit=101')
    return isReached ? { status: 200, contentType: 'application/json', json: undefined } : undefined
  })
  const { results } = await verifyFakeLiveService(live, {
    only: ['GET /v1/accounts', posts, comments],
    glob: comments,
  })
  expect([isReached, listDifferences(results)]).toEqual([true, {}])
})

it('stops if the service no longer responds', async () => {
  const live = await openFakeLiveService({ routes: {} }, (count) =>
    count > 4 ? throwConnectionError() : undefined,
  )
  const { results, stopped } = await verifyFakeLiveService(live)
  expect(stopped).toBe('the service failed 5 times in a row: the connection was cut')
  expect(results.filter(({ outcome }) => outcome === 'same').length).toBeGreaterThan(1)
})

it('reports a lapsed session', async () => {
  const live = await openFakeLiveService()
  const lapsed = live.sandbox.db.accounts
    .all()
    .find(({ connected, session }) => connected && session === 'active')
  if (lapsed !== undefined) live.sandbox.db.accounts.update(lapsed.id, { session: 'lapsed' })
  const { results } = await verifyFakeLiveService(live, {
    glob: posts,
    account: String(lapsed?.id),
  })
  expect(results).toMatchObject([
    {
      outcome: 'refused',
      why: 'it answers 424: the session of the account has lapsed',
      findings: [],
    },
  ])
})

it('lists enumeration values only on request', async () => {
  const live = await openFakeLiveService({
    routes: { [posts]: { answer: { '$.list[*].responseType': { enum: ['publication'] } } } },
  })
  expect(listDifferences((await verifyFakeLiveService(live, { glob: posts })).results)).toEqual({})
  const { results } = await verifyFakeLiveService(live, { glob: posts, enums: true })
  expect(listDifferences(results)).toEqual({
    [posts]: ['$.list[*].responseType also has publication'],
  })
})
