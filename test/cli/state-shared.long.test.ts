import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RedisConnection } from '../../src/cli/redis-connection.ts'
import { run, serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { solo, listTags, addTag } from '../support/shared.ts'

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

  it('end in one line if what listens at the address never answers', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const refused = await run('--port', '0', '--state', `redis://127.0.0.1:${port}`)
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
    // The second server must not start again with seeded data.
    expect(await listTags(second.url, 'a')).toContain('one')
    expect(performance.now() - start).toBeLessThan(12_000)
  })
})
