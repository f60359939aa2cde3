import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRedisStore } from '../../src/cli/state-redis.ts'
import { runInProcess, serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { addTag, listTags, readJson as read, solo } from '../support/shared-state.ts'

/** Redis script that assigns the lease on the main world to a nonexistent server for 600 ms. */
const holdMain =
  "local t = redis.call('TIME') local ms = t[1] * 1000 + math.floor(t[2] / 1000) + 600 " +
  "redis.call('HSET', 'creator-api-sandbox:owners', 'main', string.format('1 %.0f killed', ms))"

describe.skipIf(!hasRedis())('a state in Redis', () => {
  it('rejects saves with an older token, and keeps an expired lease if no other server has taken it', async () => {
    const { url, ask } = await startRedis()
    const options = { url, password: undefined, prefix: 'a', worldTtlMs: undefined, log: () => {} }
    const bytes = (text: string) => new TextEncoder().encode(text)
    const first = await openRedisStore(options)
    await first.save('store', bytes('{}'))
    const second = await openRedisStore(options)
    onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}))
    for (const id of ['_a', '_b']) {
      expect(await first.acquire(id, { asks: false })).toMatchObject({
        isTaken: true,
        isStored: false,
      })
      await first.save(id, bytes('first'))
      // Makes the lease expire.
      const [, token = '', server = ''] =
        /(\d+) \d+ (.*)\r/.exec(await ask(`HGET a:owners ${id}`)) ?? []
      await ask(`HSET a:owners ${id} "${token} 1 ${server}"`)
    }
    expect(await second.acquire('_a', { asks: false })).toMatchObject({
      isTaken: true,
      isStored: true,
    })
    await expect(first.save('_a', bytes('late'))).rejects.toThrow('has taken the world')
    await expect(first.remove('_a')).rejects.toThrow('has taken the world')
    await second.save('_a', bytes('second'))
    expect(await first.renew(['_a', '_b'])).toEqual({ lost: ['_a'], areDataLost: false })
    expect(await second.acquire('_b', { asks: false })).toMatchObject({ isTaken: false })
    await first.release(['_a'])
    await expect(first.save('_a', bytes('late'))).rejects.toThrow('has taken the world')
    expect(await first.acquire('_a', { asks: false })).toMatchObject({ isTaken: false })
    expect(new TextDecoder().decode(await first.load('_a'))).toBe('second')
  })

  it('grants no leases to others for 10 s after the data was lost, and detects the loss', async () => {
    const { url, ask } = await startRedis()
    const options = { url, password: undefined, prefix: 'a', worldTtlMs: undefined, log: () => {} }
    const first = await openRedisStore(options)
    const bytes = new TextEncoder().encode('{}')
    await first.save('store', bytes)
    const second = await openRedisStore(options)
    onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}))
    await first.acquire('_a', { asks: false })
    await first.renew(['_a'])
    await ask('FLUSHALL')
    expect(await second.acquire('_a', { asks: false })).toEqual({
      isTaken: false,
      isStored: false,
      holder: '',
    })
    await first.save('_a', bytes)
    expect(await first.renew(['_a'])).toEqual({ lost: [], areDataLost: true })
    expect(await second.acquire('_a', { asks: false })).toMatchObject({
      isTaken: false,
      holder: expect.stringContaining('process'),
    })
  })

  it('reports since when Redis is unavailable, and saves everything when it is back without its data', async () => {
    const redis = await startRedis('--appendonly', 'no')
    const server = await serveCommand(...solo, '--state', redis.url)
    await redis.kill()
    expect(await addTag(server.url, 'mine')).toBe(200)
    await expect
      .poll(async () => (await read(server.url, '/health')).state)
      .toMatch(/^failing since \d{4}-/)
    await redis.start()
    await expect.poll(async () => (await read(server.url, '/health')).state).toBeUndefined()
    await server.stop()
    const next = await serveCommand('--clock', 'frozen', '--state', redis.url)
    expect(await listTags(next.url)).toContain('mine')
  })

  it('reports that Redis is unavailable even if there are no writes', async () => {
    const redis = await startRedis()
    const server = await serveCommand(...solo, '--state', redis.url)
    await redis.kill()
    await expect
      .poll(async () => (await read(server.url, '/health')).state)
      .toMatch(/^failing since/)
    await redis.start()
    await expect.poll(async () => (await read(server.url, '/health')).state).toBeUndefined()
  })

  it('keeps the main world and isolated worlds across restarts, and each server adopts the stored start', async () => {
    const { url: state } = await startRedis()
    const first = await serveCommand(...solo, '--state', state)
    await addTag(first.url, 'mine')
    await addTag(first.url, 'theirs', 'other')
    const kept = await read(first.url, '/_sandbox/snapshot')
    const other = await listTags(first.url, 'other')
    expect(other).toContain('theirs')
    expect(await first.stop()).toMatchObject({ code: 0 })

    const second = await serveCommand('--clock', 'frozen', '--state', state)
    expect(await read(second.url, '/_sandbox/snapshot')).toEqual(kept)
    expect(await listTags(second.url, 'other')).toEqual(other)
    await fetch(`${second.url}/_sandbox/worlds/other`, { method: 'DELETE' })
    await second.stop()
    const refused = await runInProcess('--port', '0', '--scenario', 'agency', '--state', state)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('it was created with the scenario solo, not with agency')
  })

  it('waits at startup until the lease of a killed server has expired', async () => {
    const { url: state, ask } = await startRedis()
    await (await serveCommand(...solo, '--state', state)).stop()
    await ask(`EVAL "${holdMain}" 0`)
    const server = await serveCommand('--clock', 'frozen', '--state', state)
    expect(await ask('HGET creator-api-sandbox:owners main')).toContain(`(process ${process.pid})`)
    expect(await addTag(server.url, 'mine')).toBe(200)
  })

  it('separates stores with different prefixes, and writes nothing outside the prefix', async () => {
    const { url: state, ask } = await startRedis()
    const first = await serveCommand(...solo, '--state', state, '--state-prefix', 'team-a')
    await addTag(first.url, 'mine')
    const second = await serveCommand(...solo, '--state', state, '--state-prefix', 'team-b')
    expect(await listTags(first.url)).toContain('mine')
    expect(await listTags(second.url)).not.toContain('mine')
    await Promise.all([first.stop(), second.stop()])
    const keys = (await ask('KEYS *')).match(/^[\w-]+:.*$/gm) ?? []
    expect(keys.length).toBeGreaterThan(5)
    expect(keys.filter((key) => !/^team-[ab]:(store|owners|item:)/.test(key))).toEqual([])
  })

  it('lets isolated worlds expire in Redis, and keeps the main world and the bases', async () => {
    const { url: state, ask } = await startRedis()
    const first = await serveCommand(...solo, '--state', state, '--world-ttl', '1h')
    await addTag(first.url, 'mine', 'other')
    await first.stop()
    const ttl = Number((await ask('TTL creator-api-sandbox:item:_other')).match(/:(-?\d+)/)?.[1])
    expect(ttl).toBeGreaterThan(3_600)
    expect(ttl).toBeLessThanOrEqual(3_720)
    expect(await ask('TTL creator-api-sandbox:item:main')).toContain(':-1')
  })

  it('uses the password in a variable, warns about settings that lose data, and rejects other settings in one line', async () => {
    const settings = ['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru']
    const { url: state } = await startRedis('--requirepass', 'secret', ...settings)
    vi.stubEnv('REDIS_PASSWORD', 'secret')
    vi.stubEnv('WRONG_PASSWORD', 'wrong')
    onTestFinished(() => void vi.unstubAllEnvs())
    const flags = ['--port', '0', '--state', state]
    const opened = await runInProcess(...flags, '--state-password-env', 'REDIS_PASSWORD')
    expect(opened.code).toBe(0)
    expect(opened.stderr).toContain('has no append-only file')
    expect(opened.stderr).toContain('maxmemory-policy allkeys-lru')
    const refusals = await Promise.all([
      runInProcess(...flags),
      runInProcess(...flags, '--state-password-env', 'WRONG_PASSWORD'),
      runInProcess('--port', '0', '--state', 'redis://127.0.0.1:1'),
    ])
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2])
    expect(refusals.map(({ stderr }) => stderr.trim().split('\n').length)).toEqual([1, 1, 1])
    expect(refusals[0]?.stderr).toContain('Redis refused the password (NOAUTH')
    expect(refusals[1]?.stderr).toContain('Redis refused the password (WRONGPASS')
    expect(refusals[2]?.stderr).toContain('ECONNREFUSED')
  })
})
