import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from 'redis'
import { findFreePort } from '../scripts/balancer.ts'
import type { Line } from './measure.ts'
import {
  budgets,
  createPostInEachWorld,
  startServer,
  comparePostTimes,
  createDurationLine,
  createRatioLine,
  worldCount,
} from './state.ts'
import type { Server } from './state.ts'

const replicaCount = 3
/** Number of worlds whose move to another replica is timed. */
const handOvers = 40

/**
 * Measures three replicas that share their worlds in Redis. Does nothing if Redis is not available.
 */
export async function benchSharedState(): Promise<Line[]> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return []
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'))
  const port = await findFreePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const redis = spawn('redis-server', [...place, '--appendonly', 'yes', '--save', ''], {
    stdio: 'ignore',
  })
  const servers: Server[] = []
  const client = createClient({ url: `redis://127.0.0.1:${port}` })
  // Connection errors are ignored, because the client reconnects until Redis listens.
  client.on('error', () => {})
  try {
    await client.connect()
    const plain = await startServer()
    servers.push(plain)
    const replicas: Server[] = []
    for (let count = 0; count < replicaCount; count += 1)
      replicas.push(await startServer(`redis://127.0.0.1:${port}`))
    servers.push(...replicas)
    const [saved = plain, other = plain] = replicas
    const slowed = await comparePostTimes({ plain, saved })
    const countStored = async (text: string) => {
      const keys = Array.from({ length: worldCount }, (_, number) => `_w${number + 1}`)
      const items = await client.mGet(keys.map((key) => `creator-api-sandbox:item:${key}`))
      return items.filter((item) => item?.includes(`"text":"${text}"`)).length
    }
    await createPostInEachWorld(replicas, 'first')
    while ((await countStored('first')) < worldCount) await wait(20)
    await createPostInEachWorld(replicas, 'second')
    const start = performance.now()
    while ((await countStored('second')) < worldCount) await wait(20)
    const storedMs = performance.now() - start
    const moves: number[] = []
    // Every third world (3, 6, 9, …) is on the first replica.
    for (let count = 1; count <= handOvers; count += 1) {
      const from = performance.now()
      await other.post(`w${count * replicaCount}`, 'moved')
      moves.push(performance.now() - from)
    }
    return [
      createDurationLine(
        `a post in each of ${worldCount} worlds of three replicas: all are in Redis`,
        storedMs,
        budgets.storedMs,
      ),
      createRatioLine('POST posts with --state redis:// / without, median', slowed),
      createDurationLine(
        'a post to a world of another replica, slowest',
        Math.max(...moves),
        2_000,
      ),
    ]
  } finally {
    for (const { process: child } of servers) child.kill('SIGKILL')
    client.destroy()
    redis.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
