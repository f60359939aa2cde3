import { describe, expect, it } from 'vitest'
import { toCents } from '../../src/lib/money.ts'
import { parseIso, toIsoTime, toPlatformTime } from '../../src/lib/time.ts'
import { listPeriods } from '../../src/resources/subscribers/subscriptions.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const terms = { type: 'new', discount: 25, subscribeCounts: 0, subscribeDays: 30, finishDays: 0 }
const create = (client: Client, body: object) => client.post('promotions', body)
const list = async (client: Client, query = '') =>
  (await client.getData(`reach/promotions${query}`)).items

describe('promotions', () => {
  it('are listed newest first, with their terms and number of claims', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { subscribePrice } = client.db.accounts.get(account)!
    const items = await readAllPages(client, 'reach/promotions?limit=2', { list: 'items' })
    const created = items.map(({ createdAt }) => createdAt as string)
    expect(created).toEqual(created.toSorted().toReversed())
    expect(items.map(({ type }) => type).toSorted()).toEqual(['all', 'expired', 'new'])
    expect(items.find(({ type }) => type === 'new')).toMatchObject({
      message: '<p>A month to find your feet</p>',
      rawMessage: 'A month to find your feet',
      hasRelatedPromo: false,
      price: Math.round(toCents(subscribePrice) * 0.7) / 100,
      type: 'new',
      canClaim: false,
      claimsCount: 7,
      subscribeCounts: null,
      subscribeDays: 30,
      finishedAt: expect.any(String),
      isFinished: true,
    })
    expect(items.find(({ type }) => type === 'all')).toMatchObject({
      subscribeCounts: 40,
      claimsCount: 5,
      finishedAt: null,
      isFinished: false,
      canClaim: true,
    })
    const [first, , last] = created
    expect(await list(client, `?start_date=${first!.slice(0, 19)}Z`)).toEqual([items[0]])
    expect(await list(client, `?end_date=${toIsoTime(parseIso(last!) + 1000)}`)).toEqual([items[2]])
  })

  it('list the fans who joined through them, who first paid its price or nothing', async () => {
    const client = await openClient('agency')
    const account = client.account()
    for (const promo of await list(client)) {
      const path = `/v1/${account}/reach/promotions/${promo.id}/subscribers`
      const fans = await readAllPages(client, `${path}?limit=3`)
      expect(fans).toHaveLength(promo.claimsCount)
      for (const fan of fans) {
        const user = await client.getData(`fans/${fan.id}`)
        const { view, promoOffers, ...shown } = fan
        expect([view, promoOffers]).toEqual(['s', []])
        expect(user).toMatchObject(shown)
        const row = client.db.subscriptions.find({ accountId: account, fanId: fan.id })!
        const claim = { promotionId: promo.id, fanId: fan.id }
        const { claimedAt } = client.db.promotionClaims.find(claim)!
        const paid = listPeriods(row).find(({ from }) => from === claimedAt)?.price
        // On an account with few payments, most fans joined for free.
        expect([promo.price, 0]).toContain(paid)
        expect(promo.createdAt < claimedAt).toBe(true)
      }
    }
  })

  it('are listed with trial links, newest first, each under its key', async () => {
    const client = await openClient('agency')
    const items = await readAllPages(client, 'promotions-trials?limit=4', { list: 'items' })
    const rows = items.map(
      (item) => (item['promo'] ?? item['trial']) as { id: number; createdAt: string },
    )
    const times = rows.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(items.flatMap(({ promo }) => promo ?? [])).toEqual(await list(client))
    const links = await readAllPages(client, 'trial-links')
    expect(
      idsOf(items.flatMap(({ trial }) => (trial as { id: number } | undefined) ?? [])).toSorted(),
    ).toEqual(idsOf(links).toSorted())
    const trial = items.find((item) => item['trial'] !== undefined)!['trial'] as { id: number }
    const link = links.find(({ id }) => id === trial.id)!
    const claims = getIndexedTables(client.db).subscriptions.in('byTrialLink', trial.id).size
    expect(trial).toMatchObject({
      url: link['url'],
      trialLinkName: link['trialLinkName'],
      isFinished: link['isFinished'],
      claimCounts: claims,
    })
  })

  it('are created one or two at a time, and finish by time or by their last claim', async () => {
    const client = await openClient()
    const { sandbox } = client
    const { subscribePrice } = sandbox.db.accounts.get(client.account())!
    const [open] = (await create(client, terms)).body.data
    const price = Math.round(toCents(subscribePrice) * 0.75) / 100
    const unlimited = { subscribeCounts: null, finishedAt: null, isFinished: false }
    const plain = { type: 'new', message: '', claimsCount: 0, subscribeDays: 30 }
    expect(open).toMatchObject({ ...unlimited, ...plain, price, hasRelatedPromo: false })
    sandbox.clock.advance('1m')
    const trial = { type: 'new_and_expired', discount: 100, freeTrialDays: 7 }
    const limits = { subscribeCounts: 1, subscribeDays: 30, finishDays: 3 }
    const body = { ...trial, ...limits, message: 'A & B' }
    const pair = (await create(client, body)).body.data
    expect(pair).toMatchObject([
      {
        type: 'new',
        price: 0,
        subscribeDays: 7,
        hasRelatedPromo: true,
        message: '<p>A &amp; B</p>',
        rawMessage: 'A & B',
      },
      { type: 'expired', price: 0, subscribeCounts: 1, hasRelatedPromo: true },
    ])
    expect(await list(client)).toEqual([pair[1], pair[0], open])
    const claimedAt = sandbox.clock.iso()
    const { fanId } = sandbox.db.subscriptions.find({ accountId: client.account() })!
    sandbox.make.promotionClaim({ promotionId: pair[0].id, fanId, claimedAt })
    expect((await list(client)).at(1)).toMatchObject({
      id: pair[0].id,
      claimsCount: 1,
      canClaim: false,
      isFinished: true,
      finishedAt: toPlatformTime(claimedAt),
    })
    sandbox.clock.advance('3d')
    const finished = [{ isFinished: true }, { isFinished: true }, { isFinished: false }]
    expect(await list(client)).toMatchObject(finished)
  })

  it('need the days of a free trial with a discount of 100, and reject them otherwise', async () => {
    const client = await openClient()
    for (const fields of [{ discount: 100 }, { freeTrialDays: 7 }])
      expect((await create(client, { ...terms, ...fields })).status).toBe(400)
  })
})

it('campaigns are an alias of the tracking links', async () => {
  const client = await openClient('agency')
  for (const query of [
    '',
    '?limit=2',
    '?field=name&sort=asc',
    '?limit=1000',
    '?stats=true&start_date=-30d',
  ]) {
    const { data, _pagination } = (await client.get(`campaigns${query}`)).body
    const links = (await client.get(`tracking-links${query}`)).body
    expect([query, data]).toEqual([query, links.data])
    expect(_pagination?.next_page).toBe(
      links._pagination?.next_page.replace('/tracking-links?', '/campaigns?'),
    )
  }
})
