import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import {
  askAsOwner,
  createUnlimitedSandbox,
  walkIdsAsOwner,
  listActiveAccounts,
} from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'

const orders = [
  'publish_date_desc',
  'publish_date_asc',
  'favorites_count_desc',
  'tips_summ_desc',
  'tips_summ_asc',
]

describe.each(['agency', 'boundaries'])(
  'walking the lists of %s returns every matching row exactly once',
  (scenario) => {
    it('for the post feed, with any order, filter and page size', async () => {
      const sandbox = await createUnlimitedSandbox(scenario)
      const accounts = listActiveAccounts(sandbox)
      const labels = [...new Set(sandbox.db.posts.all().flatMap((post) => post.labels))]
        .slice(0, 3)
        .map(String)
      const filters = fc.record(
        {
          media_type: fc.constantFrom('photos', 'videos', 'audios', 'medias'),
          label: fc.constantFrom('archived', 'private_archived', ...labels),
          exclude_label: fc.constantFrom('archived', ...labels),
          query: fc.constantFrom('a', 'the', 'e '),
          pinned: fc.constantFrom('true', 'false'),
        },
        { requiredKeys: [] },
      )
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...accounts),
          fc.constantFrom(...orders),
          filters,
          fc.integer({ min: 1, max: 30 }),
          async ({ id }, order, filter, limit) => {
            const query = new URLSearchParams({ ...filter, order })
            const ids = await walkIdsAsOwner(sandbox, `/v1/${id}/posts?${query}&limit=${limit}`)
            const whole = await walkIdsAsOwner(sandbox, `/v1/${id}/posts?${query}&limit=100`)
            expect(ids).toEqual(whole)
            expect(new Set(ids).size).toBe(ids.length)
            const types: Record<string, (type: string) => boolean> = {
              photos: (type) => type === 'photo',
              videos: (type) => type === 'video',
              audios: (type) => type === 'audio',
              medias: (type) => type !== 'gif',
            }
            const expected = sandbox.db.posts.where(
              (post) =>
                post.accountId === id &&
                post.status === 'published' &&
                (filter.label?.endsWith('archived')
                  ? post.bucket === filter.label
                  : post.bucket === null) &&
                (filter.label === undefined ||
                  filter.label.endsWith('archived') ||
                  post.labels.includes(Number(filter.label))) &&
                (filter.exclude_label === undefined ||
                  !(
                    post.bucket === filter.exclude_label ||
                    post.labels.includes(Number(filter.exclude_label))
                  )) &&
                (filter.media_type === undefined ||
                  post.mediaTypes.some((type) => types[filter.media_type ?? '']?.(type))) &&
                (filter.query === undefined || post.rawText.toLowerCase().includes(filter.query)) &&
                (filter.pinned === undefined || post.isPinned === (filter.pinned === 'true')),
            )
            expect(ids.toSorted()).toEqual(expected.map((post) => post.id).toSorted())
          },
        ),
        getRunOptions(8, 600),
      )
    })

    it('for leaderboards, by any metric', async () => {
      const sandbox = await createUnlimitedSandbox(scenario)
      const accounts = listActiveAccounts(sandbox)
      const metrics = ['comments', 'likes', 'views', 'tips', 'purchases']
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...accounts),
          fc.constantFrom(...metrics),
          fc.integer({ min: 1, max: 700 }),
          async ({ id }, by, days) => {
            const ids = await walkIdsAsOwner(
              sandbox,
              `/v1/${id}/engagement/posts/${by}?start_date=-${days}d&end_date=now`,
              'items',
            )
            const since = new Date(sandbox.clock.now() - days * 86_400_000).toISOString()
            const expected = sandbox.db.posts.where(
              (post) =>
                post.accountId === id &&
                post.status === 'published' &&
                post.postedAt >= since &&
                post.postedAt <= sandbox.clock.iso(),
            )
            expect(ids.toSorted()).toEqual(expected.map((post) => post.id).toSorted())
          },
        ),
        getRunOptions(5, 400),
      )
    })

    it("for a fan's transactions, with any accounts, filter and page size; the statistics equal their sum", async () => {
      const sandbox = await createUnlimitedSandbox(scenario)
      const accounts = listActiveAccounts(sandbox).map(({ id }) => id)
      const fans = [...new Set(sandbox.db.transactions.all().map(({ fanId }) => fanId))].slice(
        0,
        200,
      )
      const filters = fc.record({
        categories: fc.subarray(['tip', 'message', 'unlock', 'unknown', 'new_subscription']),
        statuses: fc.subarray(['done', 'undo', 'loading', 'pending_return']),
      })
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...fans),
          fc.subarray(accounts, { minLength: 1 }),
          filters,
          fc.integer({ min: 1, max: 40 }),
          async (fan, account_ids, filter, limit) => {
            const ids: (number | string)[] = []
            for (let offset: number | undefined = 0; offset !== undefined;) {
              const page = await askAsOwner(sandbox, 'POST', `/v1/fans/${fan}/transactions`, {
                account_ids,
                ...filter,
                limit,
                offset,
              })
              ids.push(...page.data.transactions.map(({ id }: { id: string }) => id))
              offset =
                page._pagination === undefined ? undefined : Number(page._pagination.next_page)
            }
            const own = sandbox.db.transactions.where(
              (row) => row.fanId === fan && account_ids.includes(row.accountId),
            )
            const expected = own.filter(
              (row) =>
                (filter.categories.length === 0 ||
                  filter.categories.includes(row.category ?? 'unknown')) &&
                (filter.statuses.length === 0 || filter.statuses.includes(row.status)),
            )
            expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted())

            const { stats } = (
              await askAsOwner(sandbox, 'POST', `/v1/fans/${fan}/stats`, { account_ids })
            ).data as unknown as {
              stats: { account_id: string; total_spend: number; purchase_count: number }[]
            }
            for (const row of stats) {
              const paid = own.filter(
                ({ accountId, status }) =>
                  accountId === Number(row.account_id) && status !== 'undo',
              )
              expect(row.purchase_count).toBe(paid.length)
              expect(row.total_spend).toBeCloseTo(
                paid.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
                6,
              )
            }
          },
        ),
        getRunOptions(8, 600),
      )
      // Pagination does not change data, so invariants that hold now also held during pagination.
      expectNoViolations(sandbox)
    })
  },
)
