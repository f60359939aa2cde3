import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'

const account = 100_200_300

it('adds, changes and removes a record with all checks', async () => {
  const { sandbox, ask } = await openControlClient()
  const { body: post } = await ask('POST', '/_sandbox/data/posts', {
    body: { accountId: account, rawText: 'By hand' },
  })
  expect(post).toMatchObject({ accountId: account, rawText: 'By hand', status: 'published' })
  const address = `/_sandbox/data/posts/${post.id}`
  expect((await ask('PATCH', address, { body: { isPinned: true } })).body).toMatchObject({
    id: post.id,
    isPinned: true,
  })
  expect(sandbox.db.posts.get(post.id)?.isPinned).toBe(true)
  expect((await ask('DELETE', address)).body).toEqual({ removed: 1 })
  expect(sandbox.db.posts.get(post.id)).toBeUndefined()
})

it('rejects invalid edits with a message, and changes nothing', async () => {
  const { sandbox, ask } = await openControlClient()
  const { id } = sandbox.db.posts.all()[0]!
  const fan = sandbox.db.chats.all()[0]!.fanId
  const rows = [
    ['PATCH', `/data/posts/${id}`, { price: 'free' }, 400, /price/],
    [
      'PATCH',
      `/data/posts/${id}`,
      { accountId: 7 },
      400,
      /there is no record with that id in accounts/,
    ],
    ['POST', '/data/posts', { id, accountId: account }, 400, /is taken/],
    ['PATCH', '/data/posts/7', {}, 404, /it does not exist/],
    ['POST', '/data/pots', {}, 404, /it does not exist/],
    ['POST', '/data/postCounters', {}, 400, /are derived from other tables/],
    ['DELETE', `/data/fans/${fan}`, undefined, 400, /refers? to it in fanId/],
  ] as const
  for (const [method, path, body, status, text] of rows) {
    const answer = await ask(method, `/_sandbox${path}`, { body })
    expect([path, answer.status]).toEqual([path, status])
    expect(answer.body.error).toMatch(text)
  }
  expect(sandbox.check().holds).toBe(true)
})

it('shows a record with the references to and from it', async () => {
  const { sandbox, ask } = await openControlClient()
  const { id, fanId } = sandbox.db.chats.all()[0]!
  const { body: chat } = await ask('GET', `/_sandbox/data/chats/${id}`)
  expect(chat.record).toMatchObject({ id, fanId })
  expect(chat.names).toContainEqual({ field: 'fanId', tables: ['fans'], id: fanId })
  expect(chat.named_by).toContainEqual(
    expect.objectContaining({ table: 'messages', field: 'chatId' }),
  )
})

it('finds records in spite of a typo, if the request says so', async () => {
  const { sandbox, read } = await openControlClient()
  sandbox.db.tags.insert({ name: 'Wednesday', organisation: 1 })
  const tags = async (query: string) =>
    (await read(`data/tags?${query}`)).items.map(({ name }: { name: string }) => name)
  expect(await tags('contains=wendesday')).toEqual([])
  expect(await tags('contains=wendesday&typos=true')).toEqual(['Wednesday'])
})

it('lists changes since the checkpoint, and none that were undone', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const tables = async () => (await read('changes')).tables
  expect(await tables()).toEqual([])
  sandbox.act({ type: 'limits.set', minute: 12 })
  expect(await tables()).toMatchObject([{ table: 'organisations', changed: { total: 1 } }])
  await ask('POST', '/_sandbox/changes')
  expect(await tables()).toEqual([])
  sandbox.act({ type: 'session.lapse', account_id: account })
  expect((await tables())[0].changed.records).toEqual([
    {
      id: account,
      fields: [{ field: 'session', before: 'active', after: 'lapsed' }],
      by: { by: 'action', id: 2, text: expect.any(String) },
    },
  ])
  sandbox.act({ type: 'session.restore', account_id: account })
  expect(await tables()).toEqual([])
})
