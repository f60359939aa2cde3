import { describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../../support/balancer.ts'
import { hasHaproxy } from '../../support/has-haproxy.ts'
import { startBalancer } from '../../support/haproxy.ts'
import { serveProcess } from '../../support/process.ts'

const worlds = Array.from({ length: 300 }, (_, number) => `worker-${number}`)
/** Number of concurrent requests. */
const batchSize = 30
/** Maximum time for which the worlds of a killed replica are unavailable, ms. */
const maxAwayMs = 2_000

/** Runs the command several times with the same data, as replicas behind HAProxy. */
async function startReplicas(count: number, flags: (place: number) => string[] = () => []) {
  const port = await findFreePort()
  const ports = await Promise.all(Array.from({ length: count }, findFreePort))
  const common = ['--base-url', `http://127.0.0.1:${port}`, '--scenario', 'solo']
  common.push('--now', '2026-09-25T00:00:00Z', '--max-worlds', '400')
  const start = (place: number) =>
    serveProcess('--port', String(ports[place]), ...common, ...flags(place))
  const replicas = await Promise.all(ports.map((_, place) => start(place)))
  const balancer = await startBalancer(ports, port)
  const at = (place: number) => `http://127.0.0.1:${ports[place]}`
  const { keys, accounts } = await (await fetch(`${at(0)}/_sandbox/state`)).json()
  return {
    ...balancer,
    replicas,
    at,
    start,
    key: keys[0].key as string,
    account: accounts[0].id as number,
  }
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>

const worldsAt = async (address: string): Promise<string[]> =>
  (await (await fetch(`${address}/_sandbox/worlds`)).json()).map(({ id }: { id: string }) => id)

/** Adds a list to a world and reads all lists. Fails on any status other than 2xx. */
async function writeAndRead(
  { url, key, account }: Replicas,
  world: string,
  name: string,
): Promise<string[]> {
  const ask = async (init: RequestInit) => {
    const answer = await fetch(`${url}/v1/${account}/vault/lists`, {
      ...init,
      headers: { authorization: `Bearer ${key}~${world}`, 'content-type': 'application/json' },
    })
    if (!answer.ok) throw new Error(`${world}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  await ask({ method: 'POST', body: JSON.stringify({ name }) })
  const { data } = await ask({})
  return data.list.map((list: { name: string }) => list.name)
}

/**
 * Adds a list to each of many worlds and reads its lists. Works in batches, because HAProxy would
 * consider a replica down if it were too busy to answer health checks for 10 s.
 */
async function writeAndReadAll(
  team: Replicas,
  names: readonly string[],
  nameOf: (world: string) => string,
): Promise<string[][]> {
  const lists: string[][] = []
  for (let first = 0; first < names.length; first += batchSize)
    lists.push(
      ...(await Promise.all(
        names
          .slice(first, first + batchSize)
          .map((world) => writeAndRead(team, world, nameOf(world))),
      )),
    )
  return lists
}

describe.skipIf(!hasHaproxy())('three replicas behind HAProxy', () => {
  it('serve 300 worlds; if a replica is killed, only its worlds move, and all others are not affected', async () => {
    const team = await startReplicas(3)
    const digests = await Promise.all(
      [0, 1, 2].map(
        async (place) => (await (await fetch(`${team.at(place)}/health`)).json()).digest,
      ),
    )
    expect(new Set(digests)).toEqual(new Set([expect.stringMatching(/^[\da-f]{16}$/)]))

    const read = await writeAndReadAll(team, worlds, (world) => `of ${world}`)
    expect(read.map((lists) => lists.filter((name) => name.startsWith('of ')))).toEqual(
      worlds.map((world) => [`of ${world}`]),
    )
    const before = await Promise.all([0, 1, 2].map((place) => worldsAt(team.at(place))))
    expect(before.flat().toSorted()).toEqual(worlds.toSorted())
    for (const found of before) expect(found.length).toBeGreaterThan(50)

    const [, killed = []] = before
    const others = worlds.filter((world) => !killed.includes(world))
    // Clients of other worlds write and read continuously before and after the kill.
    const lost: unknown[] = []
    const over = new AbortController()
    let count = 0
    const going = (async () => {
      for (; !over.signal.aborted; count += 1)
        await writeAndRead(team, others[count % others.length] ?? '', `${count}`)
    })().catch((error: unknown) => lost.push(error))
    await expect.poll(() => count, { timeout: 60_000 }).toBeGreaterThan(20)
    const start = performance.now()
    await team.replicas[1]?.stop('SIGKILL')
    // A request on a connection that HAProxy has not yet seen closing is aborted, so clients retry.
    const lists = await Promise.all(
      killed
        .slice(0, 20)
        .map((world) =>
          vi.waitFor(() => writeAndRead(team, world, 'anew'), { timeout: maxAwayMs, interval: 20 }),
        ),
    )
    const awayMs = performance.now() - start
    // The worlds of the killed replica start over with seeded data on other replicas.
    expect(
      lists.every(
        (names) => names.includes('anew') && !names.some((name) => name.startsWith('of ')),
      ),
    ).toBe(true)
    expect(awayMs).toBeLessThan(maxAwayMs)
    expect(team.log()).toContain('Server replicas/replica-2 is DOWN')
    over.abort()
    await going
    expect(lost).toEqual([])

    await team.start(1)
    await expect.poll(() => team.log()).toContain('Server replicas/replica-2 is UP')
    await writeAndReadAll(team, worlds, () => 'last')
    expect((await worldsAt(team.at(1))).toSorted()).toEqual(killed.toSorted())
    process.stdout.write(
      `worlds of a killed replica answered again after ${Math.round(awayMs)} ms; ${before.map(({ length }) => length).join(', ')} worlds a replica\n`,
    )
  })

  it('lose no requests when a replica is drained with the command in docs/scale.md', async () => {
    const team = await startReplicas(2)
    const names = worlds.slice(0, 40)
    await Promise.all(names.map((world) => writeAndRead(team, world, 'first')))
    const kept = await worldsAt(team.at(0))
    await team.direct('set server replicas/replica-2 state drain')
    const ended = team.replicas[1]?.stop('SIGTERM')
    for (let round = 0; round < 3; round += 1)
      await Promise.all(names.map((world) => writeAndRead(team, world, `round ${round}`)))
    expect((await ended)?.code).toBe(0)
    expect((await worldsAt(team.at(0))).length).toBe(40)
    expect(kept.length).toBeLessThan(40)
  })
})
