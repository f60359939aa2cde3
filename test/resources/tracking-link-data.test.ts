import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { later } from '../support/mass-messages.ts'
import { findBusiestLink, kinds, listClaims, listLinks } from '../support/links.ts'

describe('links of the service', () => {
  it.each([
    [
      'tracking',
      { name: 'Autumn ads' },
      {
        campaignName: 'Autumn ads',
        countTransitions: 0,
        countSubscribers: 0,
        revenue: { total: 0, revenuePerSubscriber: 0, revenuePerClick: 0, spendersCount: 0 },
      },
    ],
    [
      'trial',
      {
        trialLinkName: 'First week',
        subscribeDays: 7,
        subscribeCounts: 20,
        expiredAt: '2026-10-02T09:30:00.000Z',
      },
      {
        trialLinkName: 'First week',
        url: expect.stringMatching(/^https:\/\/platform\.example\//),
        subscribeDays: 7,
        subscribeCounts: 20,
        claimCounts: 0,
        clicksCounts: 0,
        isFinished: false,
        createdAt: '2026-10-01T09:30:00.000Z',
        expiredAt: '2026-10-02T09:30:00.000Z',
        revenue: { total: 0, revenuePerSubscriber: 0, spendersCount: 0 },
        cost: { inputMode: null, perSub: null, subscriberSourceCount: 0, clickSourceCount: 0 },
      },
    ],
  ])(
    'are created in the same form as they are read, with all metrics at 0 (§9.2): %s',
    async (kind, fields, shown) => {
      const client = await openClient('agency')
      const tag = client.db.tags.find({ organisation: 1 })!
      const foreign = client.db.tags.find(({ organisation }) => organisation !== 1)!
      const data = await client.postData(`${kind}-links`, {
        ...fields,
        tag_ids: [tag.id, foreign.id],
      })
      const path = `/v1/${client.account()}/${kind}-links/${data.id}`
      expect(data).toMatchObject({
        ...shown,
        tags: [{ id: tag.id, name: tag.name, color: tag.color }],
        links: {
          related: {
            claimers: `${path}/${kind === 'trial' ? 'subscribers' : 'claimers'}`,
            stats: `${path}/stats`,
          },
        },
      })
      for (const absent of ['fmTags', 'fmCustomSourceUrl', 'fmTrackingLinkUrl'])
        expect(data).not.toHaveProperty(absent)
      expect(await client.getData(path)).toEqual(data)
    },
  )

  it.each(kinds)(
    "are merge-patched: absent stays, null clears, except is_hidden and the platform's fields (§4 known behaviour 1): %s",
    async (kind) => {
      const client = await openClient('agency')
      const link = findBusiestLink(client, kind, client.account())
      const path = `${kind}-links/${link.id}`
      const before = await client.getData(path)
      const patch = async (body: object) => (await client.patch(path, body)).body.data
      const claims = listClaims(client.sandbox, kind, link.id).length
      const clicks = before.countTransitions ?? before.clicksCounts
      const ofPlatform = { campaignName: 'Not this way', trialLinkName: 'Not this way' }
      const changes = { custom_name: 'Mine', promo_cost: 52.5, is_hidden: true }
      expect(await patch({ ...changes, ...ofPlatform })).toEqual({
        ...before,
        customName: 'Mine',
        promoCost: 52.5,
        isHidden: true,
        cost: {
          ...before.cost,
          inputMode: 'promo',
          inputValue: 52.5,
          perPromo: 52.5,
          perSub: Math.round(5250 / claims) / 100,
          perClick: Math.round(5250 / clicks) / 100,
        },
      })
      const customSourceUrl = 'https://example.test/ad'
      const kept = { isHidden: true, note: '', customSourceUrl }
      expect(await patch({ note: '', custom_source_url: customSourceUrl })).toMatchObject({
        ...kept,
        customName: 'Mine',
        promoCost: 52.5,
      })
      expect(await patch({ custom_name: null, promo_cost: null })).toMatchObject({
        ...kept,
        customName: null,
        promoCost: null,
        cost: { inputValue: null },
      })
      expect(await patch({ note: null, custom_source_url: null })).toMatchObject({
        note: null,
        customSourceUrl: null,
      })
      for (const body of [
        { is_hidden: null },
        { promo_cost: 0.001 },
        { promo_cost: 999_999_999.999 },
        { custom_source_url: 'not an address' },
        { custom_source_url: 'ftp://a' },
        { custom_source_url: 'javascript:alert(1)' },
      ])
        expect([body, (await client.patch(path, body)).status]).toEqual([body, 400])
    },
  )
})

describe('GET tracking-links/{link_id}/stats', () => {
  it('counts a payment again after its amount, time or payer changed', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { make, db } = client.sandbox
    const link = make.trackingLink({ accountId: account, at: '2026-07-01T00:00:00Z' })
    const claim = { accountId: account, trackingLinkId: link.id, at: '2026-08-01T00:00:00Z' }
    const [payer, other] = [make.fan().id, make.fan().id]
    for (const fanId of [payer, other]) make.subscription({ ...claim, fanId })
    const read = async () => {
      const query = 'date_start=2026-08-10&date_end=2026-08-20'
      const data = await client.getData(`tracking-links/${link.id}/stats?${query}`)
      const { spenders_total, revenue_total } = data.summary
      const days = data.daily_metrics.map((day: { timestamp: string }) =>
        day.timestamp.slice(0, 10),
      )
      return [spenders_total, revenue_total, days]
    }
    expect(await read()).toEqual([0, 0, []])
    const payment = { accountId: account, fanId: payer, category: 'tip' as const }
    const { id } = make.transaction({ ...payment, amount: 5, at: '2026-08-12T00:00:00Z' })
    expect(await read()).toEqual([1, 5, ['2026-08-12']])
    make.transaction({ ...payment, amount: null, at: '2026-08-13T00:00:00Z' })
    expect(await read()).toEqual([1, 5, ['2026-08-12', '2026-08-13']])
    db.transactions.update(id, { transaction_created_at: '2026-08-25T00:00:00Z' })
    expect(await read()).toEqual([1, 0, ['2026-08-13']])
    db.transactions.update(id, { transaction_created_at: '2026-08-13T03:00:00+02:00' })
    expect(await read()).toEqual([1, 5, ['2026-08-13']])
    db.transactions.update(id, { fanId: other })
    expect(await read()).toEqual([2, 5, ['2026-08-13']])
  })
})

describe('public pages of a tracking link', () => {
  async function openShares() {
    const client = await openClient('agency')
    const link = findBusiestLink(client, 'tracking', client.account())
    return { client, link, shares: `tracking-links/${link.id}/shares` }
  }

  it('are open at a complete URL with a UUID, without a key (§4 known behaviour 3)', async () => {
    const { client, link, shares } = await openShares()
    const share = await client.postData(shares, { label: 'For Ann' })
    expect(share).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      label: 'For Ann',
      is_active: true,
      expires_at: null,
    })
    const subscribers = listClaims(client.sandbox, 'tracking', link.id).length
    const page = await client.get(share.url, { key: null })
    expect(page).toMatchObject({ status: 200, body: { label: 'For Ann', subscribers } })
    expect((await client.getData(shares)).list.at(-1)).toEqual(share)
  })

  it('return HTML to browsers, and JSON to other clients', async () => {
    const { client, shares } = await openShares()
    const { url } = await client.postData(shares, { label: '<b>Ann</b> & co' })
    const ask = (accept: string) => client.get(url, { key: null, headers: { accept } })
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('vary')).toBe('accept')
    expect(new TextDecoder().decode(page.body)).toMatch(
      /^<!doctype html>.*&lt;b&gt;Ann&lt;\/b&gt; &amp; co.*<dt>Subscribers<\/dt>/s,
    )
    for (const accept of ['application/json', '*/*', 'application/json, text/html'])
      expect((await ask(accept)).body.subscribers).toBeGreaterThan(0)
  })

  it('return 404 if they are expired or their link is deleted', async () => {
    const { client, link, shares } = await openShares()
    const status = async ({ url }: { url: string }) => (await client.get(url, { key: null })).status
    const [one, two] = [await client.postData(shares, {}), await client.postData(shares, {})]
    const expires_at = later(client, 60_000)
    const { body } = await client.patch(`${shares}/${one.id}`, { expires_at })
    expect(body.data).toMatchObject({ expires_at, is_active: true, label: null })
    client.sandbox.clock.advance('1m')
    expect([await status(one), await status(two)]).toEqual([404, 200])
    await client.delete(`tracking-links/${link.id}`)
    expect(await status(two)).toBe(404)
  })

  it('reject invalid times, and are not available through another link', async () => {
    const { client, link, shares } = await openShares()
    const links = listLinks(client.sandbox, 'tracking', link.accountId)
    const other = links.find(({ id }) => id !== link.id)!
    const share = await client.postData(shares, {})
    for (const expires_at of ['soon', '9999-12-31T23:59:59-23:59'])
      expect((await client.post(shares, { expires_at })).status).toBe(400)
    const elsewhere = `tracking-links/${other.id}/shares/${share.id}`
    expect((await client.patch(elsewhere, {})).status).toBe(404)
  })
})
