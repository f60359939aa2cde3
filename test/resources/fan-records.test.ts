import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

/** Adds a fan, who has no private record. */
const fanOf = ({ sandbox: { make } }: Client) => make.subscription({ fanId: make.fan().id }).fanId

describe('private records of a fan', () => {
  it('are null before the first write, and reading does not create a record (§4 known behaviour 6)', async () => {
    const client = await openClient()
    const { size } = client.db.fanRecords
    // The user 1 is unknown to the account.
    for (const fan of [fanOf(client), 1]) {
      const read = (what: string) => client.getData(`fm/fans/${fan}/${what}`)
      expect(await read('name')).toEqual({ name: null })
      expect(await read('note')).toEqual({ note: null })
      expect(await read('metadata')).toEqual({ timezone: null, birthday: null, city: null })
    }
    expect(client.db.fanRecords.size).toBe(size)
    expect(await client.getData('fm/fans/1/links')).toEqual({ tracking_links: [], trial_links: [] })
    expect(await client.getData('fm/fans/1/chat-summary')).toEqual({
      summary: null,
      generated_at: null,
    })
  })

  it('keep an empty name and note, and null clears them', async () => {
    const client = await openClient()
    const path = `fm/fans/${fanOf(client)}`
    for (const field of ['name', 'note'])
      for (const value of ['Big spender', '', null]) {
        const body = { [field]: value }
        expect((await client.patch(`${path}/${field}`, body)).body.data).toEqual(body)
        expect(await client.getData(`${path}/${field}`)).toEqual(body)
      }
  })

  it('ignore absent metadata, and read an empty timezone or city as null', async () => {
    const client = await openClient()
    const path = `fm/fans/${fanOf(client)}/metadata`
    const patch = async (body: object) => (await client.patch(path, body)).body.data
    const full = { timezone: 'Europe/Oslo', birthday: '1990-02-28', city: 'Oslo' }
    expect(await patch(full)).toEqual(full)
    expect(await patch({ city: '' })).toEqual({ ...full, city: null })
    expect(await patch({ timezone: '', birthday: null })).toEqual({
      timezone: null,
      birthday: null,
      city: null,
    })
    for (const body of [
      { birthday: '1990-02-30' },
      { birthday: 'May' },
      { birthday: '' },
      { birthday: '2399-01-01' },
      { timezone: 'Oslo' },
    ])
      expect((await client.patch(path, body)).status).toBe(400)
  })

  it("are independent of the platform's note and display name", async () => {
    const client = await openClient()
    const fan = fanOf(client)
    const put = async (what: string, body: object) =>
      (await client.put(`fans/${fan}/${what}`, body)).body.data
    await client.patch(`fm/fans/${fan}/note`, { note: 'private' })
    await client.patch(`fm/fans/${fan}/name`, { name: 'Private' })
    expect(await put('notes', { notice: 'platform' })).toEqual({ id: fan, notice: 'platform' })
    expect(await put('display-name', { displayName: 'Platform' })).toEqual({
      id: fan,
      displayName: 'Platform',
    })
    expect((await client.getData(`fans?ids=${fan}`))[fan]).toMatchObject({
      notice: 'platform',
      displayName: 'Platform',
    })
    expect(await client.getData(`fm/fans/${fan}/note`)).toEqual({ note: 'private' })
    expect(await client.getData(`fm/fans/${fan}/name`)).toEqual({ name: 'Private' })
    expect((await client.delete(`fans/${fan}/notes`)).body.data).toEqual({ success: true })
    expect((await client.getData(`fans?ids=${fan}`))[fan].notice).toBe('')
  })

  it('of one account are not available through another account of the same organisation', async () => {
    const client = await openClient('agency')
    const [one, two] = idsOf(client.db.accounts.where({ organisation: 1, connected: true }))
    await client.patch(`/v1/${one}/fm/fans/1/note`, { note: 'only here' })
    expect(await client.getData(`/v1/${one}/fm/fans/1/note`)).toEqual({ note: 'only here' })
    expect(await client.getData(`/v1/${two}/fm/fans/1/note`)).toEqual({ note: null })
  })

  it("work for a fan that the account does not know, but the platform's notes do not", async () => {
    const client = await openClient()
    const { size } = client.db.fanRecords
    expect((await client.patch('fm/fans/1/note', { note: 'a' })).body.data).toEqual({ note: 'a' })
    const { data } = (await client.patch('fm/fans/1/metadata', { city: 'Oslo' })).body
    expect(data).toEqual({ timezone: null, birthday: null, city: 'Oslo' })
    expect(await client.getData('fm/fans/1/note')).toEqual({ note: 'a' })
    expect((await client.put('fans/1/notes', { notice: 'a' })).status).toBe(404)
    expect(client.db.fanRecords.size).toBe(size + 1)
  })

  it("list the fan's link until it is deleted, and summarise their chat", async () => {
    const client = await openClient()
    const account = client.account()
    const claim = client.db.subscriptions.find(
      (row) => row.accountId === account && row.trackingLinkId !== null,
    )!
    const links = () => client.getData(`fm/fans/${claim.fanId}/links`)
    expect(await links()).toEqual({
      tracking_links: [
        { id: claim.trackingLinkId, name: expect.any(String), claimed_at: claim.subscribedAt },
      ],
      trial_links: [],
    })
    await client.delete(`tracking-links/${claim.trackingLinkId}`)
    expect(await links()).toEqual({ tracking_links: [], trial_links: [] })

    const chat = client.db.chats.find({ accountId: account })!
    const summary = await client.getData(`fm/fans/${chat.fanId}/chat-summary`)
    expect(summary).toEqual({
      summary: expect.stringContaining(
        `${client.db.messages.where({ chatId: chat.id }).length} messages`,
      ),
      generated_at: chat.lastMessageAt,
    })
  })
})
