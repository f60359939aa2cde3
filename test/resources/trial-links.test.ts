import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { findBusiestLink, listClaims, listLinks } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import { later } from '../support/mass-messages.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

describe('trial links', () => {
  it('are not created with an expiry that is not a later instant', async () => {
    const client = await openClient('solo')
    for (const expiredAt of ['2020-01-01T00:00:00Z', 'soon']) {
      const body = { trialLinkName: 'a', subscribeDays: 7, expiredAt }
      expect((await client.post('trial-links', body)).status).toBe(400)
    }
  })

  it('are finished by DELETE, not deleted, and finishing twice is a no-op (§3)', async () => {
    const client = await openClient('agency')
    const link = client.db.trialLinks.find({ accountId: client.account(), finishedAt: null })!
    const path = `trial-links/${link.id}`
    expect((await client.getData(path)).isFinished).toBe(false)
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    expect((await client.getData(path)).isFinished).toBe(true)
    const { finishedAt } = client.db.trialLinks.get(link.id)!
    client.sandbox.clock.advance('1h')
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    expect(client.db.trialLinks.get(link.id)!.finishedAt).toBe(finishedAt)
    expect((await client.get(`${path}/subscribers`)).status).toBe(200)
  })

  it('finish when the clock passes expiredAt, each at its own time', async () => {
    const client = await openClient('solo')
    const expiredAt = later(client, 60_000)
    const body = { trialLinkName: 'Short', subscribeDays: 1, expiredAt }
    const { id } = await client.postData('trial-links', body)
    client.sandbox.clock.advance('59s')
    expect((await client.getData(`trial-links/${id}`)).isFinished).toBe(false)
    client.sandbox.clock.advance('2d')
    expect((await client.getData(`trial-links/${id}`)).isFinished).toBe(true)
    expect(client.db.trialLinks.get(id)!.finishedAt).toBe(expiredAt)
  })

  it('finish at their claim limit, where 0 means unlimited', async () => {
    const client = await openClient('agency')
    const accountId = client.account()
    const create = (subscribeCounts: number) =>
      client.postData('trial-links', { trialLinkName: 'Few', subscribeDays: 7, subscribeCounts })
    const [two, any] = [await create(2), await create(0)]
    const read = ({ id }: { id: number }) => client.getData(`trial-links/${id}`)
    const { make } = client.sandbox
    const claim = ({ id: trialLinkId }: { id: number }) =>
      make.subscription({ accountId, fanId: make.fan().id, trialLinkId })
    claim(two)
    expect(await read(two)).toMatchObject({ claimCounts: 1, isFinished: false })
    claim(two)
    claim(any)
    expect([await read(two), await read(any)]).toMatchObject([
      { claimCounts: 2, isFinished: true },
      { claimCounts: 1, isFinished: false },
    ])
  })
})

describe('the claimers of a link', () => {
  it.each([
    ['tracking', 'claimers'],
    ['trial', 'subscribers'],
  ] as const)(
    'are listed for %s links as users by the platform, and as claims with their revenue by the service',
    async (kind, list) => {
      const client = await openClient('agency')
      const link = findBusiestLink(client, kind, client.account())
      const claims = listClaims(client.sandbox, kind, link.id)
      const users = await readAllPages(client, `${kind}-links/${link.id}/${list}`)
      const rows = await readAllPages(client, `fm/${kind}-links/${link.id}/${list}?limit=7`)
      expect(idsOf(rows).toSorted()).toEqual(claims.map(({ fanId }) => fanId).toSorted())
      const times = claims.map(({ subscribedAt }) => subscribedAt)
      expect(rows.map(({ subscribed_at: at }) => at)).toEqual(times.toSorted().toReversed())
      expect(users).toMatchObject(
        rows.map(({ id, subscribed_at: at }) => ({
          id,
          subscribedOnData: { date: toPlatformTime(String(at)) },
        })),
      )
      const { revenue } = await client.getData(`${kind}-links/${link.id}`)
      const total = rows.reduce((sum, row) => sum + Number(row['revenue_total']), 0)
      expect(Math.round(total * 100) / 100).toBe(revenue.total)
      const pages = async (base: string) => (await client.getData(`${base}?limit=1`)).hasMore
      expect([
        await pages(`${kind}-links/${link.id}/${list}`),
        await pages(`fm/${kind}-links/${link.id}/${list}`),
      ]).toEqual([false, true])
    },
  )

  it('have the link among their links', async () => {
    const client = await openClient('agency')
    const { id } = findBusiestLink(client, 'trial', client.account())
    const link = client.db.trialLinks.get(id)!
    const { fanId, subscribedAt } = listClaims(client.sandbox, 'trial', id)[0]!
    const links = () => client.getData(`fm/fans/${fanId}/links`)
    expect(await links()).toEqual({
      tracking_links: [],
      trial_links: [{ id: link.id, name: link.trialLinkName, claimed_at: subscribedAt }],
    })
    await client.delete(`trial-links/${link.id}`)
    expect((await links()).trial_links).toHaveLength(1)
  })
})

describe('shares and tags of trial links', () => {
  it('open a public page even if the link is finished (§4 known behaviour 3)', async () => {
    const client = await openClient('agency')
    const link = client.db.trialLinks
      .where({ accountId: client.account() })
      .find(({ id }) => client.db.linkShares.where({ kind: 'trial', linkId: id }).length === 0)!
    const shares = `trial-links/${link.id}/shares`
    const share = await client.postData(shares, { label: 'For Ann' })
    expect((await client.getData(shares)).list).toEqual([share])
    expect((await client.getData(`trial-links/${link.id}`)).sharedWith).toEqual(['For Ann'])
    await client.delete(`trial-links/${link.id}`)
    const subscribers = listClaims(client.sandbox, 'trial', link.id).length
    const body = { label: 'For Ann', name: link.trialLinkName, subscribers }
    expect(await client.get(share.url, { key: null })).toMatchObject({ status: 200, body })
    const changed = await client.patch(`${shares}/${share.id}`, { label: null })
    expect(changed.body.data.label).toBeNull()
  })

  it('are separate from those of a tracking link with the same id', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const tracking = listLinks(client.sandbox, 'tracking', account)[0]!
    const trial = listLinks(client.sandbox, 'trial', account)[0]!
    client.db.trialLinks.insert({ ...client.db.trialLinks.get(trial.id)!, id: tracking.id })
    const share = await client.postData(`trial-links/${tracking.id}/shares`, {})
    expect((await client.getData(`trial-links/${tracking.id}/shares`)).list).toEqual([share])
    const path = `tracking-links/${tracking.id}/shares/${share.id}`
    expect((await client.delete(path)).status).toBe(404)
  })

  it('set and add tags, ignore those of other organisations, and lose deleted tags', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const [one, two] = client.db.tags.where({ organisation: 1 })
    const foreign = client.db.tags.find(({ organisation }) => organisation !== 1)!
    const [trial, other] = listLinks(client.sandbox, 'trial', account)
    const tracking = listLinks(client.sandbox, 'tracking', account)[0]!
    const add = (...link_ids: number[]) =>
      client.post('trial-links/tags/add', { link_ids, tag_ids: [two!.id, foreign.id] })
    const set = async (tagIds: number[]) =>
      (await client.put(`trial-links/${trial!.id}/tags`, { tag_ids: tagIds })).body.data
    const shown = async (link: { id: number }, kind = 'trial') =>
      idsOf((await client.getData(`${kind}-links/${link.id}`)).tags)
    expect(await set([one!.id, foreign.id, one!.id])).toEqual({
      trial_link_id: String(trial!.id),
      tag_ids: [one!.id],
    })
    const noTags = { link_ids: [trial!.id], tag_ids: [] }
    expect((await client.post('trial-links/tags/add', noTags)).status).toBe(400)
    expect((await add()).status).toBe(400)
    expect((await add(trial!.id, tracking.id)).status).toBe(404)
    expect(await shown(trial!)).toEqual([one!.id])
    expect((await add(trial!.id, other!.id)).body.data).toEqual({ success: true })
    expect([await shown(trial!), (await shown(other!)).includes(two!.id)]).toEqual([
      [one!.id, two!.id],
      true,
    ])
    await client.put(`tracking-links/${tracking.id}/tags`, { tag_ids: [two!.id] })
    await client.delete(`/v1/tags/${two!.id}`)
    expect([await shown(trial!), await shown(tracking, 'tracking')]).toEqual([[one!.id], []])
    expect([await set([]), await shown(trial!)]).toEqual([
      { trial_link_id: String(trial!.id), tag_ids: [] },
      [],
    ])
  })
})
