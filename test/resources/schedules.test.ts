import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { deliveriesOf, fansOf, hour, later } from '../support/mass-messages.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'
import { listActiveAccounts } from '../support/owner-requests.ts'

const range = 'start_date=2026-10-01&end_date=2027-12-31'
const list = async (client: Client, query = `${range}&limit=100`) =>
  (await client.getData(`schedules?${query}`)).list
const post = async (client: Client, scheduledTime: string) =>
  (await client.postData('posts', { text: 'Planned', scheduledTime, expireDays: 2 })).id as number
const message = async (client: Client, scheduledDate: string, body: object = {}) =>
  (
    await client.postData('mass-messages', {
      text: '<p>Planned</p>',
      userLists: ['recent'],
      scheduledDate,
      ...body,
    })
  ).id as number
const itemOf = async (client: Client, entityId: number) =>
  (await list(client)).find(({ entity }: { entity: { id: number } }) => entity.id === entityId)
const entityIds = async (client: Client, query?: string): Promise<number[]> =>
  (await list(client, query)).map(({ entity }: { entity: { id: number } }) => entity.id)

describe('GET schedules', () => {
  it('shows scheduled posts and queued mass messages, soonest first', async () => {
    const client = await openClient('agency')
    const [at, next] = ['2026-11-05T12:00:00+00:00', '2026-11-05T13:00:00+00:00']
    const [messageId, postId] = [await message(client, next), await post(client, at)]
    const createdDateTime = toPlatformTime(client.sandbox.clock.iso())
    const shownPost = { id: postId, responseType: 'post', rawText: 'Planned', scheduledAt: at }
    const shownMessage = {
      id: messageId,
      responseType: 'message',
      text: '<p>Planned</p>',
      rawText: 'Planned',
      scheduledAt: next,
      userLists: ['recent'],
      sentRulesType: 'lists',
      isFromQueue: true,
    }
    expect(await list(client, 'start_date=2026-11-05')).toMatchObject([
      { type: 'post', publishDateTime: at, createdDateTime, entity: shownPost },
      { type: 'chat', publishDateTime: next, createdDateTime, entity: shownMessage },
    ])
  })

  it('gives items unique ids, different from those of their posts and messages', async () => {
    const client = await openClient('agency')
    const rows = await list(client)
    for (const type of ['post', 'chat'])
      expect(rows).toContainEqual(expect.objectContaining({ type }))
    expect(new Set(idsOf(rows)).size).toBe(rows.length)
    for (const { entity } of rows)
      expect((await client.delete(`schedules/${entity.id}`)).status).toBe(404)
    expect((await list(client)).length).toBe(rows.length)
  })

  it('does not list published, sent and deleted items', async () => {
    const client = await openClient('agency')
    const [soon, next] = [later(client, hour), later(client, 2 * hour)]
    const [out, gone] = [await post(client, soon), await post(client, next)]
    const [sent, cancelled] = [await message(client, soon), await message(client, next)]
    await client.delete(`posts/${gone}`)
    await client.delete(`mass-messages/queue/${cancelled}`)
    expect(await entityIds(client)).toEqual(expect.arrayContaining([out, sent]))
    for (const id of [gone, cancelled]) expect(await entityIds(client)).not.toContain(id)
    client.sandbox.clock.advance('1h')
    for (const id of [out, sent]) expect(await entityIds(client)).not.toContain(id)
  })

  it('covers today (UTC) by default', async () => {
    const client = await openClient('agency')
    const rows = await list(client, 'limit=100')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toEqual(await list(client, 'start_date=2026-10-01&end_date=2026-10-01'))
    for (const { publishDateTime } of rows) expect(publishDateTime).toMatch(/^2026-10-01/)
  })

  it('interprets days in the time zone, including daylight saving time', async () => {
    const client = await openClient('agency')
    // Daylight saving time in Berlin ends on 25 October 2026. That day has 25 hours and spans 22:00
    // to 23:00 UTC.
    const ids: number[] = []
    for (const time of ['24T21:59:59', '24T22:00:00', '25T22:59:59', '25T23:00:00'])
      ids.push(await post(client, `2026-10-${time}Z`))
    const shown = async (day: string, timezone: string) => {
      const found = await entityIds(client, `start_date=${day}&timezone=${timezone}`)
      return found.map((id) => ids.indexOf(id))
    }
    expect(await shown('2026-10-24', 'Europe/Berlin')).toEqual([0])
    expect(await shown('2026-10-25', 'Europe/Berlin')).toEqual([1, 2])
    expect(await shown('2026-10-25', 'UTC')).toEqual([2, 3])
    expect(await shown('2026-10-24', 'America%2FLos_Angeles')).toEqual([0, 1])
    expect(await shown('2026-10-26', 'Pacific%2FKiritimati')).toEqual([2, 3])
  })

  it('filters by type, repeated or comma-separated, without any streams', async () => {
    const client = await openClient('agency')
    const all = await list(client)
    const ofTypes = (...types: string[]) =>
      all.filter(({ type }: { type: string }) => types.includes(type))
    expect(await list(client, `${range}&limit=100&type=post`)).toEqual(ofTypes('post'))
    expect(await list(client, `${range}&limit=100&type=chat&type=stream`)).toEqual(ofTypes('chat'))
    expect(await list(client, `${range}&limit=100&type=chat,post`)).toEqual(all)
    expect(await list(client, `${range}&limit=100&type=stream`)).toEqual([])
  })

  it('rejects unknown types and zones, and invalid days', async () => {
    const client = await openClient('agency')
    for (const query of [
      'type=story',
      'type=post,story',
      'type=post&type=story',
      'type=',
      'timezone=Mars/Olympus',
      'timezone=',
      'timezone=%2B02:00',
      'start_date=-7d',
      'start_date=2026-02-30',
      'start_date=2026-10-02&end_date=2026-10-01',
    ]) {
      const { status, body } = await client.get(`schedules?${query}`)
      expect([query, status]).toEqual([query, 400])
      if (!query.includes('type='))
        expect((await client.get(`schedules/counters?${query}`)).status).toBe(400)
      if (query.endsWith('story')) expect(body.error).toContain('chat, post, stream')
    }
    const { body } = await client.get('schedules?end_date=2026-09-01')
    expect(body.error).toMatch(/start_date \(2026-10-01, the default\)|2026-10-01, the default/)
  })

  it('pages each item once, keeping repeated types', async () => {
    for (const scenario of ['agency', 'boundaries']) {
      const client = await openClient(scenario)
      for (const { id: account } of listActiveAccounts(client)) {
        const { posts, massMessages } = client.db
        const expected =
          posts.where({ accountId: account, status: 'scheduled' }).length +
          massMessages.where({ accountId: account, state: 'queued' }).length
        for (const limit of [1, 7, 20]) {
          const path = `/v1/${account}/schedules?${range}&type=chat&type=post&limit=${limit}`
          const rows = await readAllPages(client, path)
          const counts = [rows.length, new Set(idsOf(rows)).size]
          expect([account, ...counts]).toEqual([account, expected, expected])
          const times = rows.map(({ publishDateTime }) => publishDateTime)
          expect(times).toEqual(times.toSorted())
        }
      }
    }
  })
})

describe('GET schedules/counters', () => {
  it('counts by type and by day of the time zone, without empty days', async () => {
    const client = await openClient('agency')
    await post(client, '2026-12-01T22:30:00Z')
    await message(client, '2026-12-01T23:30:00Z')
    await message(client, '2026-12-02T01:00:00Z')
    const counters = (query: string) =>
      client.getData(`schedules/counters?start_date=2026-11-20${query}`)
    expect(await counters('')).toEqual({
      list: { '2026-12-01': { post: 1, chat: 1 }, '2026-12-02': { chat: 1 } },
    })
    expect(await counters('&timezone=Europe/Berlin')).toEqual({
      list: { '2026-12-01': { post: 1 }, '2026-12-02': { chat: 2 } },
    })
    expect(await counters('&end_date=2026-12-01')).toEqual({
      list: { '2026-12-01': { post: 1, chat: 1 } },
    })
    expect(await counters('&end_date=2026-11-30')).toEqual({ list: {} })
  })

  it('covers 30 days from the first one by default', async () => {
    const client = await openClient('agency')
    await post(client, '2026-10-31T12:00:00Z')
    await post(client, '2026-11-01T12:00:00Z')
    const days = Object.keys((await client.getData('schedules/counters')).list)
    expect([days.includes('2026-10-31'), days.includes('2026-11-01')]).toEqual([true, false])
  })
})

describe('PUT schedules/{item_id}/publish and DELETE schedules/{item_id}', () => {
  it('publish a post now: it tops the feed, leaves the schedule, and expires from now on', async () => {
    const client = await openClient('agency')
    const postId = await post(client, '2026-12-01T12:00:00Z')
    const { id } = await itemOf(client, postId)
    client.sandbox.clock.advance('1h')
    expect((await client.put(`schedules/${id}/publish`)).body.data).toEqual({ success: true })
    expect((await client.getData('posts?limit=1')).list[0]).toMatchObject({
      id: postId,
      postedAt: toPlatformTime(client.sandbox.clock.iso()),
    })
    expect(await itemOf(client, postId)).toBeUndefined()
    expect((await client.put(`schedules/${id}/publish`)).status).toBe(404)
    client.sandbox.clock.advance('2d')
    expect((await client.get(`posts/${postId}/stats`)).status).toBe(404)
  })

  it('send a mass message now, only once', async () => {
    const client = await openClient('agency')
    const [fan] = fansOf(client)
    const recipients = { userLists: [], userIds: [fan] }
    const messageId = await message(client, '2026-12-01T12:00:00Z', recipients)
    const item = await itemOf(client, messageId)
    expect(item.entity.sentRulesType).toBe('users')
    expect((await client.put(`schedules/${item.id}/publish`)).status).toBe(200)
    expect((await client.getData('mass-messages?limit=1'))[0]).toMatchObject({
      id: messageId,
      sentCount: 1,
      date: toPlatformTime(client.sandbox.clock.iso()),
    })
    client.sandbox.clock.set('2026-12-02T12:00:00Z')
    expect(deliveriesOf(client, messageId)).toMatchObject([{ fanId: fan }])
    expect((await client.delete(`schedules/${item.id}`)).status).toBe(404)
  })

  it('delete a post permanently, and cancel a mass message', async () => {
    const client = await openClient('agency')
    const [postId, messageId] = [
      await post(client, '2026-12-01T12:00:00Z'),
      await message(client, '2026-12-01T12:00:00Z'),
    ]
    for (const entity of [postId, messageId]) {
      const { id } = await itemOf(client, entity)
      expect((await client.delete(`schedules/${id}`)).body.data).toEqual({ success: true })
      expect((await client.delete(`schedules/${id}`)).status).toBe(404)
    }
    expect((await client.get(`posts/${postId}/stats`)).status).toBe(404)
    expect((await client.getData(`mass-messages/queue/${messageId}`)).queue.isCanceled).toBe(true)
  })

  it('do not find the items of other accounts', async () => {
    const client = await openClient('agency')
    const { id } = await itemOf(client, await post(client, '2026-12-01T12:00:00Z'))
    const other = client.account('jonah_reyes')
    expect((await client.delete(`/v1/${other}/schedules/${id}`)).status).toBe(404)
  })
})
