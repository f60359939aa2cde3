import { beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import type { RunningRedis } from '../support/redis.ts'
import {
  findLeaseOwner,
  readJson,
  sendJson,
  solo,
  listTags,
  addTag,
} from '../support/shared-state.ts'

const prefix = 'creator-api-sandbox'

describe.skipIf(!hasRedis())('two servers that share a store in Redis', () => {
  let redis: RunningRedis
  beforeEach(async () => {
    redis = await startRedis()
  })
  const open = () => serveCommand(...solo, '--state', redis.url)

  it('serve all worlds, and hand a world over within 2 s if the other server is asked for it', async () => {
    const [first, second] = [await open(), await open()]
    for (const world of ['', 'a']) {
      expect(await addTag(first.url, 'one', world)).toBe(200)
      const start = performance.now()
      expect(await addTag(second.url, 'two', world)).toBe(200)
      expect(performance.now() - start).toBeLessThan(2_000)
      expect(await listTags(first.url, world)).toEqual(expect.arrayContaining(['one', 'two']))
    }
    expect(await readJson(second.url, '/_sandbox/worlds')).toEqual([])
    expect(await readJson(first.url, '/_sandbox/worlds')).toMatchObject([{ id: 'a' }])
  })

  it('hand over changes by the control plane: the clock, a loaded scenario, a removed world', async () => {
    const [first, second] = [await open(), await open()]
    await addTag(first.url, 'one', 'a')
    await sendJson(first.url, 'POST', '/_sandbox/clock', { advance: '2d' })
    await sendJson(first.url, 'PUT', '/_sandbox/scenario?world=a', { name: 'launch-day', seed: 9 })
    const { clock, counts } = await readJson(first.url, '/_sandbox/state')
    expect(await readJson(second.url, '/_sandbox/state')).toMatchObject({ clock, counts })
    const isLoaded = { scenario: 'launch-day', seed: 9 }
    await expect.poll(() => readJson(second.url, '/_sandbox/state?world=a')).toMatchObject(isLoaded)
    const made = await sendJson(second.url, 'POST', '/_sandbox/worlds', {})
    expect(made.status).toBe(400)
    expect(await made.text()).toContain('A name is required if servers share --state')
    const fork = await sendJson(first.url, 'POST', '/_sandbox/worlds?world=a', {
      name: 'b',
      fork: true,
    })
    expect(fork.status).toBe(200)
    await expect.poll(() => readJson(second.url, '/_sandbox/state?world=b')).toMatchObject(isLoaded)
    expect((await sendJson(first.url, 'DELETE', '/_sandbox/worlds/a')).status).toBe(200)
    expect(await listTags(second.url, 'a')).not.toContain('one')
  })

  it('report in the metrics how many worlds each of them has', async () => {
    const [first, second] = [
      await serveCommand(...solo, '--metrics', '--state', redis.url),
      await serveCommand(...solo, '--metrics', '--state', redis.url),
    ]
    await addTag(first.url, 'one', 'a')
    await addTag(second.url, 'one', 'b')
    const leased = async (url: string) =>
      /^sandbox_worlds_leased (\d+)$/m.exec(
        await (await fetch(`${url}/_sandbox/metrics`)).text(),
      )?.[1]
    expect([await leased(first.url), await leased(second.url)]).toEqual(['2', '1'])
  })

  it('handle requests about the server itself without the main world', async () => {
    const [first, second] = [await open(), await open()]
    expect(await findLeaseOwner(redis, 'main')).toBeDefined()
    const before = await redis.ask(`HGET ${prefix}:owners main`)
    for (const path of ['/health', '/health?ready', '/_sandbox/worlds', '/_sandbox/scenarios'])
      expect((await fetch(`${second.url}${path}`)).status).toBe(200)
    const tokenOf = (line: string) => /\d{10,} /.exec(line)?.[0]
    expect(tokenOf(await redis.ask(`HGET ${prefix}:owners main`))).toBe(tokenOf(before))
    expect(await addTag(first.url, 'one')).toBe(200)
  })

  it('take over the worlds of a stopped server immediately and with all writes', async () => {
    const [first, second] = [await open(), await open()]
    for (const world of ['', 'a', 'b']) await addTag(first.url, 'one', world)
    await first.stop()
    const start = performance.now()
    for (const world of ['', 'a', 'b']) expect(await listTags(second.url, world)).toContain('one')
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('protect the store from a start with --state-reset', async () => {
    const first = await open()
    const reset = ['--scenario', 'agency', '--state-reset', '--state', redis.url]
    const refused = await runInProcess('--port', '0', ...reset)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('other servers are using it. Stop them first')
    expect(await addTag(first.url, 'one')).toBe(200)
  })
})
