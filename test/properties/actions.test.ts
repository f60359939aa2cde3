import fc from 'fast-check'
import type { Sandbox } from 'creator-api-sandbox'
import { SandboxError } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { freshSandbox } from '../support/matrix.ts'
import { readJson } from '../support/requests.ts'

type Action = Parameters<Sandbox['act']>[0]

const account_id = 100200300
const status = fc.constantFrom('done' as const, 'loading' as const)
const count = fc.integer({ min: 1, max: 5000 })
const amount = fc.integer({ min: 100, max: 20_000 }).map((cents) => cents / 100)

/** Anything that can happen on the account; who and what is mostly left to the world. */
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('subscriber.new' as const), account_id: fc.constant(account_id), price: fc.constantFrom(0, 9.99, 25), status }),
  fc.record({ type: fc.constantFrom('link.claim' as const), account_id: fc.constant(account_id), clicks: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ type: fc.constantFrom('subscriber.renew' as const, 'post.unlock' as const, 'message.unlock' as const), account_id: fc.constant(account_id), status }),
  fc.record({ type: fc.constantFrom('subscriber.expire' as const, 'message.from_fan' as const, 'message.read' as const, 'post.comment' as const, 'transaction.settle' as const, 'media.ready' as const), account_id: fc.constant(account_id) }),
  fc.record({ type: fc.constant('tip' as const), account_id: fc.constant(account_id), amount, on: fc.constantFrom('post' as const, 'chat' as const, 'profile' as const), status }),
  fc.record({ type: fc.constant('post.publish' as const), account_id: fc.constant(account_id), price: fc.constantFrom(0, 5, 12.5) }),
  fc.record({ type: fc.constantFrom('post.like' as const, 'post.view' as const), account_id: fc.constant(account_id), count }),
  fc.record({ type: fc.constant('transaction.reverse' as const), account_id: fc.constant(account_id), to: fc.constantFrom('pending_return' as const, 'undo' as const) }),
  fc.record({ type: fc.constant('clock.advance' as const), by: fc.constantFrom('90s', '7h', '3d', '31d') }),
)

/** Does the actions, those left out for which the world has nobody. */
function play(sandbox: Sandbox, actions: readonly Action[]): void {
  for (const each of actions) {
    try {
      sandbox.act(each)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      expect(error.message).toContain('has no ')
    }
  }
}

async function read(sandbox: Sandbox, path: string, body?: unknown) {
  const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys['owner']}`, 'content-type': 'application/json' }
  const reply = await sandbox.handle({ method: body === undefined ? 'GET' : 'POST', url: `/v1/${path}`, header: (name) => headers[name] ?? null, body: body === undefined ? null : JSON.stringify(body) })
  expect([path, reply.status]).toEqual([path, 200])
  // oxlint-disable-next-line typescript/no-explicit-any
  return readJson<{ data: any }>(reply).data
}

const cents = (rows: readonly { amount: number | null }[]) => rows.reduce((sum, row) => sum + Math.round((row.amount ?? 0) * 100), 0)
const sum = (chart: readonly { count: number }[]) => chart.reduce((total, point) => total + point.count, 0)

it('keeps all figures in agreement, whatever happens', async () => {
  const base = await freshSandbox('solo')
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
      const sandbox = base.fork()
      play(sandbox, actions)
      const { db } = sandbox
      const earned = db.transactions.where((row) => row.accountId === account_id && row.status !== 'undo')

      // Fans: what they spent, alone and in the list.
      for (const { fanId } of db.subscriptions.where({ accountId: account_id })) {
        const own = earned.filter((row) => row.fanId === fanId)
        const { stats } = await read(sandbox, `fans/${fanId}/stats`, { account_ids: [account_id] })
        expect([fanId, Math.round(stats[0].total_spend * 100), stats[0].purchase_count]).toEqual([fanId, cents(own), own.length])
      }

      const { fans } = await read(sandbox, 'fans', { account_ids: [account_id], limit: 100 })
      expect(fans.reduce((total: number, fan: { total_spend: number }) => total + Math.round(fan.total_spend * 100), 0)).toBe(cents(earned))
      expect(fans.map((fan: { fan_id: string }) => Number(fan.fan_id)).toSorted()).toEqual([...new Set(earned.map(({ fanId }) => fanId))].toSorted())

      // Earnings.
      const timed = earned.filter((row) => row.transaction_created_at !== null)
      const { earning } = await read(sandbox, `${account_id}/earnings/overview?start_date=2004-01-01&end_date=now`)
      expect(Math.round(earning.gross * 100)).toBe(cents(timed))
      expect(Math.round(earning.total * 100)).toBe(timed.reduce((total, row) => total + Math.round(row.net * 100), 0))

      // Links: what those who claimed them paid since.
      for (const { id } of db.trackingLinks.where({ accountId: account_id, endDate: null })) {
        const claims = db.subscriptions.where({ trackingLinkId: id })
        const paid = timed.filter((row) => claims.some(({ fanId, subscribedAt }) => fanId === row.fanId && (row.transaction_created_at ?? '') >= subscribedAt))
        const link = await read(sandbox, `${account_id}/tracking-links/${id}`)
        expect([id, link.countSubscribers, Math.round(link.revenue.total * 100)]).toEqual([id, claims.length, cents(paid)])
        expect(link.countTransitions).toBeGreaterThanOrEqual(link.countSubscribers)
      }

      // Posts: each chart sums to its total.
      for (const { id } of db.posts.where({ accountId: account_id, status: 'published' })) {
        const { hasStats, ...stats } = await read(sandbox, `${account_id}/posts/${id}/stats`)
        const charts = ['look', 'uniqueLook', 'like', 'comment', 'tip'].map((name) => [sum(stats[`${name}Chart`]), stats[`${name}Count`]])
        expect([id, charts]).toEqual([id, charts.map(([, total]) => [total, total])])
        expect([id, sum(stats.tipSumChart), sum(stats.purchasesChart), stats.likeCount <= stats.uniqueLookCount || !hasStats]).toEqual([id, stats.tipSum, stats.purchasedCount, true])
      }

      // Notifications: the counts are those of the unread rows.
      const unread = db.notifications.where({ accountId: account_id, isRead: false })
      const { all, ...tabs } = await read(sandbox, `${account_id}/notifications/counts`)
      expect(all).toBe(unread.length)
      for (const [tab, size] of Object.entries(tabs)) expect([tab, size]).toEqual([tab, unread.filter(({ type }) => type === tab).length])

      // Chats and messages: what is bought is open.
      for (const message of db.messages.where((row) => row.price > 0 && !row.isFromFan)) {
        expect([message.id, message.isOpened]).toEqual([message.id, earned.some((row) => row.messageId === message.id && row.category === 'message')])
      }

      // Nothing is lost on the way through JSON.
      const snapshot = JSON.stringify(sandbox.snapshot())
      await sandbox.restore(JSON.parse(snapshot))
      expect(JSON.stringify(sandbox.snapshot())).toBe(snapshot)
    }),
    { numRuns: 60 },
  )
})

it('comes to the same bytes from the same seed and the same actions', async () => {
  const base = await freshSandbox('solo')
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const [one, two] = [base.fork(), base.fork()]
      play(one, actions)
      play(two, actions)
      expect(JSON.stringify(one.snapshot())).toBe(JSON.stringify(two.snapshot()))
    }),
    { numRuns: 60 },
  )
})
