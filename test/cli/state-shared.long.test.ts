import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RedisConnection } from '../../src/cli/redis-connection.ts'
import { runInProcess, serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
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
    await expect.poll(() => addTag(first.url, 'while away', 'a'), { timeout: 20_000 }).toBe(503)
    expect(await addTag(first.url, 'one', 'another')).toBe(503)
    await redis.start()
    await expect.poll(() => addTag(first.url, 'back', 'a'), { timeout: 10_000 }).toBe(200)
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
      .poll(() => listTags(first.url, 'a'), { timeout: 10_000 })
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
    await expect.poll(() => findLeaseOwner(redis, '_a'), { timeout: 10_000 }).toBeUndefined()
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
