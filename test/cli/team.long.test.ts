import { describe, expect, it } from 'vitest'
import { hasHaproxy } from '../support/has-haproxy.ts'
import { hasRedis } from '../support/redis.ts'
import { startReplicaTeam } from '../support/team.ts'
import { checkWrites, createWriteReport } from '../support/check-writes.ts'

const noProblems = { lost: [], overwritten: [], doubled: [] }

describe.skipIf(!hasHaproxy() || !hasRedis())('three replicas that share a Redis', () => {
  it('lose and overwrite nothing while replicas and Redis are stopped, paused and restarted', async () => {
    const team = await startReplicaTeam({ worlds: 100 })
    await team.settle()
    const outages = {
      kill: await team.kill(1),
      restart: await team.restart(2),
      pause: await team.pause(0, 15_000),
      redisWithData: await team.stopRedis(2_000, 'kept'),
      redisWithoutData: await team.stopRedis(2_000, 'lost'),
      killAgain: await team.kill(0),
    }
    const report = await team.finish()
    process.stdout.write(`${JSON.stringify({ outages, ...report })}\n`)
    expect(report).toMatchObject(noProblems)
    expect(report.acked).toBeGreaterThan(5_000)
    // HAProxy takes half a second to notice the failure, and the takeover takes up to 12 s. The
    // remaining time is a margin for a busy machine.
    expect(outages.kill).toBeLessThan(20_000)
    expect(outages.restart).toBeLessThan(10_000)
  })

  it('overwrite writes without the check of the tokens, and the test detects this', async () => {
    const team = await startReplicaTeam({ worlds: 30, hasTokens: false })
    await team.settle()
    // The pause is long enough for clients to reach other replicas even on a busy machine.
    await team.pause(0, 30_000)
    const { lost, overwritten } = await team.finish()
    expect(lost.length + overwritten.length).toBeGreaterThan(0)
  })
})

it('detects lost, overwritten and duplicate writes', () => {
  const report = createWriteReport()
  const writes = [100, 200, 900, 1_100, undefined].map((ackedAt, number) => ({
    name: `${number}`,
    ackedAt,
  }))
  const incidents = [{ at: 1_000, lossMs: 500 }]
  checkWrites(report, { world: 'a', writes, kept: ['1', '1', '3', '4', '4'] }, incidents)
  expect(report).toEqual({
    acked: 4,
    lostInBound: 1,
    lost: [],
    overwritten: ['a 0, acknowledged 900 ms before the incident: 1, 100 ms later, was kept'],
    doubled: ['a 1', 'a 4'],
  })
  checkWrites(report, { world: 'b', writes, kept: ['3'] }, incidents)
  expect(report.lost).toEqual(['b 0', 'b 1'])
})
