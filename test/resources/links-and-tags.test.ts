import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

const linksOf = ({ sandbox, account }: Client) =>
  sandbox.db.trackingLinks.where((link) => link.accountId === account() && link.endDate === null)
const claimersOf = ({ sandbox }: Client, link: number) =>
  sandbox.db.subscriptions.where({ trackingLinkId: link })
const busiest = (client: Client) =>
  linksOf(client).toSorted(
    (a, b) => claimersOf(client, b.id).length - claimersOf(client, a.id).length,
  )[0]!

describe('GET tracking-links/{id}/claimers', () => {
  it('pages each claimer once, with hasMore false on the first page and true on all others (§4)', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const path = `/v1/${client.account()}/tracking-links/${link.id}/claimers`
    const rows = await readAllPages(client, path)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    expect(idsOf(rows).toSorted()).toEqual(
      claimersOf(client, link.id)
        .map(({ fanId }) => fanId)
        .toSorted(),
    )
    const first = (await client.get(path)).body
    expect([first.data.hasMore, first._pagination.next_page]).toEqual([false, `${path}?offset=10`])
    const last = (await client.get(`${path}?offset=${rows.length - 1}`)).body
    expect([last.data.hasMore, last._pagination]).toEqual([true, undefined])
    const beyond = (await client.get(`${path}?offset=${rows.length + 7}`)).body
    expect([beyond.data, beyond._pagination]).toEqual([{ list: [], hasMore: true }, undefined])
  })

  it('returns an empty list for a link without claimers, and 404 for a deleted link', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const lonely = linksOf(client).find((link) => claimersOf(client, link.id).length === 0)!
    expect(await client.getData(`tracking-links/${lonely.id}/claimers`)).toEqual({
      list: [],
      hasMore: false,
    })
    const deleted = client.db.trackingLinks.find(
      (link) => link.accountId === account && link.endDate !== null,
    )!
    const foreign = client.db.trackingLinks.find((link) => link.accountId !== account)!
    for (const { id } of [deleted, foreign])
      expect((await client.get(`tracking-links/${id}/claimers`)).status).toBe(404)
  })
})

describe('DELETE tracking-links/{id}', () => {
  it('hides the link from all routes and keeps its end date in the data (§3)', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const path = `tracking-links/${link.id}`
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    expect((await client.delete(path)).status).toBe(404)
    expect((await client.get(`${path}/claimers`)).status).toBe(404)
    expect((await client.put(`${path}/tags`, { tag_ids: [] })).status).toBe(404)
    expect(client.db.trackingLinks.get(link.id)?.endDate).toBe(client.sandbox.clock.iso())
  })
})

describe('tags of tracking links', () => {
  const tagsOf = ({ sandbox }: Client, isOwn: boolean) => {
    const own = sandbox.db.organisations.all()[0]!.id
    return idsOf(sandbox.db.tags.where((tag) => (tag.organisation === own) === isOwn))
  }

  it('replaces all tags, ignores those of other organisations, and clears with an empty array', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const [first, second] = tagsOf(client, true)
    const [foreign] = tagsOf(client, false)
    const put = async (tag_ids: unknown) =>
      (await client.put(`tracking-links/${link.id}/tags`, { tag_ids })).body.data
    expect(await put([second, foreign, 1, first, second])).toEqual({
      tracking_link_id: String(link.id),
      tag_ids: [second, first],
    })
    expect(client.db.trackingLinks.get(link.id)?.tags).toEqual([second, first])
    expect(await put([])).toEqual({ tracking_link_id: String(link.id), tag_ids: [] })
  })

  it('adds tags to several links without removing any', async () => {
    const client = await openClient('agency')
    const [one, two] = linksOf(client)
    const [first, second] = tagsOf(client, true)
    await client.put(`tracking-links/${one!.id}/tags`, { tag_ids: [first] })
    await client.put(`tracking-links/${two!.id}/tags`, { tag_ids: [] })
    const { body } = await client.post('tracking-links/tags/add', {
      link_ids: [one!.id, two!.id, one!.id],
      tag_ids: [second],
    })
    expect(body.data).toEqual({ success: true })
    expect(client.db.trackingLinks.get(one!.id)?.tags).toEqual([first, second])
    expect(client.db.trackingLinks.get(two!.id)?.tags).toEqual([second])
  })

  it('rejects empty lists when adding tags, but clears when setting no tags', async () => {
    const client = await openClient('agency')
    const [tag] = tagsOf(client, true)
    const links = {
      tracking: busiest(client).id,
      trial: client.db.trialLinks.find({ accountId: client.account() })!.id,
    }
    for (const [kind, id] of Object.entries(links)) {
      const path = `${kind}-links`
      for (const [field, body] of [
        ['link_ids', { link_ids: [], tag_ids: [tag] }],
        ['tag_ids', { link_ids: [id], tag_ids: [] }],
      ] as const) {
        const answer = await client.post(`${path}/tags/add`, body)
        expect([answer.status, answer.body.error]).toEqual([
          400,
          `Body field ${field} is an array of 0, but it must have at least 1 item.`,
        ])
      }
      expect((await client.put(`${path}/${id}/tags`, { tag_ids: [] })).body.data.tag_ids).toEqual(
        [],
      )
    }
  })

  it("returns 404 and changes nothing if one link is not the account's", async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const { tags } = link
    const tag = tagsOf(client, true).find((id) => !tags.includes(id))
    expect(
      (await client.post('tracking-links/tags/add', { link_ids: [link.id, 1], tag_ids: [tag] }))
        .status,
    ).toBe(404)
    expect(client.db.trackingLinks.get(link.id)?.tags).toEqual(tags)
  })
})

describe('tags of the organisation', () => {
  it('are created, listed, renamed and deleted, and deleting removes them from all links', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const created = await client.postData('/v1/tags', { name: 'Autumn' })
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Autumn',
      color: null,
      created_at: client.sandbox.clock.iso(),
    })
    await client.post('tracking-links/tags/add', { link_ids: [link.id], tag_ids: [created.id] })
    expect((await client.patch(`/v1/tags/${created.id}`, { color: '#102030' })).body.data).toEqual({
      ...created,
      color: '#102030',
    })
    expect(
      (await client.patch(`/v1/tags/${created.id}`, { name: 'Fall', color: null })).body.data,
    ).toEqual({ ...created, name: 'Fall' })
    expect(await readAllIds(client, '/v1/tags?limit=2')).toContain(created.id)
    expect((await client.delete(`/v1/tags/${created.id}`)).body.data).toEqual({ success: true })
    expect(client.db.trackingLinks.get(link.id)?.tags).toEqual(link.tags)
    expect((await client.delete(`/v1/tags/${created.id}`)).status).toBe(404)
  })

  it('are visible only to their organisation', async () => {
    const client = await openClient('agency')
    const own = idsOf(client.db.tags.where({ organisation: 1 }))
    const foreign = client.db.tags.find(({ organisation }) => organisation !== 1)!
    expect(await readAllIds(client, '/v1/tags?limit=2')).toEqual(own)
    expect(await readAllIds(client, '/v1/tags')).not.toContain(foreign.id)
    expect((await client.patch(`/v1/tags/${foreign.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await client.delete(`/v1/tags/${foreign.id}`)).status).toBe(404)
  })

  it('reject a blank name', async () => {
    const client = await openClient()
    expect((await client.post('/v1/tags', { name: ' ' })).status).toBe(400)
  })
})
