import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { findBusiestLink, listClaims } from '../support/links.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

const busiest = (client: Client) => findBusiestLink(client, 'tracking', client.account())

describe('GET tracking-links/{id}/claimers', () => {
  it('pages each claimer once, with hasMore false on the first page and true on all others (§4)', async () => {
    const client = await openClient('agency')
    const link = busiest(client)
    const path = `/v1/${client.account()}/tracking-links/${link.id}/claimers`
    const rows = await readAllPages(client, path)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    expect(idsOf(rows).toSorted()).toEqual(
      listClaims(client.sandbox, 'tracking', link.id)
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
