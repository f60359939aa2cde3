import { startServer } from 'creator-api-sandbox/server'
import { expect, it } from 'vitest'

it('provides its metrics for Prometheus, protected by the control token', async () => {
  await using server = await startServer({
    port: 0,
    scenario: 'solo',
    controlToken: 'secret',
    metrics: true,
    maxMemory: 64,
  })
  const { url, sandbox } = server
  const ask = async (path: string, key: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}` } })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    }
  }
  await ask('/v1/tags', sandbox.keys.owner)
  await ask('/v1/tags', `${sandbox.keys.owner}~worker-1`)
  await ask('/v1/tags', 'wrong')
  await ask('/v1/nowhere', sandbox.keys.owner)
  await ask('/_sandbox/state', 'secret')
  sandbox.faults.add({ drop: true })
  await expect(ask('/v1/tags', sandbox.keys.owner)).rejects.toThrow('fetch failed')
  expect((await ask('/_sandbox/metrics', 'wrong')).status).toBe(401)
  const { status, type, text } = await ask('/_sandbox/metrics', 'secret')
  expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'sandbox_requests_total{route="GET /v1/tags",status="200"} 2',
      'sandbox_requests_total{route="GET /v1/tags",status="401"} 1',
      'sandbox_requests_total{route="GET /v1/tags",status="0"} 1',
      'sandbox_requests_total{route="other",status="404"} 1',
      'sandbox_requests_total{route="control plane",status="401"} 1',
      'sandbox_answer_seconds_count{route="GET /v1/tags"} 4',
      'sandbox_worlds 1',
      'sandbox_worlds_leased 0',
      'sandbox_worlds_limit 256',
      'sandbox_worlds_evicted_total{to="folder"} 0',
      'sandbox_memory_limit_bytes 67108864',
      'sandbox_journal_requests 5',
    ]),
  )
  expect(text).toMatch(/^sandbox_memory_used_bytes [1-9]\d{5}/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m)
})

it('has no metrics by default, and explains how to enable them', async () => {
  await using server = await startServer({ port: 0, scenario: 'empty' })
  const answer = await fetch(`${server.url}/_sandbox/metrics`)
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: expect.stringContaining('Start the server with --metrics') },
  ])
})
