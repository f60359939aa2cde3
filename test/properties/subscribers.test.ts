import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { sendAsOwner } from '../support/client.ts'
import {
  askAsOwner,
  createUnlimitedSandbox,
  listActiveAccounts,
} from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const fields = {
  last_activity: 'lastActivity',
  expire_date: 'expiredAt',
  subscribe_date: 'subscribedAt',
  is_expired: 'expiredAt',
} as const
/** Returns the place of a subscription among those with the same last activity. */
const getNumber = (row: { activityNumber?: number | undefined }) => row.activityNumber ?? 0
const dayMs = 86_400_000

async function walk(sandbox: Sandbox, url: string): Promise<number[]> {
  const ids: number[] = []
  for (let next: string | undefined = url; next !== undefined;) {
    const { data, _pagination } = await askAsOwner(sandbox, 'GET', next)
    ids.push(...data.list.map(({ id }: { id: number }) => id))
    next = _pagination?.next_page
    expect(data.hasMore).toBe(next !== undefined)
  }
  return ids
}

it.each(['agency', 'boundaries'])(
  'walking the subscribers of %s returns every match once, in order, after any writes',
  async (scenario) => {
    const sandbox = await createUnlimitedSandbox(scenario)
    const accounts = listActiveAccounts(sandbox).filter(
      ({ id }) => getIndexedTables(sandbox.db).subscriptions.in('byAccount', id).size > 0,
    )
    const queries = fc.record({
      type: fc.constantFrom('active' as const, 'expired' as const),
      sort: fc.constantFrom(...(Object.keys(fields) as (keyof typeof fields)[])),
      dir: fc.constantFrom('asc', 'desc'),
      filters: fc.subarray(['online', 'inactive', 'recommenders'] as const),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...accounts),
        queries,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(),
        async ({ id: account }, { type, sort, dir, filters }, limit, choice) => {
          const fans = getIndexedTables(sandbox.db).subscriptions.in('byAccount', account)
          const { fanId } = fans.at(choice % fans.size)!
          if (choice % 3 === 0) sandbox.db.fans.update(fanId, { lastSeen: sandbox.clock.iso() })
          if (choice % 3 === 1)
            await sendAsOwner(
              sandbox,
              choice % 2 === 0 ? 'POST' : 'DELETE',
              `/v1/${account}/users/${fanId}/block`,
            )
          if (choice % 7 === 5) sandbox.clock.advance('7h')
          const asked = filters.filter((filter) => type === 'expired' || filter !== 'inactive')
          const by = type === 'active' && sort === 'is_expired' ? 'expire_date' : sort
          const query = new URLSearchParams({
            type,
            sort_by: by,
            sort_dir: dir,
            limit: String(limit),
            ...Object.fromEntries(asked.map((filter) => [`filter_${filter}`, 'true'])),
          })
          const ids = await walk(sandbox, `/v1/${account}/subscribers?${query}`)
          const now = sandbox.clock.now()
          const seen = (row: { lastActivity: string }) => now - Date.parse(row.lastActivity)
          const expected = sandbox.db.subscriptions
            .where(
              (row) =>
                row.accountId === account &&
                !row.isBlocked &&
                !row.isDeleted &&
                Date.parse(row.expiredAt) > now === (type === 'active'),
            )
            .filter((row) => !asked.includes('online') || seen(row) <= 15 * 60_000)
            .filter((row) => !asked.includes('inactive') || seen(row) > 30 * dayMs)
            .filter((row) => !asked.includes('recommenders') || row.id % 8 === 3)
            .toSorted((a, b) =>
              a[fields[by]] === b[fields[by]]
                ? (by === 'last_activity' ? getNumber(b) - getNumber(a) : 0) || b.id - a.id
                : a[fields[by]] < b[fields[by]]
                  ? 1
                  : -1,
            )
            .map((row) => row.fanId)
          expect(ids).toEqual(dir === 'asc' ? expected.toReversed() : expected)
        },
      ),
      getRunOptions(8, 600),
    )
    expectNoViolations(sandbox)
  },
)
