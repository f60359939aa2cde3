import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { askAsOwner, createUnlimitedSandbox, readAsOwner } from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const types = ['subscribes', 'tips', 'post', 'chat_messages', 'stream'] as const
const day = 86_400_000
const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100)

async function openLimits(scenario: string): Promise<{ sandbox: Sandbox; account: number }> {
  const sandbox = await createUnlimitedSandbox(scenario)
  return { sandbox, account: sandbox.db.accounts.find({ organisation: 1, connected: true })!.id }
}

function getRows(sandbox: Sandbox, account: number, from = -Infinity, to = Infinity) {
  const isOpen = from === -Infinity && to === Infinity
  return sandbox.db.transactions.where(
    ({ accountId, status, transaction_created_at: time }) =>
      accountId === account &&
      status !== 'undo' &&
      (isOpen || (time !== null && Date.parse(time) >= from && Date.parse(time) <= to)),
  )
}

function getSums(rows: ReturnType<typeof getRows>) {
  return {
    total: rows.reduce((sum, { amount, net }) => sum + (amount === null ? 0 : cents(net)), 0) / 100,
    gross: rows.reduce((sum, { amount }) => sum + cents(amount), 0) / 100,
  }
}

async function expectAgreement(sandbox: Sandbox, account: number, from: number, to: number) {
  const window = `start_date=${new Date(from).toISOString()}&end_date=${new Date(to).toISOString()}`
  const rows = getRows(sandbox, account, from, to)
  const read = (path: string) => readAsOwner(sandbox, `/v1/${account}/earnings/${path}`)
  const { earning } = await read(`overview?${window}`)
  expect(earning).toMatchObject(getSums(rows))
  const chart = await read(`chart?${window}`)
  expect(
    chart.chartAmount.reduce((sum: number, { count }: { count: number }) => sum + cents(count), 0),
  ).toBe(cents(earning.total))
  expect(
    chart.chartCount.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
  ).toBe(rows.length)
  const { posts } = await read(`overview?${window}&by=posts`)
  const own = sandbox.db.posts.where(
    ({ accountId, status, isStream, postedAt }) =>
      accountId === account &&
      status === 'published' &&
      !isStream &&
      Date.parse(postedAt) >= from &&
      Date.parse(postedAt) <= to,
  )
  expect([posts.count.total, posts.views.total]).toEqual([
    own.length,
    own.reduce((sum, { lookCount }) => sum + lookCount, 0),
  ])
  let parts = 0
  for (const by of types) parts += cents((await read(`chart?${window}&by=${by}`)).gross)
  const unknown = rows.filter(({ category }) => category === null || category === 'unknown')
  expect(parts + cents(getSums(unknown).gross)).toBe(cents(earning.gross))
}

async function expectTotals(sandbox: Sandbox, account: number) {
  const read = (path: string) => readAsOwner(sandbox, `/v1/${account}/payouts/${path}`)
  const { total } = (await read('earning-statistics')).list
  expect({ total: total.all.total_net, gross: total.all.total_gross }).toEqual(
    getSums(getRows(sandbox, account)),
  )
  let spent = 0
  for (let path: string | undefined = '/v1/fans'; path !== undefined;) {
    const { data, _pagination } = await askAsOwner(sandbox, 'POST', path, {
      account_ids: [account],
      limit: 100,
    })
    for (const fan of data.fans) spent += cents(fan.total_spend)
    path = _pagination?.next_page
  }
  expect(spent).toBe(cents(total.all.total_gross))
  const { payoutAvailable, payoutPending } = await read('balances')
  const paid = sandbox.db.payouts
    .where(({ accountId, state }) => accountId === account && state !== 'rejected')
    .reduce((sum, { amount }) => sum + cents(amount), 0)
  const heldUndated = getRows(sandbox, account).filter(
    ({ transaction_created_at: time, status }) => time === null && status !== 'done',
  )
  if (payoutAvailable > 0)
    expect(cents(payoutAvailable) + cents(payoutPending) + paid).toBe(
      cents(total.all.total_net) - cents(getSums(heldUndated).total),
    )
}

/**
 * Makes a payment valid: tips are at least 5 dollars, and payments are never older than their post.
 */
function toPossible<
  Drawn extends {
    category: string | null
    amount: number | null
    transaction_created_at: string | null
  },
>(drawn: Drawn, postedAt = ''): Drawn & { messageId: null } {
  const { category, amount, transaction_created_at: time } = drawn
  return {
    ...drawn,
    amount: category === 'tip' && amount !== null ? Math.max(5, amount) : amount,
    transaction_created_at: time === null || time > postedAt ? time : postedAt,
    messageId: null,
  }
}

const lengths = fc.oneof(
  fc.integer({ min: 0, max: 3 * day }),
  fc.integer({ min: 0, max: 130 * day }),
  fc.integer({ min: 0, max: 800 * day }),
)

describe.each(['agency', 'boundaries'])('earnings of %s', (scenario) => {
  it('agree with the payments in any window, in the chart and in the sums', async () => {
    const { sandbox, account } = await openLimits(scenario)
    const now = sandbox.clock.now()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 760 * day }), lengths, async (back, length) => {
        await expectAgreement(sandbox, account, now - back, now - back + length)
      }),
      getRunOptions(10, 200),
    )
    await expectTotals(sandbox, account)
  })

  it('still agree after any writes', async () => {
    const { sandbox, account } = await openLimits(scenario)
    const { transactions, posts } = sandbox.db
    const now = sandbox.clock.now()
    const fans = sandbox.db.subscriptions.where({ accountId: account }).map(({ fanId }) => fanId)
    // Excludes unpublished posts, for which fans cannot pay.
    const postIds = posts.where({ accountId: account, status: 'published' }).map(({ id }) => id)
    const storyIds = sandbox.db.stories.where({ accountId: account }).map(({ id }) => id)
    const nothing = fc.constant(null)
    const drawn = fc.record({
      fanId: fc.constantFrom(...fans),
      transaction_created_at: fc.oneof(
        nothing,
        fc.integer({ min: 0, max: 500 * day }).map((back) => new Date(now - back).toISOString()),
      ),
      amount: fc.oneof(
        nothing,
        fc.integer({ min: 0, max: 20_000 }).map((amount) => amount / 100),
      ),
      net: fc.integer({ min: 0, max: 16_000 }).map((net) => net / 100),
      category: fc.constantFrom(
        'tip',
        'message',
        'recurring_subscription',
        'new_subscription',
        'unlock',
        'unknown',
        null,
      ),
      status: fc.constantFrom('done', 'undo', 'pending_return', 'loading'),
      postId: postIds.length === 0 ? nothing : fc.oneof(nothing, fc.constantFrom(...postIds)),
      isOnStream: fc.boolean(),
      storyId: storyIds.length === 0 ? nothing : fc.oneof(nothing, fc.constantFrom(...storyIds)),
    })
    // The net amount of a payment never exceeds its gross amount.
    const fields = drawn.map((row) => ({ ...row, net: Math.min(row.net, row.amount ?? row.net) }))
    const step = fc.record({
      verb: fc.constantFrom('insert', 'update', 'remove', 'stream'),
      pick: fc.nat(),
      fields,
    })
    let written = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 400 * day }),
        lengths,
        async (steps, back, length) => {
          for (const { verb, pick, fields: drawn } of steps) {
            const values = toPossible(drawn, posts.get(drawn.postId ?? 0)?.postedAt)
            const own = transactions.where({ accountId: account })
            const chosen = own[pick % Math.max(1, own.length)]
            if (verb === 'insert')
              transactions.insert({
                ...own[0]!,
                ...values,
                id: `8${String((written += 1)).padStart(14, '0')}`,
              })
            if (verb === 'update' && chosen !== undefined) transactions.update(chosen.id, values)
            if (verb === 'remove' && chosen !== undefined && own.length > 5)
              transactions.remove(chosen.id)
            const post = posts.get(postIds[pick % Math.max(1, postIds.length)] ?? 0)
            if (verb === 'stream' && post !== undefined)
              posts.update(post.id, { isStream: !post.isStream })
          }
          await expectAgreement(sandbox, account, now - back, now - back + length)
          await expectTotals(sandbox, account)
          expectNoViolations(sandbox)
        },
      ),
      getRunOptions(4, 80),
    )
    for (const { id, tipsSumm } of sandbox.db.stories.where({ accountId: account })) {
      const tips = transactions.where(
        ({ storyId, category, status }) =>
          storyId === id && category === 'tip' && status !== 'undo',
      )
      expect([id, cents(tipsSumm)]).toEqual([id, cents(getSums(tips).gross)])
    }
    const before = [sandbox.db.earningDays.all(), sandbox.db.publishedDays.all()]
    getIndexedTables(sandbox.db).earningDays.rebuild()
    getIndexedTables(sandbox.db).publishedDays.rebuild()
    expect([sandbox.db.earningDays.all(), sandbox.db.publishedDays.all()]).toEqual(before)
  })
})
