import { describe, expect, it } from 'vitest'
import { toPlatformTime } from '../../src/lib/time.ts'
import { openClient } from '../support/client.ts'
import { idsOf, readAllIds } from '../support/read-all-pages.ts'

describe('PATCH notifications/settings', () => {
  it('changes only the given toggles, and returns success', async () => {
    const client = await openClient()
    const patch = async (notifications: object) =>
      (await client.patch('notifications/settings', { notifications })).body.data
    expect(await patch({ message: [{ code: 'tip_received', value: false }] })).toEqual({
      success: true,
    })
    expect(await patch({})).toEqual({ success: true })
    const [group] = await client.getData('notifications/settings/message')
    expect(group.items).toEqual([
      { code: 'new_message', name: 'New message', value: true },
      { code: 'tip_received', name: 'Tip received', value: false },
      { code: 'ppv_unlocked', name: 'Ppv unlocked', value: true },
    ])
    expect((await client.get('notifications/settings/message?group=2')).status).toBe(200)
  })

  it('rejects an unknown channel or code and changes nothing, not even the toggles before it', async () => {
    const client = await openClient()
    const good = [{ code: 'new_message', value: false }]
    const bad: unknown[] = [
      { message: good, pigeon: good },
      { message: [...good, { code: 'new_pigeon', value: true }] },
      { message: [{ code: 'new_message', value: 'false' }] },
      { message: [{ code: 'new_message' }] },
      { message: good[0] },
      JSON.parse('{"__proto__": []}'),
      JSON.parse('{"message": [], "__proto__": [{ "code": "new_message", "value": false }]}'),
      null,
      [],
    ]
    for (const notifications of bad) {
      const { status } = await client.patch('notifications/settings', { notifications })
      expect([notifications, status]).toEqual([notifications, 400])
    }
    const { body } = await client.get('notifications/settings/message')
    expect(body.data[0].items[0]).toMatchObject({ code: 'new_message', value: true })
  })
})

describe('PUT notifications/tabs-order', () => {
  it('sets and returns the order', async () => {
    const client = await openClient()
    const order = ['tip', 'all', 'message']
    const { body } = await client.put('notifications/tabs-order', order)
    expect(body.data).toEqual(order)
    expect(await client.getData('notifications/tabs-order')).toEqual(order)
  })

  it('rejects anything but a list of different tabs', async () => {
    const client = await openClient()
    const bad = [['all', 'all'], ['all', 'news'], { tabs: ['all'] }, ['all', 5], 'all', null]
    for (const body of bad.map((each) => JSON.stringify(each)))
      expect([body, (await client.put('notifications/tabs-order', body)).status]).toEqual([
        body,
        400,
      ])
  })
})

describe('GET notifications', () => {
  it('lists events, newest first, with the user who caused them', async () => {
    const client = await openClient('agency')
    const account_id = client.account()
    const { make } = client.sandbox
    const fan_id = make.fan({ trait: 'silent', accountId: account_id }).id
    client.sandbox.act([
      { type: 'tip', account_id, fan_id, amount: 7.5 },
      { type: 'message.from_fan', account_id, fan_id },
    ])
    const { body } = await client.get('notifications?limit=2')
    expect(body.data).toMatchObject({
      hasMore: true,
      list: [
        {
          type: 'message',
          subType: 'new_message',
          text: 'sent you a message',
          replacePairs: null,
          isRead: false,
          canGoToProfile: true,
          user: { id: fan_id, _view: expect.any(String) },
        },
        {
          type: 'tip',
          text: 'sent you a {AMOUNT} tip',
          replacePairs: { '{AMOUNT}': '$7.50' },
          createdAt: toPlatformTime(client.sandbox.clock.iso()),
        },
      ],
    })
    expect(body._pagination).toEqual({
      next_page: `/v1/${account_id}/notifications?limit=2&from_id=${body.data.list[1].id}`,
    })
  })

  it('lists a made notification at its time, also across pages', async () => {
    const client = await openClient()
    const { sandbox } = client
    const [accountId, made] = [client.account(), new Map<number, string>()]
    for (const at of ['-3d', '-1h', '-2d', '-1h'])
      made.set(sandbox.make.notification({ accountId, at }).id, at)
    const ids = await readAllIds(client, 'notifications?limit=3')
    const rows = sandbox.db.notifications.where({ accountId })
    const sorted = rows.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id)
    expect(ids).toEqual(idsOf(sorted))
    expect(ids.flatMap((id) => made.get(id) ?? [])).toEqual(['-1h', '-1h', '-2d', '-3d'])
  })

  it('shows one tab, and users in full if requested', async () => {
    const client = await openClient('agency')
    const { list } = await client.getData('notifications?type=subscribed&skip_users=none')
    expect(new Set(list.map(({ type }: { type: string }) => type))).toEqual(new Set(['subscribed']))
    expect(list[0].user).toMatchObject({ name: expect.any(String), username: expect.any(String) })
    const none = { list: [], hasMore: false }
    expect(await client.getData('notifications?type=mentioned')).toMatchObject(none)
  })
})

describe('unread notifications', () => {
  it('are counted until all are marked as read, only those of the account', async () => {
    const client = await openClient('agency')
    const counts = () => client.getData('notifications/counts')
    expect((await counts()).all).toBeGreaterThan(0)
    expect(await client.postData('notifications/mark-all-as-read')).toEqual({ success: true })
    expect(new Set(Object.values(await counts()))).toEqual(new Set([0]))
    expect((await client.getData('notifications')).list[0].isRead).toBe(true)
    const other = client.account('jonah_reyes')
    expect((await client.getData(`/v1/${other}/notifications/counts`)).all).toBeGreaterThan(0)
  })

  it('are not created for a type that is disabled in the channel site', async () => {
    const client = await openClient()
    const account_id = client.account()
    await client.patch('notifications/settings', {
      notifications: { site: [{ code: 'new_tip', value: false }] },
    })
    const size = client.db.notifications.size
    client.sandbox.act([
      { type: 'tip', account_id },
      { type: 'post.like', account_id },
    ])
    expect(client.db.notifications.size).toBe(size + 1)
  })

  it('are limited to 1000 per account, and the oldest ones are removed', async () => {
    const client = await openClient()
    const account_id = client.account()
    const [oldest] = client.db.notifications.all()
    const { fanId: fan_id } = client.db.chats.find({ accountId: account_id, isMuted: false })!
    const message = { type: 'message.from_fan', account_id, fan_id, text: 'Hi' } as const
    client.sandbox.act(Array.from({ length: 1000 }, () => message))
    expect(client.db.notifications.where({ accountId: account_id })).toHaveLength(1000)
    expect(client.db.notifications.get(oldest!.id)).toBeUndefined()
  })
})
