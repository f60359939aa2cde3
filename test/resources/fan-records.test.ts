import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

/** Returns a fan without a private record. */
const fanOf = ({ sandbox: { db } }: Client, account: number) =>
  db.subscriptions.where(
    ({ accountId, fanId }) =>
      accountId === account && db.fanRecords.find({ accountId, fanId }) === undefined,
  )[0]!.fanId

describe('private records of a fan', () => {
  it('are null before the first write, and reading does not create a record (§4 known behaviour 6)', async () => {
    const client = await openClient()
    const account = client.account()
    const fan = fanOf(client, account)
    const { size } = client.sandbox.db.fanRecords
    const read = async (what: string) =>
      (await client.get(`/v1/${account}/fm/fans/${fan}/${what}`)).body.data
    expect(await read('name')).toEqual({ name: null })
    expect(await read('note')).toEqual({ note: null })
    expect(await read('metadata')).toEqual({ timezone: null, birthday: null, city: null })
    expect(client.sandbox.db.fanRecords.size).toBe(size)
  })

  it('keep an empty name and note, and null clears them', async () => {
    const client = await openClient()
    const account = client.account()
    const path = `/v1/${account}/fm/fans/${fanOf(client, account)}`
    for (const field of ['name', 'note']) {
      for (const value of ['Big spender', '', null]) {
        expect(
          (await client.send('PATCH', `${path}/${field}`, { body: { [field]: value } })).body.data,
        ).toEqual({ [field]: value })
        expect((await client.get(`${path}/${field}`)).body.data).toEqual({ [field]: value })
      }
      for (const body of [{}, { [field]: 5 }, null])
        expect((await client.send('PATCH', `${path}/${field}`, { body })).status).toBe(400)
    }
  })

  it('ignore absent metadata, and read an empty timezone or city as null', async () => {
    const client = await openClient()
    const account = client.account()
    const path = `/v1/${account}/fm/fans/${fanOf(client, account)}/metadata`
    const patch = async (body: object) => (await client.send('PATCH', path, { body })).body.data
    expect(await patch({ timezone: 'Europe/Oslo', birthday: '1990-02-28', city: 'Oslo' })).toEqual({
      timezone: 'Europe/Oslo',
      birthday: '1990-02-28',
      city: 'Oslo',
    })
    expect(await patch({ city: '' })).toEqual({
      timezone: 'Europe/Oslo',
      birthday: '1990-02-28',
      city: null,
    })
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
      { city: 5 },
      { timezone: 'Oslo' },
      { timezone: 5 },
    ])
      expect((await client.send('PATCH', path, { body })).status).toBe(400)
  })

  it("are independent of the platform's note and display name", async () => {
    const client = await openClient()
    const account = client.account()
    const fan = fanOf(client, account)
    const put = async (what: string, body: object) =>
      (await client.send('PUT', `/v1/${account}/fans/${fan}/${what}`, { body })).body.data
    await client.send('PATCH', `/v1/${account}/fm/fans/${fan}/note`, { body: { note: 'private' } })
    await client.send('PATCH', `/v1/${account}/fm/fans/${fan}/name`, { body: { name: 'Private' } })
    expect(await put('notes', { notice: 'platform' })).toEqual({ id: fan, notice: 'platform' })
    expect(await put('display-name', { displayName: 'Platform' })).toEqual({
      id: fan,
      displayName: 'Platform',
    })
    expect((await client.get(`/v1/${account}/fans?ids=${fan}`)).body.data[fan]).toMatchObject({
      notice: 'platform',
      displayName: 'Platform',
    })
    expect((await client.get(`/v1/${account}/fm/fans/${fan}/note`)).body.data).toEqual({
      note: 'private',
    })
    expect((await client.get(`/v1/${account}/fm/fans/${fan}/name`)).body.data).toEqual({
      name: 'Private',
    })
    expect((await client.send('DELETE', `/v1/${account}/fans/${fan}/notes`)).body.data).toEqual({
      success: true,
    })
    expect((await client.get(`/v1/${account}/fans?ids=${fan}`)).body.data[fan].notice).toBe('')
    expect(
      (
        await client.send('PUT', `/v1/${account}/fans/${fan}/display-name`, {
          body: { displayName: 'x'.repeat(101) },
        })
      ).status,
    ).toBe(400)
  })

  it('of one account are not available through another account of the same organisation', async () => {
    const client = await openClient('agency')
    const [one, two] = client.sandbox.db.accounts
      .where({ organisation: 1, connected: true })
      .map(({ id }) => id)
    const fan = client.sandbox.db.subscriptions
      .where({ accountId: one })
      .find(
        ({ fanId }) =>
          client.sandbox.db.subscriptions.find({ accountId: two, fanId }) !== undefined &&
          client.sandbox.db.fanRecords.find({ accountId: two, fanId }) === undefined,
      )!.fanId
    await client.send('PATCH', `/v1/${one}/fm/fans/${fan}/note`, { body: { note: 'only here' } })
    expect((await client.get(`/v1/${two}/fm/fans/${fan}/note`)).body.data).toEqual({ note: null })
  })

  it("work for a fan that the account does not know, but the platform's notes do not", async () => {
    const client = await openClient()
    const account = client.account()
    const { size } = client.sandbox.db.fanRecords
    expect((await client.get(`/v1/${account}/fm/fans/1/note`)).body.data).toEqual({ note: null })
    expect((await client.get(`/v1/${account}/fm/fans/1/links`)).body.data).toEqual({
      tracking_links: [],
      trial_links: [],
    })
    expect(client.sandbox.db.fanRecords.size).toBe(size)
    expect(
      (await client.send('PATCH', `/v1/${account}/fm/fans/1/note`, { body: { note: 'a' } })).body
        .data,
    ).toEqual({ note: 'a' })
    expect(
      (await client.send('PATCH', `/v1/${account}/fm/fans/1/metadata`, { body: { city: 'Oslo' } }))
        .status,
    ).toBe(200)
    expect((await client.get(`/v1/${account}/fm/fans/1/note`)).body.data).toEqual({ note: 'a' })
    expect((await client.get(`/v1/${account}/fm/fans/1/metadata`)).body.data).toEqual({
      timezone: null,
      birthday: null,
      city: 'Oslo',
    })
    expect(
      (await client.send('PUT', `/v1/${account}/fans/1/notes`, { body: { notice: 'a' } })).status,
    ).toBe(404)
    expect(client.sandbox.db.fanRecords.size).toBe(size + 1)
  })

  it("list the fan's link until it is deleted, and summarise their chat", async () => {
    const client = await openClient()
    const account = client.account()
    const claim = client.sandbox.db.subscriptions.find(
      (row) => row.accountId === account && row.trackingLinkId !== null,
    )!
    const links = async () =>
      (await client.get(`/v1/${account}/fm/fans/${claim.fanId}/links`)).body.data
    expect(await links()).toEqual({
      tracking_links: [
        { id: claim.trackingLinkId, name: expect.any(String), claimed_at: claim.subscribedAt },
      ],
      trial_links: [],
    })
    await client.send('DELETE', `/v1/${account}/tracking-links/${claim.trackingLinkId}`)
    expect(await links()).toEqual({ tracking_links: [], trial_links: [] })

    const chat = client.sandbox.db.chats.find({ accountId: account })!
    const summary = (await client.get(`/v1/${account}/fm/fans/${chat.fanId}/chat-summary`)).body
      .data
    expect(summary).toEqual({
      summary: expect.stringContaining(
        `${client.sandbox.db.messages.where({ chatId: chat.id }).length} messages`,
      ),
      generated_at: chat.lastMessageAt,
    })
    expect((await client.get(`/v1/${account}/fm/fans/1/chat-summary`)).body.data).toEqual({
      summary: null,
      generated_at: null,
    })
  })
})
