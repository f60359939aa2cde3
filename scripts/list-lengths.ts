import { createSandbox } from '../src/index.ts'
import type { Sandbox } from '../src/index.ts'

/**
 * A paged list. The paths return 0 rows, 1 row, a full page, and one row more than a full page in
 * the scenario `everything`.
 */
export interface ListLengths {
  /** Path of the route after the account id, with its query. */
  list: string
  /** Default page size, in rows. */
  limit: number
  /** Paths by number of rows. A test reports missing paths. */
  paths: ReadonlyMap<number, string>
}

type Db = Sandbox['db']

interface WantedList {
  list: string
  limit?: number
  /** Returns ids of an account that can be inserted into the path. */
  owners?: (db: Db, accountId: number) => readonly number[]
}

const wanted: readonly WantedList[] = [
  { list: 'posts' },
  {
    list: 'posts/{id}/comments',
    owners: ({ posts }, accountId) => posts.where({ accountId }).map(({ id }) => id),
  },
  { list: 'subscribers' },
  { list: 'subscribers/latest' },
  { list: 'subscribers/following' },
  { list: 'subscribers/blocked' },
  { list: 'subscribers/restricted' },
  { list: 'user-lists' },
  {
    list: 'user-lists/{id}/users',
    owners: ({ userLists }, accountId) => userLists.where({ accountId }).map(({ id }) => id),
  },
  { list: 'vault/media' },
  { list: 'fm/tracking-links' },
  {
    list: 'tracking-links/{id}/claimers',
    owners: ({ trackingLinks }, accountId) =>
      trackingLinks.where({ accountId, endDate: null }).map(({ id }) => id),
  },
  { list: 'fm/trial-links' },
  {
    list: 'trial-links/{id}/subscribers',
    owners: ({ trialLinks }, accountId) => trialLinks.where({ accountId }).map(({ id }) => id),
  },
  { list: 'reach/promotions' },
  { list: 'chats' },
  {
    list: 'chats/{id}/messages',
    owners: ({ subscriptions }, accountId) =>
      subscriptions.where({ accountId }).map(({ fanId }) => fanId),
  },
  { list: 'mass-messages' },
  { list: 'notifications' },
  { list: 'referrals' },
  { list: 'schedules?start_date=2026-10-01&end_date=2026-12-31', limit: 20 },
]

/**
 * Finds, for each paged list, the paths in the scenario `everything` that return 0 rows, 1 row, a
 * full page, and one row more than a full page.
 */
export async function findListLengths(): Promise<ListLengths[]> {
  const sandbox = createSandbox({ scenario: 'everything' })
  await sandbox.ready
  const accounts = sandbox.db.accounts
    .where({ session: 'active' })
    .map(({ id }) => id)
    .toSorted((a, b) => b - a)
  const found: ListLengths[] = []
  for (const { list, limit = 10, owners = () => [0] } of wanted) {
    const missing = new Set([0, 1, limit, limit + 1])
    const paths = new Map<number, string>()
    for (const account of accounts)
      for (const owner of owners(sandbox.db, account)) {
        if (missing.size === 0) break
        const path = `/v1/${account}/${list.replace('{id}', String(owner))}`
        const rows = await countRows(sandbox, path)
        if (missing.delete(rows)) paths.set(rows, path)
      }
    found.push({ list, limit, paths })
  }
  return found
}

/** Counts the rows of a list, up to the maximum page size. */
async function countRows(sandbox: Sandbox, path: string): Promise<number> {
  const address = `${sandbox.baseUrl}${path}${path.includes('?') ? '&' : '?'}limit=50`
  const response = await sandbox.fetch(address, { headers: { 'x-api-key': sandbox.keys.owner } })
  if (!response.ok) throw new Error(`Failed to read a list (${address}): ${await response.text()}`)
  const { data } = (await response.json()) as {
    data: Partial<Record<'list' | 'items', unknown[]>> | unknown[]
  }
  return (Array.isArray(data) ? data : (data.list ?? data.items ?? [])).length
}
