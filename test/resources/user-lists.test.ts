import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

/** Ids of the platform's own lists. */
const slugs = ['fans', 'following', 'friends', 'muted', 'recent', 'tagged']
const membersOf = (client: Client, list: number | string) =>
  readAllIds(client, `user-lists/${list}/users?limit=100`)
const fansOf = ({ sandbox, account }: Client) =>
  sandbox.db.subscriptions.where({ accountId: account() }).map(({ fanId }) => fanId)

/**
 * Returns fans who have waited up to 30 days for a reply, longest waiting first. Mass messages do
 * not count as replies.
 */
function listUnansweredFans({ sandbox, account }: Client, accountId = account()): number[] {
  const since = new Date(sandbox.clock.now() - 30 * 86_400_000).toISOString()
  const last = sandbox.db.chats
    .where({ accountId })
    .filter(({ isHidden }) => !isHidden)
    .flatMap(
      ({ id: chatId }) =>
        sandbox.db.messages
          .where({ chatId, queueId: null })
          .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
          .at(-1) ?? [],
    )
  return last
    .filter(({ isFromFan, createdAt }) => isFromFan && createdAt > since)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map(({ fanId }) => fanId)
}

describe('user lists', () => {
  it('list only those of the account, and find system lists by their slugs', async () => {
    const client = await openClient('agency')
    const lists = await readAllPages(client, 'user-lists?limit=4')
    expect(lists.map(({ name, usersCount }) => [name, usersCount])).toEqual([
      ['Regulars', 31],
      ['Saturday group', 9],
      ['VIP 💎', 14],
      ['Needs a reply', listUnansweredFans(client).length],
      ['Away', 0],
    ])
    for (const row of lists)
      expect(Object.keys(row)).toEqual(['id', 'type', 'name', 'usersCount', 'postsCount'])
    for (const id of [...idsOf(lists), ...slugs]) {
      const { usersCount, users, ...list } = await client.getData(`user-lists/${id}`)
      const members = await membersOf(client, id)
      expect([id, members.length]).toEqual([id, usersCount])
      expect(idsOf(users as { id: number }[])).toEqual(members.slice(0, 3))
      expect({ usersCount, ...list }).toMatchObject(
        lists.find((row) => row.id === id) ?? { type: id },
      )
    }
  })

  it('can contain fans waiting for a reply, and top spenders', async () => {
    const client = await openClient('agency')
    const { db } = client
    for (const account of [310240117, 322871450, 341095528]) {
      const lists = db.userLists.where({ accountId: account })
      const best = lists.find(({ name }) => /VIP|spenders/.test(name))
      const waiting = lists.find(({ name }) => name === 'Needs a reply')
      const members = (listId: number) =>
        db.userListMembers
          .where({ listId })
          .toSorted((a, b) => a.addedAt.localeCompare(b.addedAt))
          .map(({ userId }) => userId)
      expect(members(waiting!.id)).toEqual(listUnansweredFans(client, account))
      expect(members(waiting!.id).length).toBeGreaterThan(0)
      const spent = db.fanSpend.where({ accountId: account }).toSorted((a, b) => b.total - a.total)
      expect(new Set(members(best!.id))).toEqual(
        new Set(spent.slice(0, members(best!.id).length).map(({ fanId }) => fanId)),
      )
    }
  })

  it('sort by name and size, and search', async () => {
    const client = await openClient('agency')
    const page = (query: string) => client.getData(`user-lists?limit=100&${query}`)
    const names = async (query: string) =>
      (await page(query)).list.map(({ name }: { name: string }) => name)
    expect((await names('sort_by=name')).slice(0, 3)).toEqual(['Away', 'Needs a reply', 'Regulars'])
    const sizes = (await page('sort_by=people&sort_dir=desc')).list.map(
      ({ usersCount }: { usersCount: number }) => usersCount,
    )
    expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a))
    expect(await names('query=RE')).toEqual(['Regulars', 'Needs a reply'])
    expect(await page('sort_by=recent&sort_dir=desc')).toMatchObject({
      sort: 'recent',
      order: 'desc',
      hasMore: false,
    })
  })

  it('keep their position when sorted by recent if a write changes nothing', async () => {
    const client = await openClient('agency')
    const [one, other] = client.db.userLists.where({ accountId: client.account() })
    const member = client.db.userListMembers.find({ listId: one!.id })!
    client.sandbox.clock.advance('1h')
    await client.patch(`user-lists/${other!.id}`, { name: 'The latest' })
    client.sandbox.clock.advance('1h')
    const latest = async () =>
      (await client.getData('user-lists?sort_by=recent&sort_dir=desc&limit=1')).list[0].id
    const empty = (await client.postData('user-lists', { name: 'Empty' })).id
    await client.delete(`user-lists/${empty}`)
    for (const [method, to, body] of [
      ['PATCH', '', {}],
      ['PATCH', '', { name: one!.name, isPinnedToFeed: one!.isPinnedToFeed }],
      ['POST', '/users', { ids: [member.userId, member.userId] }],
    ] as const) {
      const { status } = await client.send(method, `user-lists/${one!.id}${to}`, { body })
      expect([to, status]).toEqual([to, 200])
      expect(await latest()).toBe(other!.id)
    }
    await client.post(`users/${member.userId}/lists`, { listIds: [one!.id] })
    expect(await latest()).toBe(other!.id)
    await client.delete(`user-lists/${one!.id}/users/${member.userId}`)
    expect(await latest()).toBe(one!.id)
  })

  it('are created, renamed, pinned and deleted', async () => {
    const client = await openClient()
    const data = await client.postData('user-lists', { name: 'New faces' })
    const own = { type: 'custom', canUpdate: true, canDelete: true, users: [] }
    expect(data).toMatchObject({ ...own, name: 'New faces', usersCount: 0 })
    const path = `user-lists/${data.id}`
    const patch = async (body: object) => (await client.patch(path, body)).body.data
    const renamed = { name: 'Old faces', isPinnedToFeed: false }
    expect(await patch({ name: 'Old faces' })).toMatchObject(renamed)
    expect(await patch({ isPinnedToFeed: true })).toMatchObject({
      ...renamed,
      isPinnedToFeed: true,
    })
    expect((await client.delete(path)).body.data).toEqual({ success: true })
    for (const method of ['GET', 'DELETE'])
      expect((await client.send(method, path)).status).toBe(404)
  })

  it('of the platform cannot be changed, deleted or filled', async () => {
    const client = await openClient()
    const [fan] = fansOf(client)
    for (const slug of slugs) {
      const path = `user-lists/${slug}`
      const statuses = [
        (await client.get(path)).status,
        (await client.patch(path, { name: 'Mine' })).status,
        (await client.delete(path)).status,
        (await client.post(`${path}/users`, { ids: [fan] })).status,
        (await client.delete(`${path}/users`)).status,
        (await client.delete(`${path}/users/${fan}`)).status,
      ]
      expect([slug, statuses]).toEqual([slug, [200, 403, 403, 403, 403, 403]])
    }
    expect((await client.get('user-lists/blocked')).status).toBe(400)
  })

  it('are limited to a hundred per account', async () => {
    const client = await openClient()
    for (let count = 1; count < 100; count += 1)
      expect((await client.post('user-lists', { name: `List ${count}` })).status).toBe(200)
    expect((await client.post('user-lists', { name: 'One more' })).status).toBe(400)
  })
})

describe('members of user lists', () => {
  it('are added, shown newest first and on their user objects, and removed', async () => {
    const client = await openClient('agency')
    const [one, two, three] = fansOf(client)
    const list = (await client.postData('user-lists', { name: 'Three' })).id
    const path = `user-lists/${list}/users`
    const members = (query = '') => readAllIds(client, `${path}?limit=1${query}`)
    expect(await client.postData(path, { ids: [one, two] })).toEqual({ success: true })
    client.sandbox.clock.advance('1m')
    await client.post(path, { ids: [three, one] })
    expect(await members()).toEqual([three, ...[one, two].toSorted((a, b) => b! - a!)])
    expect(await members('&sort_dir=asc')).toEqual((await members()).toReversed())
    const state = async () => {
      const { listsStates } = await client.getData(`fans/${one}`)
      return listsStates.find(({ id }: { id: number }) => id === list)
    }
    const shown = { name: 'Three', type: 'custom' }
    expect(await state()).toMatchObject({ ...shown, hasUser: true, canAddUser: false })
    expect(await readAllIds(client, `user-lists?related_user=${one}`)).toContain(list)
    expect((await client.delete(`${path}/${one}`)).body.data).toEqual({ success: true })
    expect(await state()).toMatchObject({ hasUser: false, canAddUser: true })
    expect((await client.delete(`${path}/${one}`)).status).toBe(404)
    await client.delete(path)
    expect(await members()).toEqual([])
  })

  it('are rejected together if one of them is not a user', async () => {
    const client = await openClient()
    const list = (await client.postData('user-lists', { name: 'None' })).id
    const path = `user-lists/${list}/users`
    const [fan] = fansOf(client)
    expect((await client.post(path, { ids: [fan, 1] })).status).toBe(400)
    expect(await readAllPages(client, path)).toEqual([])
  })

  it('are added to several lists at once, each independently', async () => {
    const client = await openClient()
    const [fan] = fansOf(client)
    const list = (await client.postData('user-lists', { name: 'One' })).id
    const data = await client.postData(`users/${fan}/lists`, { listIds: [list, 1, 'fans'] })
    expect(data).toEqual({
      success: [{ listId: list, success: true }],
      errors: [
        { listId: 1, error: expect.stringContaining('does not exist') },
        { listId: 'fans', error: expect.stringContaining('managed by the platform') },
      ],
    })
    expect(await membersOf(client, list)).toEqual([fan])
    expect((await client.post('users/1/lists', { listIds: [list] })).status).toBe(404)
  })

  it('reflect mutes on user objects, recent subscribers and friends', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db, clock } = client.sandbox
    const chat = db.chats.find(({ accountId, isMuted }) => accountId === account && !isMuted)!
    await client.post(`chats/${chat.fanId}/mute`)
    expect((await client.getData(`fans/${chat.fanId}`)).subscribedOnData.isMuted).toBe(true)
    const since = new Date(clock.now() - 30 * 86_400_000).toISOString()
    const running = db.subscriptions.where({
      accountId: account,
      isExpired: false,
      isBlocked: false,
    })
    const recent = running.filter(({ subscribedAt }) => subscribedAt >= since)
    expect((await membersOf(client, 'recent')).toSorted()).toEqual(
      recent.map(({ fanId }) => fanId).toSorted(),
    )
    const [fans, following] = [
      await membersOf(client, 'fans'),
      await membersOf(client, 'following'),
    ]
    const friends = await membersOf(client, 'friends')
    expect(friends).toEqual(following.filter((id) => fans.includes(id)))
    expect(friends.length).toBeGreaterThan(0)
  })
})
