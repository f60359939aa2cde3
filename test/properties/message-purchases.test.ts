import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { askAsOwner, readAsOwner } from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const step = fc.record({
  kind: fc.constantFrom('buy', 'late', 'undo', 'redo', 'unsend'),
  place: fc.nat({ max: 4 }),
  seconds: fc.integer({ min: 0, max: 2 }),
})

function take(
  { sandbox, queueId }: { sandbox: Sandbox; queueId: number },
  { kind, place, seconds }: { kind: string; place: number; seconds: number },
): void {
  const { db, clock } = sandbox
  clock.advance(`${seconds}s`)
  const message = db.messages.where({ queueId })[place]
  if (message === undefined) return
  const payments = db.transactions.where({ messageId: message.id })
  const model = db.transactions.slice(0, 1)[0]!
  // New payments may have an earlier date than existing payments.
  const time = new Date(
    Math.max(Date.parse(message.createdAt), clock.now() - (kind === 'late' ? 5000 : 0)),
  ).toISOString()
  if (kind === 'buy' || kind === 'late') {
    const id = String(900_000_000_000 + db.transactions.size)
    db.transactions.insert({
      ...model,
      id,
      accountId: message.accountId,
      fanId: message.fanId,
      transaction_created_at: time,
      amount: 7,
      net: 5.6,
      category: 'message',
      status: 'done',
      postId: null,
      messageId: message.id,
    })
  }
  if (kind === 'undo') for (const { id } of payments) db.transactions.update(id, { status: 'undo' })
  if (kind === 'redo' && payments[0] !== undefined)
    db.transactions.update(payments[0].id, { status: 'done' })
  if (kind === 'unsend') db.messages.remove(message.id)
}

describe('the purchases of messages', () => {
  it('are the same if updated, rebuilt or restored, after any purchases, refunds and unsent messages', async () => {
    const base = await createFreshSandbox('solo')
    const { id: account } = base.db.accounts.find({ connected: true })!
    const userIds = base.db.subscriptions
      .where({ accountId: account, isBlocked: false })
      .slice(0, 5)
      .map(({ fanId }) => fanId)
    const { id: media } = base.db.vaultMedia.find({ accountId: account, isReady: true })!
    const { id: queueId } = (
      await askAsOwner(base, 'POST', `/v1/${account}/mass-messages`, {
        text: 'New',
        userIds,
        mediaFiles: [media],
        price: 7,
      })
    ).data
    const buyers = `mass-messages/${queueId}/buyers`
    const read = (sandbox: Sandbox) =>
      Promise.all(
        [buyers, `${buyers}?limit=1`, 'mass-messages/chart', 'direct-messages/chart'].map((path) =>
          readAsOwner(sandbox, `/v1/${account}/${path}`),
        ),
      )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.boolean(),
        async (steps, isBuiltEarly) => {
          const sandbox = base.fork()
          if (isBuiltEarly) await read(sandbox)
          for (const each of steps) take({ sandbox, queueId }, each)
          const before = await read(sandbox)
          expectNoViolations(sandbox)
          const restored = base.fork()
          await restored.control.restore(structuredClone(sandbox.snapshot()))
          expect(await read(restored)).toEqual(before)
          // A rebuild has no information about removed messages and the times of refunds.
          if (steps.some(({ kind }) => kind === 'unsend')) return
          getIndexedTables(sandbox.db).messagePurchases.rebuild()
          const withoutMarkers = ([all, page, ...charts]: typeof before) => [
            all.list,
            page.list,
            ...charts,
          ]
          expect(withoutMarkers(await read(sandbox))).toEqual(withoutMarkers(before))
        },
      ),
      getRunOptions(5, 300),
    )
  })
})
