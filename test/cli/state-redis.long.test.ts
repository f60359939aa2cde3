import { describe, expect, it } from 'vitest'
import { serveCommand } from '../support/command.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { addTag, listTags, readJson as read, solo } from '../support/shared-state.ts'

describe.skipIf(!hasRedis())('a state in Redis', () => {
  it('reports since when Redis is unavailable, and saves everything when it is back without its data', async () => {
    const redis = await startRedis('--appendonly', 'no')
    const server = await serveCommand(...solo, '--state', redis.url)
    await redis.kill()
    expect(await addTag(server.url, 'mine')).toBe(200)
    await expect
      .poll(async () => (await read(server.url, '/health')).state, { timeout: 10_000 })
      .toMatch(/^failing since \d{4}-/)
    await redis.start()
    await expect
      .poll(async () => (await read(server.url, '/health')).state, { timeout: 10_000 })
      .toBeUndefined()
    await server.stop()
    const next = await serveCommand('--clock', 'frozen', '--state', redis.url)
    expect(await listTags(next.url)).toContain('mine')
  })

  it('reports that Redis is unavailable even if there are no writes', async () => {
    const redis = await startRedis()
    const server = await serveCommand(...solo, '--state', redis.url)
    await redis.kill()
    await expect
      .poll(async () => (await read(server.url, '/health')).state, { timeout: 10_000 })
      .toMatch(/^failing since/)
    await redis.start()
    await expect
      .poll(async () => (await read(server.url, '/health')).state, { timeout: 10_000 })
      .toBeUndefined()
  })
})
