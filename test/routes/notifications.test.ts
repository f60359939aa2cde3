import { expect } from 'vitest'
import { describeMatrix } from '../support/matrix.ts'

describeMatrix('PATCH notifications/settings', (start, it) => {
  it('changes the toggles that are sent and answers the full settings', async () => {
    const client = await start()
    const path = `/v1/${client.account()}/notifications/settings`
    const { status, body } = await client.send('PATCH', path, { body: { notifications: { message: [{ code: 'new_message', value: false }] } } })
    expect(status).toBe(200)
    expect(body.data.notifications.message).toEqual([
      { code: 'new_message', value: false },
      { code: 'tip_received', value: true },
      { code: 'ppv_unlocked', value: true },
    ])
    const again = await client.send('PATCH', path, { body: { notifications: {} } })
    expect(again.body.data).toEqual(body.data)
  })

  it('refuses an unknown channel or code and changes nothing, also of what came before it', async () => {
    const client = await start()
    const path = `/v1/${client.account()}/notifications/settings`
    const good = [{ code: 'new_message', value: false }]
    const bad: unknown[] = [
      { message: good, pigeon: good },
      { message: [...good, { code: 'new_pigeon', value: true }] },
      { message: [{ code: 'new_message', value: 'false' }] },
      { message: [{ code: 'new_message' }] },
      { message: good[0] },
      null,
      [],
    ]
    for (const notifications of bad) {
      const answer = await client.send('PATCH', path, { body: { notifications } })
      expect([JSON.stringify(notifications), answer.status]).toEqual([JSON.stringify(notifications), 400])
    }
    const { body } = await client.send('PATCH', path, { body: { notifications: {} } })
    expect(body.data.notifications.message[0]).toEqual({ code: 'new_message', value: true })
  })
})

describeMatrix('PUT notifications/tabs-order', (start, it) => {
  it('sets and answers the order', async () => {
    const client = await start()
    const order = ['tip', 'all', 'message']
    const { body } = await client.send('PUT', `/v1/${client.account()}/notifications/tabs-order`, { body: order })
    expect(body.data).toEqual(order)
    expect(client.sandbox.db.notificationSettings.get(client.account())?.tabsOrder).toEqual(order)
  })

  it.each([[['all', 'all']], [['all', 'news']], [{ tabs: ['all'] }], [['all', 5]], ['all'], [null]])('refuses %j', async (body) => {
    const client = await start()
    expect((await client.send('PUT', `/v1/${client.account()}/notifications/tabs-order`, { body: JSON.stringify(body) })).status).toBe(400)
  })
})

describeMatrix('notification settings and tabs', (start, it) => {
  it('read back what was written', async () => {
    const client = await start()
    const path = `/v1/${client.account()}/notifications`
    await client.send('PATCH', `${path}/settings`, { body: { notifications: { message: [{ code: 'tip_received', value: false }] } } })
    const [group] = (await client.get(`${path}/settings/message`)).body.data
    expect(group.items).toEqual([
      { code: 'new_message', name: 'New message', value: true },
      { code: 'tip_received', name: 'Tip received', value: false },
      { code: 'ppv_unlocked', name: 'Ppv unlocked', value: true },
    ])
    expect((await client.get(`${path}/settings/message?group=2`)).status).toBe(400)
    await client.send('PUT', `${path}/tabs-order`, { body: ['tip', 'all'] })
    expect((await client.get(`${path}/tabs-order`)).body.data).toEqual(['tip', 'all'])
  })
})
