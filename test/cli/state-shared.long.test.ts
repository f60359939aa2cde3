import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { RedisConnection } from '../../src/cli/redis-connection.ts'
import { runInProcess, serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import type { RunningRedis } from '../support/redis.ts'
import {
  addTag,
  findLeaseOwner,
  listTags,
  readJson,
  requestTags,
  sendJson,
  solo,
} from '../support/shared-state.ts'

/** Redis script that increments the format version of a saved world. */
const writeLaterFormat =
  "local text = redis.call('GET', KEYS[1]) " +
  "redis.call('SET', KEYS[1], (string.gsub(text, '^{.format.:2', '{\\\"format\\\":3')))"
const prefix = 'creator-api-sandbox'

describe.skipIf(!hasRedis())('servers that share a store in Redis', () => {
  it('reject writes that cannot be saved, because another server would not know them', async () => {
    const redis = await startRedis()
    const first = await serveCommand(...solo, '--state', redis.url)
    await addTag(first.url, 'one', 'a')
    await redis.kill()
    await expect.poll(() => addTag(first.url, 'while away', 'a')).toBe(503)
    expect(await addTag(first.url, 'one', 'another')).toBe(503)
    await redis.start()
    await expect.poll(() => addTag(first.url, 'back', 'a')).toBe(200)
    expect(await listTags(first.url, 'a')).toEqual(expect.arrayContaining(['one', 'back']))
  })

  it('read a reply that waited while the process was busy for longer than a command may take', async () => {
    const { url } = await startRedis()
    const connection = await RedisConnection.open(url, undefined)
    onTestFinished(() => connection.close())
    const reply = connection.send(['PING'])
    const start = performance.now()
    while (performance.now() - start < 5_500) continue
    expect(await reply).toBe('PONG')
  })

  it('exit with one line if the server at the address never responds', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const refused = await runInProcess('--port', '0', '--state', `redis://127.0.0.1:${port}`)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toMatch(
      /^Failed to store the state .*: Redis did not reply within .*\n$/,
    )
  })

  it('let the previous owner keep its worlds if Redis lost its data', async () => {
    const redis = await startRedis()
    const open = () => serveCommand(...solo, '--state', redis.url)
    const [first, second] = [await open(), await open()]
    await addTag(first.url, 'one', 'a')
    await redis.ask('FLUSHALL')
    const start = performance.now()
    // The second server must not start over with seeded data.
    expect(await listTags(second.url, 'a')).toContain('one')
    expect(performance.now() - start).toBeLessThan(12_000)
  })

  it('never overwrite what the other server saved, as if the first one had been paused', async () => {
    const redis = await startRedis()
    const open = () => serveCommand(...solo, '--state', redis.url)
    const [first, second] = [await open(), await open()]
    await addTag(first.url, 'one', 'a')
    await expect.poll(() => redis.ask(`GET ${prefix}:item:_a`)).toContain('"one"')
    await redis.ask(`HDEL ${prefix}:owners _a`)
    await expect.poll(() => addTag(second.url, 'two', 'a')).toBe(200)
    await addTag(first.url, 'late', 'a')
    await expect
      .poll(() => listTags(first.url, 'a'))
      .toEqual(expect.arrayContaining(['one', 'two']))
    expect(await readJson(first.url, '/health')).not.toHaveProperty('state')
  })

  it('return 503 for a world that a later version wrote, and do not change it', async () => {
    const redis = await startRedis()
    const open = () => serveCommand(...solo, '--state', redis.url)
    const [first, second] = [await open(), await open()]
    await addTag(first.url, 'one', 'a')
    await first.stop()
    const key = `${prefix}:item:_a`
    await redis.ask(`EVAL "${writeLaterFormat}" 1 ${key}`)
    const saved = await redis.ask(`GET ${key}`)
    const refused = await requestTags(second.url, { world: 'a' })
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('it has format 3, and this version reads format 2')
    expect(await redis.ask(`GET ${key}`)).toBe(saved)
    // The lease is released, so that a server with the later version can acquire it.
    await expect.poll(() => findLeaseOwner(redis, '_a')).toBeUndefined()
    expect(await addTag(second.url, 'one', 'b')).toBe(200)
  })

  it('reject a scenario that would keep a server busy for longer than its leases last', async () => {
    const redis = await startRedis()
    const { url } = await serveCommand(...solo, '--state', redis.url)
    const refused = await sendJson(url, 'PUT', '/_sandbox/scenario', { name: 'large' })
    expect(refused.status).toBe(413)
    expect(await refused.text()).toMatch(/it has \d+ records, but servers that share --state/)
    expect((await sendJson(url, 'PUT', '/_sandbox/scenario', { name: 'agency' })).status).toBe(200)
  })
})

describe.skipIf(!hasRedis())('two servers that share a store in Redis', () => {
  let redis: RunningRedis
  beforeEach(async () => {
    redis = await startRedis()
  })
  const open = () => serveCommand(...solo, '--state', redis.url)

  it('serve all worlds, and hand a world over if the other server is asked for it', async () => {
    const [first, second] = [await open(), await open()]
    for (const world of ['', 'a']) {
      expect(await addTag(first.url, 'one', world)).toBe(200)
      // The first server renews its lease, so only a handover ends it.
      expect(await addTag(second.url, 'two', world)).toBe(200)
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

  it('take over the worlds of a stopped server, which ends its leases, with all writes', async () => {
    const [first, second] = [await open(), await open()]
    for (const world of ['', 'a', 'b']) await addTag(first.url, 'one', world)
    await first.stop()
    for (const id of ['main', '_a', '_b']) expect(await findLeaseOwner(redis, id)).toBeUndefined()
    for (const world of ['', 'a', 'b']) expect(await listTags(second.url, world)).toContain('one')
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
