import { expect, it } from 'vitest'
import { hasHaproxy } from '../support/has-haproxy.ts'
import { hasRedis } from '../support/redis.ts'
import { startReplicaTeam } from '../support/team.ts'

/** `SOAK_KILLS=5 npm run test:soak` shortens the run. */
const kills = Number(process.env['SOAK_KILLS'] ?? 60)
/**
 * After this number of kills, Redis is also stopped. Redis is restarted once with its data and once
 * without data.
 */
const killsUntilRedis = 10

it.skipIf(!hasHaproxy() || !hasRedis())(
  'loses and overwrites nothing in 500 worlds that three replicas share, at each of 60 kills',
  async () => {
    const team = await startReplicaTeam({ worlds: 500 })
    await team.settle()
    const outages: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      outages.push(await team.kill(kill % 3))
      console.info(`Kill ${kill}: longest outage ${outages.at(-1)} ms`)
      if (kill % killsUntilRedis === 0)
        await team.stopRedis(2_000, (kill / killsUntilRedis) % 2 === 0 ? 'lost' : 'kept')
    }
    const report = await team.finish()
    process.stdout.write(`${JSON.stringify({ longestOutage: Math.max(...outages), ...report })}\n`)
    expect(report).toMatchObject({ lost: [], overwritten: [], doubled: [] })
    expect(report.acked).toBeGreaterThan(500 * kills)
  },
)
