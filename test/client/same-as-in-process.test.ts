import { describeRequests } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import type { RemoteControl } from 'creator-api-sandbox/client'
import { matchers } from 'creator-api-sandbox/matchers'
import { startServer } from 'creator-api-sandbox/server'
import type { SandboxServer } from 'creator-api-sandbox/server'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: SandboxServer
let remote: RemoteControl

beforeAll(async () => {
  server = await startServer({ port: 0, scenario: 'solo' })
  remote = connect(server.url)
  await read('/v1/nowhere')
  await read('/v1/tags?before=1')
  server.sandbox.checkpoint()
  await read('/v1/tags')
  await read('/v1/tags?limt=2')
  server.sandbox.act({ type: 'note', text: 'Hello' })
})
afterAll(() => server.stop())

const read = (path: string) =>
  fetch(`${server.url}${path}`, { headers: { 'x-api-key': server.sandbox.keys.owner } })

it.each([
  [{ route: 'GET /v1/tags' }, {}],
  [{ route: 'get /v1/tags' as 'GET /v1/tags' }, { times: 2 }],
  [{ route: 'GET /v1/nothing' }, {}],
  [{ method: 'get' }, { times: 4 }],
  [{ path: '/v1/nowhere' }, {}],
  [{ path: '/v1/tags', query: { limt: 2 } }, { times: 1 }],
  [{ query: { before: 1 } }, {}],
  [{ status: 404 }, {}],
  [{ key: 'owner', status: 200 }, { times: 2 }],
])('toHaveReceived gives the same verdict over HTTP: %j %j', async (filter, options) => {
  const judge = async (sandbox: Parameters<typeof matchers.toHaveReceived>[0]) => {
    const { pass, message } = await matchers.toHaveReceived(sandbox, filter, options)
    return { pass, message: message() }
  }
  const getOutcome = (verdict: Promise<unknown>) => verdict.catch((error: Error) => error.message)
  expect(await getOutcome(judge(remote))).toEqual(await getOutcome(judge(server.sandbox)))
})

it('describes the same requests and costs over HTTP', async () => {
  const report = await describeRequests(server.sandbox)
  expect(report).toContain('/v1/tags?limt=2')
  expect(report).not.toContain('/v1/nowhere')
  expect(await describeRequests(remote)).toBe(report)
  expect(await remote.cost()).toEqual(server.sandbox.cost())
  expect(await remote.audit()).toEqual(await server.sandbox.audit())
  expect(await remote.changes()).toEqual(JSON.parse(JSON.stringify(server.sandbox.changes())))
})

type Both = RemoteControl | SandboxServer['sandbox']['control']
const queries: readonly [string, (control: Both) => unknown][] = [
  ['requests', (control) => control.requests({ limit: 0 })],
  ['requests', (control) => control.requests({ limit: 2_000_000 })],
  ['requests', (control) => control.requests({ limit: -1 })],
  ['requests', (control) => control.requests({ before: 0 })],
  ['requests', (control) => control.requests({ before: 3, since_checkpoint: false })],
  ['requests', (control) => control.requests({ since_checkpoint: true, contains: 'LIMT' })],
  ['requests', (control) => control.requests({ route: 'null', status_class: 4 })],
  ['requests', (control) => control.requests({ status: 0 })],
  ['requests', (control) => control.requests({ account: 0, method: 'get' })],
  ['requestRows', (control) => control.requestRows({ limit: 0 })],
  ['request', (control) => control.request(1)],
  ['request', (control) => control.request(0)],
  ['data', (control) => control.data('tags', { limit: 0 })],
  ['data', (control) => control.data('tags', { limit: 1, offset: 1, sort: 'name:desc' })],
  ['data', (control) => control.data('tags', { contains: 'ads', typos: false })],
  ['data', (control) => control.data('tags', { filters: { name: 'Ads' } })],
  ['data', (control) => control.data('tags', { filters: { nothing: '1' } })],
  ['happenings', (control) => control.happenings({ after: 0 })],
  ['happenings', (control) => control.happenings({ after: -1 })],
  ['cost', (control) => control.cost({ since: 0 })],
  ['audit', (control) => control.audit({ since: 0, of: 'client' })],
  ['changes', (control) => control.changes({ since: 'load' })],
  ['changes', (control) => control.changes({ since: 'never' })],
  ['series', (control) => control.series({ buckets: 2, span: '30d' })],
  ['series', (control) => control.series({ buckets: 1 })],
  ['record', (control) => control.record('tags', 0)],
  ['state', (control) => control.state()],
  ['tables', (control) => control.tables()],
  ['check', (control) => control.check()],
  ['replay', (control) => control.replay()],
  ['pulse', (control) => control.pulse()],
  ['routes', (control) => control.routes()],
  ['scenarios', (control) => control.scenarios()],
  ['actions', (control) => control.actions()],
]

it.each(queries)('returns or rejects the same over HTTP: %s %s', async (_, ask) => {
  const getOutcome = async (control: Both) => {
    try {
      return JSON.parse(JSON.stringify(await ask(control))) as unknown
    } catch (error) {
      return (error as Error).name
    }
  }
  expect(await getOutcome(remote)).toEqual(await getOutcome(server.sandbox.control))
})
