import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { hour, later } from '../support/mass-messages.ts'

it('checks each kind of field in the same way in routes, actions and make', async () => {
  const client = await openClient()
  const { make } = client.sandbox
  const media = make.vaultMedia().id
  for (const [field, value] of [
    ['rfGuest', [-5]],
    ['rfGuest', [0]],
    ['rfPartner', [7, 7]],
    ['rfTag', ['a', 'a']],
    ['mediaFiles', [media, media]],
    ['expireDays', 31],
    ['price', 1.234],
  ] as const) {
    const { status, body } = await client.post('posts', { text: 'x', [field]: value })
    expect([field, status, body.error]).toEqual([field, 400, expect.stringContaining(field)])
    expect(() => make.post({ [field]: value })).toThrow(field)
    if (field !== 'expireDays' && field !== 'price' && field !== 'rfTag')
      expect(() => make.message({ [field]: value })).toThrow(field)
  }
  const publish = (fields: object) => () => client.sandbox.act({ type: 'post.publish', ...fields })
  expect(publish({ media_ids: [media, media] })).toThrow('media_ids')
  expect(publish({ expire_days: 31 })).toThrow('expire_days')
})

it('keeps the expiry of a post when another field changes, or it is published early', async () => {
  const client = await openClient()
  const { db, make } = client.sandbox
  const expiresAt = '2027-01-01T00:00:00.000Z'
  const post = make.post({ expiresAt })
  await client.put(`posts/${post.id}`, { text: 'New' })
  expect(db.posts.get(post.id)?.expiresAt).toBe(expiresAt)
  const planned = make.post({ at: '+1h', expiresAt })
  await client.put(`schedules/${planned.id * 2}/publish`)
  expect(db.posts.get(planned.id)).toMatchObject({ status: 'published', expiresAt })
})

it('does not delete or publish a locked post through the schedule', async () => {
  const client = await openClient()
  const { db, make } = client.sandbox
  const post = make.post({ at: '+1h', canDelete: false, canEdit: false })
  const item = `schedules/${post.id * 2}`
  expect((await client.delete(item)).status).toBe(403)
  expect((await client.put(`${item}/publish`)).status).toBe(403)
  expect(db.posts.get(post.id)).toEqual(post)
})

it('looks only at canDelete to delete a vault list', async () => {
  const client = await openClient()
  const list = client.sandbox.make.vaultList({ canUpdate: false, canDelete: true })
  client.sandbox.make.vaultMedia({ listIds: [list.id] })
  expect((await client.delete(`vault/lists/${list.id}`)).status).toBe(200)
})

it('counts the deletion of a media item as a change of its lists', async () => {
  const client = await openClient()
  const { clock, db, make } = client.sandbox
  const list = make.vaultList()
  const media = make.vaultMedia({ listIds: [list.id] })
  clock.advance('1h')
  await client.delete(`vault/media/${media.id}`)
  expect(db.vaultLists.get(list.id)?.modifiedAt).toBe(clock.iso())
})

it('delivers a queued mass message without a date, and the ones after it', async () => {
  const client = await openClient()
  const { clock, db, make } = client.sandbox
  const { fanId } = db.subscriptions.find({ accountId: client.account(), isExpired: false })!
  const fields = { state: 'queued' as const, userIds: [fanId], sentAt: null }
  const undated = make.massMessage({ ...fields, scheduledDate: null })
  const dated = make.massMessage({ ...fields, scheduledDate: later(client, hour) })
  clock.advance('2h')
  for (const { id } of [undated, dated]) expect(db.massMessages.get(id)?.state).toBe('sent')
})
