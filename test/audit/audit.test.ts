import { expectCost, matchers, writeAudit } from 'creator-api-sandbox/matchers'
import type { SandboxMatchers } from 'creator-api-sandbox/matchers'
import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'
import { openClient } from '../support/client.ts'

expect.extend(matchers)
declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Matchers<T = any> extends SandboxMatchers<T> {}
}

it('finds no mistakes in a correct client, and lists untried situations and the smallest role', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/posts`)
  expect(await sandbox.audit()).toEqual({
    findings: [],
    cost: sandbox.cost(),
    summary: {
      requests: 1,
      dropped: 0,
      unread: 0,
      credits: { charged: 1, visible: 1, errors: [], lost: [] },
      findings: { error: 0, warning: 0, hint: 0 },
      untried: ['402', '424', '429', '5xx', 'an empty page'],
      smallestRole: ['api_posts_list'],
    },
  })
  await get(`/v1/${account()}/posts?query=nowhere-to-be-found`)
  expect((await sandbox.audit()).summary.untried).not.toContain('an empty page')
})

it('shows the worst findings first, with the requests, the fix and the source', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/posts?limt=5`)
  await get(`/v1/${account()}/post`)
  const { findings } = await sandbox.audit()
  expect(findings).toMatchObject([
    {
      rule: 'near-miss',
      severity: 'error',
      count: 1,
      requests: [2],
      source: 'reference §4 Endpoints',
    },
    {
      rule: 'ignored-parameter',
      severity: 'warning',
      count: 1,
      requests: [1],
      advice: 'Correct the spelling of the parameter, or remove the parameter.',
    },
  ])
})

it('starts at the checkpoint, or at a given request', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/post`)
  expect(sandbox.checkpoint()).toBe(1)
  await get(`/v1/${account()}/posts`)
  expect((await sandbox.audit()).findings).toEqual([])
  expect((await sandbox.audit({ since: 0 })).findings).toHaveLength(1)
  expect(sandbox.cost()).toMatchObject({ requests: 1 })
  await sandbox.reset()
  await get(`/v1/${account()}/post`)
  expect((await sandbox.audit()).findings).toHaveLength(1)
  await expect(sandbox.audit({ from: 5 } as object)).rejects.toThrow('Failed to audit (from: 5)')
})

it('reports how many requests the journal has dropped', async () => {
  const { sandbox, get } = await openClient('solo', { journalSize: 2 })
  for (let count = 0; count < 5; count += 1) await get('/health')
  expect((await sandbox.audit()).summary).toMatchObject({ requests: 2, dropped: 3 })
  sandbox.checkpoint()
  expect((await sandbox.audit()).summary).toMatchObject({ requests: 0, dropped: 0 })
})

it('uses real time if it is available', async () => {
  let now = Date.parse('2026-11-22T08:00:00Z')
  const retry = async (waitMs: number) => {
    const { sandbox, get, account } = await openClient('solo', { realTime: () => now })
    sandbox.faults.add({ status: 503, times: 5 })
    for (let count = 0; count < 6; count += 1) {
      await get(`/v1/${account()}/posts`)
      now += waitMs
    }
    return (await sandbox.audit()).findings.map(({ rule }) => rule)
  }
  expect(await retry(5)).toEqual(['no-backoff'])
  expect(await retry(2000)).toEqual([])
})

it('returns the audit over HTTP as JSON, text or Markdown', async () => {
  const { sandbox, ask, read, get } = await openControlClient()
  await get('/v1/nothing')
  expect(await read('audit')).toEqual(JSON.parse(JSON.stringify(await sandbox.audit())))
  const text = await ask('GET', '/_sandbox/audit?format=text')
  expect(text).toMatchObject({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: expect.stringContaining('error    near-miss: There is no'),
  })
  const markdown = await ask('GET', '/_sandbox/audit?format=markdown')
  expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
  expect(markdown.body).toContain('| error | `near-miss` | There is no GET /v1/nothing')
  expect(await read('cost')).toEqual(sandbox.cost())
  expect((await ask('POST', '/_sandbox/checkpoint')).body).toEqual({ last_request: 1 })
  expect(await read('cost')).toMatchObject({ requests: 0 })
  expect((await ask('GET', '/_sandbox/audit?format=xml')).status).toBe(400)
})

it('ignores requests from the console and /docs', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/post`, { headers: { referer: 'http://127.0.0.1:4010/docs' } })
  expect((await sandbox.audit()).findings).toEqual([])
  expect(sandbox.cost()).toMatchObject({ credits: 0, requests: 0 })
})

it('sums the cost by route, with the same result each time', async () => {
  const cost = async () => {
    const { sandbox, get, post, account } = await openClient()
    await get(`/v1/${account()}/posts`)
    await get(`/v1/${account()}/posts?limit=2`)
    sandbox.clock.advance('1m')
    await post(`/v1/${account()}/vault/lists`, { name: 'Mine' })
    await get('/health')
    return sandbox.cost()
  }
  const first = await cost()
  expect(first).toMatchObject({
    credits: 3,
    requests: 4,
    pages: 2,
    routes: {
      'GET /health': { credits: 0 },
      'GET /v1/:account_id/posts': { credits: 2, requests: 2, pages: 2 },
    },
    peak: { minute: 2, day: 3, minuteShare: 0.002, dayShare: 0.0001 },
  })
  expect(Object.keys(first.routes)).toEqual([
    'GET /health',
    'GET /v1/:account_id/posts',
    'POST /v1/:account_id/vault/lists',
  ])
  expect(JSON.stringify(await cost())).toBe(JSON.stringify(first))
})

it('has matchers that explain a failure', async () => {
  const { sandbox, get, account } = await openClient()
  await get(`/v1/${account()}/posts?limit=2`)
  await get(`/v1/${account()}/posts?limt=2`)
  expect(sandbox).toCostAtMost(2)
  expect(() => expect(sandbox).toCostAtMost(1)).toThrow(
    'Expected at most 1 credits, but 2 credits were spent:\n      2  GET /v1/:account_id/posts',
  )
  expectCost(sandbox, { max: 2 })
  expect(() => expectCost(sandbox, { max: 1 })).toThrow('2 credits were spent')
  await expect(sandbox).toHaveNoFindings({ from: 'error' })
  await expect(expect(sandbox).toHaveNoFindings()).rejects.toThrow('ignored-parameter')
  expect(sandbox).toHaveReceived({ query: { limit: 2 } }, { times: 1 })
  expect(sandbox).not.toHaveReceived({ query: { limit: 3 } })
  expect(() => expect(sandbox).toHaveReceived({ query: { limit: 3 } })).toThrow(
    'query.limit is "2", not "3"',
  )
  await expect(expect(sandbox).toHaveNoFindings({ from: 'worse' as 'hint' })).rejects.toThrow(
    'the severity must be one of error, warning, hint',
  )
})

it('writes an audit as text, Markdown or JSON', async () => {
  const { sandbox, get } = await openClient('solo', { journalSize: 1 })
  await get('/health')
  await get('/v1/a|<b>')
  const audit = await sandbox.audit()
  expect(writeAudit(audit)).toContain(
    '1 error, 0 warnings, 0 hints in 1 request, 1 credit. The journal dropped 1 request before',
  )
  expect(writeAudit(audit, 'markdown')).not.toContain('<b>')
  expect(JSON.parse(writeAudit(audit, 'json'))).toEqual(audit)
})

it('reads bodies of any depth', async () => {
  const { sandbox, account } = await openClient()
  const body = `{"text":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const header = (name: string) =>
    ({ authorization: `Bearer ${sandbox.keys['owner']}`, 'content-type': 'application/json' })[
      name
    ] ?? null
  await sandbox.handle({ method: 'POST', url: `/v1/${account()}/posts`, header, body })
  expect((await sandbox.audit()).summary.requests).toBe(1)
  await expect(
    sandbox.waitForRequest({ body: { text: 'Hello' } }, { timeoutMs: 1 }),
  ).rejects.toThrow('400: body is absent')
})
