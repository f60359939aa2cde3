import { describe, expect, it } from 'vitest'
import { computeLinkHistory, kinds, computeLinkTotals } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

interface Item extends Record<string, unknown> {
  id: number
  isHidden: boolean
  isFinished: boolean
  endDate?: string | null
  stats?: object
}
/** Compares numbers by value, and texts by letter. */
const compareValues = new Intl.Collator('en', { numeric: true }).compare
const walkLinks = async (client: Client, path: string) =>
  (await readAllPages(client, path)) as Item[]

describe("the service's list of trial links", () => {
  it('combines visibility and status, and ignores include_hidden (§9.2)', async () => {
    const client = await openClient('agency')
    const all = client.db.trialLinks.where({ accountId: client.account() })
    for (const visibility of ['visible', 'hidden', 'all', undefined]) {
      for (const status of ['all', 'active', 'finished', undefined]) {
        const query = new URLSearchParams({ include_hidden: 'true', limit: '2' })
        if (visibility !== undefined) query.set('visibility', visibility)
        if (status !== undefined) query.set('status', status)
        const items = await walkLinks(client, `fm/trial-links?${query}`)
        const wanted = all.filter(
          (link) =>
            (visibility === 'all' || link.isHidden === (visibility === 'hidden')) &&
            (status === undefined ||
              status === 'all' ||
              (link.finishedAt !== null) === (status === 'finished')),
        )
        const shown = wanted.map(({ id, finishedAt }) => [id, finishedAt !== null])
        expect(wanted.length).toBeGreaterThan(0)
        expect([
          String(query),
          items.map(({ id, isFinished }) => [id, isFinished]).toSorted(),
        ]).toEqual([String(query), shown.toSorted()])
      }
    }
  })
})

describe("the platform's lists of links", () => {
  it.each([
    ['tracking', 'created_date', 'createdAt'],
    ['tracking', 'subscribers_counts', 'countSubscribers'],
    ['tracking', 'transitions_counts', 'countTransitions'],
    ['tracking', 'clicks_count', 'countTransitions'],
    ['tracking', 'name', 'campaignName'],
    ['trial', 'create_date', 'createdAt'],
    ['trial', 'expire_date', 'expiredAt'],
    ['trial', 'claims_count', 'claimCounts'],
    ['trial', 'clicks_count', 'clicksCounts'],
    ['trial', 'subscribe_counts', 'subscribeCounts'],
    ['trial', 'subscribe_days', 'subscribeDays'],
  ] as const)('sort %s links by %s, both ways, each once', async (kind, field, key) => {
    const client = await openClient('agency')
    const path = `/v1/${client.account()}/${kind}-links?field=${field}&limit=3&with_deleted=true`
    const down = await walkLinks(client, path)
    expect(down).toHaveLength(8)
    expect(await walkLinks(client, `${path}&sort=asc`)).toEqual(down.toReversed())
    // Links that never expire are sorted as if they expired last.
    const valueOf = (item: Item) => String(item[key] ?? '9999').toLowerCase()
    expect(down.map(valueOf)).toEqual(down.map(valueOf).toSorted(compareValues).toReversed())
  })

  it('sort by the number of public pages, including after a new one', async () => {
    const client = await openClient('agency')
    const account = client.account()
    for (const kind of kinds) {
      const path = `/v1/${account}/${kind}-links?field=shared`
      const last = (await walkLinks(client, path)).findLast(({ endDate }) => endDate == null)!
      for (let round = 0; round < 3; round += 1)
        await client.post(`${kind}-links/${last.id}/shares`, {})
      expect((await walkLinks(client, path))[0]!.id).toBe(last.id)
    }
  })

  it('show deleted tracking links in sort order, after the others, or not at all', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const shown = async (query: string): Promise<Item[]> =>
      walkLinks(client, `/v1/${account}/tracking-links?limit=3&${query}`)
    const newest = (await shown('with_deleted=false'))[0]!
    const before = idsOf(await shown('with_deleted=true'))
    await client.delete(`tracking-links/${newest.id}`)
    const all = await shown('with_deleted=true')
    expect(all.map(({ deletedAt }) => deletedAt)).toEqual(all.map(({ endDate }) => endDate))
    expect([idsOf(all), all.filter(({ endDate }) => endDate !== null).length]).toEqual([before, 2])
    expect(idsOf(await shown('with_deleted=true&sorting_deleted=true'))).toEqual([
      ...idsOf(all.filter(({ endDate }) => endDate === null)),
      ...idsOf(all.filter(({ endDate }) => endDate !== null)),
    ])
    const rest = all.filter(({ endDate }) => endDate === null)
    for (const flag of ['with_deleted=false', 'sorting_deleted=true', 'sorting_deleted=false'])
      expect([flag, await shown(flag)]).toEqual([flag, rest])
    expect([await shown(''), await shown('visibility=all')]).toEqual([rest, rest])
  })

  it('of the service filter by visibility, and never contain deleted tracking links', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const listAll = () =>
      Promise.all(
        ['visible', 'hidden', 'all'].map(async (visibility) =>
          idsOf(
            await walkLinks(
              client,
              `fm/tracking-links?include_hidden=true&visibility=${visibility}`,
            ),
          ),
        ),
      )
    const rows = client.db.trackingLinks.where({ accountId: account, endDate: null })
    const [one, two] = rows.filter(({ isHidden }) => !isHidden)
    await client.patch(`tracking-links/${one!.id}`, { is_hidden: true })
    const [visible, hidden, all] = await listAll()
    expect([visible!.includes(one!.id), hidden!.includes(one!.id)]).toEqual([false, true])
    expect([...visible!, ...hidden!].toSorted()).toEqual(idsOf(rows).toSorted())
    expect(all!.toSorted()).toEqual(idsOf(rows).toSorted())
    for (const { id } of [one!, two!]) await client.delete(`tracking-links/${id}`)
    for (const listed of await listAll())
      expect([listed.includes(one!.id), listed.includes(two!.id)]).toEqual([false, false])
  })

  it('filter by visibility', async () => {
    const client = await openClient('agency')
    for (const kind of kinds) {
      const path = `/v1/${client.account()}/${kind}-links`
      const all = await walkLinks(client, path)
      await client.patch(`${kind}-links/${all[0]!.id}`, { is_hidden: true })
      const hidden = await walkLinks(client, `${path}?visibility=hidden`)
      const visible = await walkLinks(client, `${path}?visibility=visible`)
      expect(hidden.every(({ isHidden }) => isHidden)).toBe(true)
      expect(visible.some(({ isHidden }) => isHidden)).toBe(false)
      expect(hidden.length + visible.length).toBe(all.length)
    }
  })

  it("count each tracking link's results in a window with stats", async () => {
    const client = await openClient('agency')
    const [from, to] = ['2025-10-01', '2026-03-31']
    const links = `/v1/${client.account()}/tracking-links`
    const clicksOf = (rows: Item[]) =>
      rows.map((row) => [row.id, Number(row['countTransitions'])] as const)
    const plain = await walkLinks(client, `${links}?start_date=${from}`)
    const lifetime = new Map(clicksOf(plain))
    const path = `${links}?stats=true&start_date=${from}&end_date=${to}`
    const check = async () => {
      for (const { id, countSubscribers, countTransitions } of await walkLinks(client, path)) {
        const history = computeLinkHistory(client.sandbox, 'tracking', id)
        const { subs } = computeLinkTotals(history, from, `${to}T23:59:59.999Z`)
        expect([id, countSubscribers]).toEqual([id, subs])
        expect(countTransitions).toBeGreaterThanOrEqual(subs)
        expect(countTransitions).toBeLessThanOrEqual(lifetime.get(id)!)
      }
    }
    await check()
    const { payments } = computeLinkHistory(client.sandbox, 'tracking', plain[0]!.id)
    const paid = client.db.transactions.find(
      ({ fanId, transaction_created_at: at }) =>
        fanId === payments[0]?.fanId && at === payments[0]?.at,
    )
    if (paid !== undefined) client.db.transactions.update(paid.id, { status: 'undo' })
    await check()
    const all = await walkLinks(client, `${links}?stats=true&start_date=2000-01-01`)
    expect(clicksOf(all)).toEqual(clicksOf(plain))
  })
})
