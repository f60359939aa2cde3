import { describe, expect, it, onTestFinished } from 'vitest'
import { openRedisStore } from '../../src/cli/state-redis.ts'
import { runInProcess } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'

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
})

it.each<[string[], string]>([
  [['--state', 'redis://:secret@127.0.0.1'], 'it holds a password'],
  [['--state', 'redis://127.0.0.1/names'], '/names must be a database number'],
  [['--state', 'http://127.0.0.1'], 'it must be a folder, or a URL that starts with redis://'],
  [['--state-prefix', 'a'], '--state-prefix: it needs --state redis://'],
  [['--state-prefix', 'a*', '--state', 'redis://127.0.0.1'], 'must have 1 to 100 letters'],
  [
    ['--state', 'redis://127.0.0.1', '--state-password-env', 'NOT_SET_HERE'],
    'the environment variable is not set',
  ],
])('refuses %j', async (flags, why) => {
  const { code, stderr } = await runInProcess('--port', '0', ...flags)
  expect(code).toBe(2)
  expect(stderr).toContain(why)
  expect(stderr).not.toContain('secret')
})
