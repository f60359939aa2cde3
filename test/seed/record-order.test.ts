import { describe, expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

/** Functions that return the time of a record, by table. */
const times = {
  posts: 'createdAt',
  comments: 'postedAt',
  messages: 'createdAt',
  massMessages: 'createdAt',
  transactions: 'transaction_created_at',
  subscriptions: 'subscribedAt',
  follows: 'subscribedAt',
  vaultMedia: 'createdAt',
  stories: 'createdAt',
  notifications: 'createdAt',
  payouts: 'createdAt',
} as const

describe.each(['agency', 'solo'] as const)('%s', (name) => {
  it('numbers its records in the order of time', async () => {
    const { db } = await createFreshSandbox(name)
    for (const [table, field] of Object.entries(times))
      for (const { id: accountId } of db.accounts.all()) {
        const records = db[table as keyof typeof times] as unknown as {
          where: (query: object) => Record<string, unknown>[]
        }
        const rows = records.where({ accountId }).filter((row) => row[field] !== null)
        const byId = rows.toSorted((a, b) => Number(a.id) - Number(b.id))
        const late = byId.filter(
          (row, place) => String(byId[place - 1]?.[field] ?? '') > String(row[field]),
        )
        expect([table, accountId, late]).toEqual([table, accountId, []])
      }
  })

  it('has no comment with more likes than its post has viewers', async () => {
    const { db } = await createFreshSandbox(name)
    const viewers = new Map(db.posts.all().map((post) => [post.id, post.uniqueLookCount]))
    expect(
      db.comments.where(({ postId, likesCount }) => likesCount > (viewers.get(postId) ?? 0)),
    ).toEqual([])
  })

  it('adds fans to its lists after they subscribed', async () => {
    const { db } = await createFreshSandbox(name)
    const subscriptions = db.subscriptions.all()
    const subscribed = new Map(
      subscriptions.map((row) => [`${row.accountId}:${row.fanId}`, row.subscribedAt]),
    )
    const early = db.userListMembers.where(
      (row) => row.addedAt < (subscribed.get(`${row.accountId}:${row.userId}`) ?? ''),
    )
    expect(early).toEqual([])
  })

  it('renews the subscriptions of its accounts in time', async () => {
    const { db, clock } = await createFreshSandbox(name)
    expect(db.follows.where((row) => row.isAutoprolong && row.expiredAt <= clock.iso())).toEqual([])
  })
})

it('reports a trial link that reached its limit but still accepts claims', async () => {
  const sandbox = await createFreshSandbox('agency')
  const { db } = sandbox
  const link = db.trialLinks.find(
    ({ subscribeCounts, finishedAt }) => subscribeCounts > 0 && finishedAt !== null,
  )!
  db.trialLinks.update(link.id, { finishedAt: null, subscribeCounts: 1 })
  const { invariants } = sandbox.check()
  expect(invariants.flatMap(({ broken }) => broken)).toEqual([
    expect.stringContaining(`The trial link ${link.id} has `),
  ])
})
