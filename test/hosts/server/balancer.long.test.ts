import { startServer } from 'creator-api-sandbox/server'
import type { SandboxServer } from 'creator-api-sandbox/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../support/balancer.ts'
import { hasHaproxy } from '../../support/has-haproxy.ts'
import { startBalancer } from '../../support/haproxy.ts'
import type { Balancer } from '../../support/haproxy.ts'

/** Starts a load balancer in front of replicas in this process. */
async function startReplicas(
  count: number,
): Promise<Balancer & { replicas: SandboxServer[]; key: string; account: number }> {
  const port = await findFreePort()
  const start = () =>
    startServer({ port: 0, scenario: 'solo', baseUrl: `http://127.0.0.1:${port}` })
  const replicas = await Promise.all(Array.from({ length: count }, start))
  onTestFinished(async () => {
    await Promise.all(replicas.map(({ stop }) => stop()))
  })
  const balancer = await startBalancer(
    replicas.map(({ url }) => Number(new URL(url).port)),
    port,
  )
  const [first] = replicas as [SandboxServer]
  return {
    ...balancer,
    replicas,
    key: first.sandbox.keys.owner,
    account: first.sandbox.db.accounts.find({ connected: true })?.id ?? 0,
  }
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
const json = (method: string, body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
/** Returns the numbers of the replicas that have the given world. */
const homesOf = (replicas: readonly SandboxServer[], name: string) =>
  replicas.flatMap(({ sandbox }, place) =>
    sandbox.control.worlds().some(({ id }) => id === name) ? [place] : [],
  )

describe.skipIf(!hasHaproxy())('HAProxy with deploy/haproxy.cfg', () => {
  it('sends all requests for a world to the same replica, wherever the name is in the request', async () => {
    const { url, replicas, key, account } = await startReplicas(3)
    const home: number[] = []
    for (let number = 0; number < 6; number += 1) {
      const name = `worker-${number}`
      const keyed = { authorization: `Bearer ${key}~${name}` }
      const statuses: number[] = []
      const ask = async (path: string, init?: RequestInit) => {
        const answer = await fetch(path.startsWith('http') ? path : url + path, init)
        statuses.push(answer.status)
        const text = await answer.text()
        return text.startsWith('{') ? JSON.parse(text) : text
      }
      // The first request determines which replica has the world.
      const ways = [
        () => ask(`/v1/${account}/posts?limit=1`, { headers: keyed }),
        () => ask('/v1/tags?world=elsewhere', { headers: { 'x-api-key': `${key}~${name}` } }),
        () =>
          ask(`/_sandbox/checkpoint?world=${name}`, {
            method: 'POST',
            headers: { authorization: 'Bearer token~other' },
          }),
        () =>
          ask('/v1/tags', {
            headers: { authorization: `bearer  ${key}~${name} `, 'x-api-key': `${key}~other` },
          }),
      ]
      for (let turn = 0; turn < ways.length; turn += 1)
        await ways[(number + turn) % ways.length]?.()
      const { data: posts } = await ask(`/v1/${account}/posts?media_type=photos&limit=1`, {
        headers: keyed,
      })
      await ask(posts.list[0].media[0].files.full.url)
      const upload = await ask(`/v1/${account}/upload/signed/create`, {
        method: 'POST',
        headers: { ...keyed, 'content-type': 'application/json' },
        body: JSON.stringify({
          key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
          parts: 1,
          contentType: 'image/jpeg',
        }),
      })
      await ask(upload.data.url, { method: 'PUT', body: 'bytes' })
      const { data: links } = await ask(`/v1/${account}/trial-links`, { headers: keyed })
      const share = await ask(`/v1/${account}/trial-links/${links.list[0].id}/shares`, {
        method: 'POST',
        headers: { ...keyed, 'content-type': 'application/json' },
        body: '{}',
      })
      await ask(share.data.url)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      home.push(...homesOf(replicas, name))
    }
    expect(home).toHaveLength(6)
    expect(new Set(home).size).toBe(3)
    expect(replicas.flatMap(({ sandbox }) => sandbox.requests.map(({ path }) => path))).toEqual([])
  })

  it('sends an encoded path of the control plane to the replica of its world', async () => {
    const { url, direct } = await startReplicas(3)
    /** Counts the requests to each replica, excluding health checks. */
    const countRequests = async () => {
      const [head = '', ...rows] = (await direct('show stat')).split('\n')
      const place = head.split(',').indexOf('stot')
      const ofReplicas = rows.filter((row) => row.startsWith('replicas,replica-'))
      return ofReplicas.map((row) => Number(row.split(',')[place]))
    }
    for (const world of ['worker-0', 'worker-1', 'worker-2', 'worker-3']) {
      const before = await countRequests()
      await fetch(`${url}/_sandbox/state?world=${world}`)
      await fetch(`${url}/%5fsandbox/state?world=${world}`)
      const after = await countRequests()
      expect(after.map((count, place) => count - (before[place] ?? 0)).toSorted()).toEqual([
        0, 0, 2,
      ])
    }
  })

  it('creates and removes a world by name on its replica, and requires a name', async () => {
    const { url, replicas } = await startReplicas(2)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect((await fetch(`${url}/_sandbox/worlds`, json('POST', { name }))).status).toBe(200)
      await fetch(`${url}/_sandbox/state?world=${name}`)
      expect(homesOf(replicas, name)).toHaveLength(1)
      expect((await fetch(`${url}/_sandbox/worlds/${name}`, { method: 'DELETE' })).status).toBe(200)
      expect(homesOf(replicas, name)).toEqual([])
    }
    const refused = await fetch(`${url}/_sandbox/worlds`, json('POST', {}))
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: expect.stringContaining('it has no name') },
    ])
  })

  it('sends requests without a world to one replica, and passes its faults on unchanged', async () => {
    const { url, replicas, key } = await startReplicas(3)
    for (let count = 0; count < 6; count += 1) await fetch(`${url}/v1/tags`, bearer(key))
    const asked = replicas.map(
      ({ sandbox }) => sandbox.requests.filter(({ path }) => path === '/v1/tags').length,
    )
    expect(asked.toSorted()).toEqual([0, 0, 6])
    await fetch(`${url}/_sandbox/faults`, json('POST', { drop: true }))
    await expect(fetch(`${url}/v1/tags`, bearer(key))).rejects.toThrow('fetch failed')
    expect(
      replicas
        .map(({ sandbox }) => sandbox.requests.filter(({ status }) => status === 0).length)
        .toSorted(),
    ).toEqual([0, 0, 1])
  })
})
