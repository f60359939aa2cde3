import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const busiest = ({ sandbox, account }: Client) => {
  const count = (link: number) => sandbox.db.subscriptions.where({ trackingLinkId: link }).length
  return sandbox.db.trackingLinks
    .where((link) => link.accountId === account() && link.endDate === null)
    .toSorted((a, b) => count(b.id) - count(a.id))[0]!
}

describe('tracking links of the service', () => {
  it('are created in the same form as they are read, with all metrics at 0 (§9.2)', async () => {
    const client = await openClient('agency')
    const tag = client.db.tags.find({ organisation: 1 })!
    const foreign = client.db.tags.find(({ organisation }) => organisation !== 1)!
    const { status, body } = await client.post('tracking-links', {
      name: 'Autumn ads',
      tag_ids: [tag.id, foreign.id],
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      campaignName: 'Autumn ads',
      countTransitions: 0,
      countSubscribers: 0,
      revenue: { total: 0, revenuePerSubscriber: 0, revenuePerClick: 0, spendersCount: 0 },
      tags: [{ id: tag.id, name: tag.name, color: tag.color }],
    })
    for (const absent of ['fmTags', 'fmCustomSourceUrl', 'fmTrackingLinkUrl'])
      expect(body.data).not.toHaveProperty(absent)
    expect(await client.getData(`tracking-links/${body.data.id}`)).toEqual(body.data)
  })

  it('are merge-patched: absent stays, null clears, except is_hidden (§4 known behaviour 1)', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const path = `tracking-links/${link.id}`
    const patch = async (body: object) => (await client.patch(path, body)).body.data
    expect(
      await patch({
        custom_name: 'Mine',
        note: '',
        promo_cost: 250.5,
        custom_source_url: 'https://example.test/ad',
      }),
    ).toMatchObject({
      customName: 'Mine',
      note: '',
      promoCost: 250.5,
      customSourceUrl: 'https://example.test/ad',
      campaignName: link.campaignName,
      cost: { inputValue: 250.5 },
    })
    expect(await patch({ note: null })).toMatchObject({
      customName: 'Mine',
      note: null,
      promoCost: 250.5,
    })
    expect(
      await patch({ custom_name: null, custom_source_url: null, promo_cost: null }),
    ).toMatchObject({
      customName: null,
      customSourceUrl: null,
      promoCost: null,
      cost: { inputValue: null },
    })
    for (const body of [
      { is_hidden: null },
      { is_hidden: 'true' },
      { promo_cost: -1 },
      { promo_cost: 1.005 },
      { promo_cost: 999_999_999.999 },
      { custom_source_url: 'not an address' },
      { custom_source_url: 'javascript:alert(1)' },
      { custom_name: 5 },
    ]) {
      expect([body, (await client.patch(path, body)).status]).toEqual([body, 400])
    }
  })
})

describe('GET tracking-links/{link_id}/stats', () => {
  it('counts a payment again after its amount, time or payer changed', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { make, db } = client.sandbox
    const link = make.trackingLink({ accountId: account, at: '2026-07-01T00:00:00Z' })
    const claim = () => ({
      accountId: account,
      fanId: make.fan().id,
      trackingLinkId: link.id,
      at: '2026-08-01T00:00:00Z',
    })
    const [payer, other] = [make.subscription(claim()), make.subscription(claim())]
    const read = async () => {
      const query = 'date_start=2026-08-10&date_end=2026-08-20'
      const data = await client.getData(`tracking-links/${link.id}/stats?${query}`)
      return [
        data.summary.spenders_total,
        data.summary.revenue_total,
        data.daily_metrics.map(({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10)),
      ]
    }
    expect(await read()).toEqual([0, 0, []])
    const payment = { accountId: account, fanId: payer.fanId, category: 'tip' as const }
    const { id } = make.transaction({ ...payment, amount: 5, at: '2026-08-12T00:00:00Z' })
    expect(await read()).toEqual([1, 5, ['2026-08-12']])
    make.transaction({ ...payment, amount: null, at: '2026-08-13T00:00:00Z' })
    expect(await read()).toEqual([1, 5, ['2026-08-12', '2026-08-13']])
    db.transactions.update(id, { transaction_created_at: '2026-08-25T00:00:00Z' })
    expect(await read()).toEqual([1, 0, ['2026-08-13']])
    db.transactions.update(id, { transaction_created_at: '2026-08-13T03:00:00+02:00' })
    expect(await read()).toEqual([1, 5, ['2026-08-13']])
    db.transactions.update(id, { fanId: other.fanId })
    expect(await read()).toEqual([2, 5, ['2026-08-13']])
  })
})

describe('public pages of a tracking link', () => {
  it('are open at a complete URL with a UUID, without a key (§4 known behaviour 3)', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const shares = `tracking-links/${link.id}/shares`
    const share = await client.postData(shares, { label: 'For Ann' })
    expect(share).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      label: 'For Ann',
      is_active: true,
      expires_at: null,
    })
    const page = await client.get(share.url, { key: null })
    expect([page.status, page.body.label, page.body.subscribers]).toEqual([
      200,
      'For Ann',
      client.db.subscriptions.where({ trackingLinkId: link.id }).length,
    ])
    expect((await client.getData(shares)).list.at(-1)).toEqual(share)
  })

  it('return HTML to browsers, and JSON to other clients', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const { url } = await client.postData(`tracking-links/${link.id}/shares`, {
      label: '<b>Ann</b> & co',
    })
    const ask = (accept: string) => client.get(url, { key: null, headers: { accept } })
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'accept',
    ])
    expect(new TextDecoder().decode(page.body)).toMatch(
      /^<!doctype html>.*&lt;b&gt;Ann&lt;\/b&gt; &amp; co.*<dt>Subscribers<\/dt>/s,
    )
    for (const accept of ['application/json', '*/*', 'application/json, text/html'])
      expect((await ask(accept)).body.subscribers).toBeGreaterThan(0)
  })

  it('return 404 immediately and permanently if they are deleted or expired, or if their link is deleted', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const shares = `tracking-links/${link.id}/shares`
    const status = async ({ url }: { url: string }) => (await client.get(url, { key: null })).status
    const [one, two, three] = [
      await client.postData(shares, {}),
      await client.postData(shares, {}),
      await client.postData(shares, {}),
    ]
    expect((await client.delete(`${shares}/${one.id}`)).body.data).toEqual({ success: true })
    expect([await status(one), (await client.delete(`${shares}/${one.id}`)).status]).toEqual([
      404, 404,
    ])
    const closing = new Date(client.sandbox.clock.now() + 60_000).toISOString()
    expect(
      (await client.patch(`${shares}/${two.id}`, { expires_at: closing })).body.data,
    ).toMatchObject({ expires_at: closing, is_active: true, label: null })
    client.sandbox.clock.advance('1m')
    expect([await status(two), await status(three)]).toEqual([404, 200])
    await client.delete(`tracking-links/${link.id}`)
    expect(await status(three)).toBe(404)
  })

  it('reject invalid labels and times, and are not available through another link', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const other = client.db.trackingLinks.find(
      (each) => each.accountId === client.account() && each.endDate === null && each.id !== link.id,
    )!
    const shares = `tracking-links/${link.id}/shares`
    const share = await client.postData(shares, {})
    for (const body of [
      { label: 5 },
      { expires_at: 'soon' },
      { expires_at: '9999-12-31T23:59:59-23:59' },
    ])
      expect((await client.post(shares, body)).status).toBe(400)
    expect((await client.patch(`tracking-links/${other.id}/shares/${share.id}`, {})).status).toBe(
      404,
    )
  })
})
