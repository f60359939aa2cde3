import { describe, expect, it } from 'vitest'
import { maxRemovedPosts } from '../../src/resources/posts/feed.ts'
import { openClient, sendAsOwner } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { later } from '../support/mass-messages.ts'
import { feedOf } from '../support/posts.ts'
import { idsOf, readAllIds } from '../support/read-all-pages.ts'

const ranked = ['favorites_count_desc', 'tips_summ_desc', 'tips_summ_asc'] as const

/** Returns the first page of a ranked feed and its cursor. */
async function firstPage(client: Client, order: string) {
  const { data, _pagination } = (await client.get(`posts?order=${order}&limit=7`)).body
  return { next: _pagination.next_page as string, last: data.list.at(-1).id as number }
}

describe('cursors of ranked feeds', () => {
  it.each(ranked)('continue %s after their post was deleted', async (order) => {
    const client = await openClient('agency')
    const { next, last } = await firstPage(client, order)
    const rest = await readAllIds(client, next)
    await client.delete(`posts/${last}`)
    expect(rest.length).toBeGreaterThan(20)
    expect(await readAllIds(client, next)).toEqual(rest)
  })

  it.each(ranked)('continue %s after their post has expired', async (order) => {
    const client = await openClient('agency')
    const account = client.account()
    const expiresAt = later(client, 1000)
    for (const { id } of feedOf(client, account).slice(0, 20))
      client.db.posts.update(id, { expireDays: 30, expiresAt })
    const { next, last } = await firstPage(client, order)
    const rest = await readAllIds(client, next)
    client.db.posts.update(last, { expiresAt })
    client.sandbox.clock.advance('1s')
    expect((await client.get(`posts/${last}`)).status).toBe(404)
    const left = new Set(idsOf(feedOf(client, account)))
    expect(await readAllIds(client, next)).toEqual(rest.filter((id) => left.has(id)))
  })

  it('are kept in a snapshot and a fork, but not after a reset', async () => {
    const client = await openClient('solo')
    const { next, last } = await firstPage(client, 'tips_summ_desc')
    const snapshot = client.sandbox.snapshot()
    await client.delete(`posts/${last}`)
    const after = JSON.parse(JSON.stringify(client.sandbox.snapshot()))
    const fork = client.sandbox.fork()
    expect((await sendAsOwner(fork, 'GET', next)).status).toBe(200)
    await client.sandbox.restore(snapshot)
    expect(client.db.removedPosts.size).toBe(0)
    await client.sandbox.restore(after)
    expect((await client.get(next)).status).toBe(200)
    await client.sandbox.reset()
    expect(client.db.removedPosts.size).toBe(0)
  })

  it('return 400 if they never belonged to a post of the account', async () => {
    const client = await openClient('agency')
    const foreign = client.db.posts.find(
      (post) => post.accountId !== client.account() && post.status === 'published',
    )!
    for (const cursor of ['1', foreign.postedAtPrecise]) {
      for (const order of ['favorites_count_desc', 'tips_summ_desc']) {
        const { status, body } = await client.get(
          `posts?order=${order}&before_publish_time=${cursor}`,
        )
        expect([status, body.error]).toEqual([400, expect.stringContaining('before_publish_time')])
      }
    }
  })

  it('continue after a thousand posts with the same time, into the next second', async () => {
    const client = await openClient('solo', { clock: 'frozen' })
    const { clock, db, make } = client.sandbox
    const second = 1_790_900_000
    clock.set(new Date(second * 1000 - 1).toISOString())
    make.post.many(1_000, (micros) => ({ postedAtPrecise: `${second - 1}.${999_000 + micros}` }))
    make.post.many(3, (micros) => ({ postedAtPrecise: `${second}.00000${micros}` }))
    const { id } = await client.postData('posts', { text: 'Hello' })
    expect(db.posts.get(id)?.postedAtPrecise).toBe(`${second}.000003`)
  })

  it('are kept for the last thousand removed posts of an account', async () => {
    const client = await openClient()
    const { db, make } = client.sandbox
    const first = 1_000_000_000
    for (const { id } of make.post.many(maxRemovedPosts + 1, (place) => ({
      postedAtPrecise: `${first + place}.000000`,
    })))
      db.posts.remove(id)
    const status = async (cursor: number) =>
      (await client.get(`posts?order=tips_summ_desc&before_publish_time=${cursor}`)).status
    expect([await status(first), await status(first + 1)]).toEqual([400, 200])
    expect(db.removedPosts.size).toBe(maxRemovedPosts)
  })
})
