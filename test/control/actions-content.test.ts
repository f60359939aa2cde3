import { expect, it } from 'vitest'
import { openActions } from '../support/actions.ts'

const sum = (chart: { count: number }[]) => chart.reduce((total, { count }) => total + count, 0)

it('publishes a post, which appears in the feed immediately', async () => {
  const { act, read, db, account } = await openActions()
  const photo = db.vaultMedia.find(
    (media) => media.accountId === account.id && media.isReady && media.type === 'photo',
  )!
  await act({
    type: 'post.publish',
    text: 'Fresh & new',
    price: 9.5,
    media_ids: [photo.id],
    expire_days: 2,
  })
  const [post] = (await read(':id/posts?limit=1')).list
  expect(post).toMatchObject({ rawText: 'Fresh & new', media: [{ id: photo.id }] })
  expect(db.posts.get(post.id)?.price).toBe(9.5)
  expect((await read(`:id/posts/${post.id}/stats`)).hasStats).toBe(false)
  await act({ type: 'clock.advance', by: '48h' })
  expect((await read(':id/posts?limit=1')).list[0].id).not.toBe(post.id)
})

it('publishes a generated post if no fields are given', async () => {
  const { act, newestPost } = await openActions('solo')
  await act({ type: 'post.publish' })
  const post = newestPost()
  expect(post.rawText.length).toBeGreaterThan(10)
  expect(post.mediaFiles).toHaveLength(1)
})

it('adds comments of fans, which are counted, and the creator is notified', async () => {
  const { act, read, db, tables, account } = await openActions()
  const post = tables.posts.in('published', account.id).at(2)!
  await act({ type: 'post.comment', post_id: post.id, text: 'Where is <that>?' })
  const [comment] = (await read(`:id/posts/${post.id}/comments?limit=1`)).list
  expect(comment).toMatchObject({ text: 'Where is <that>?' })
  expect(db.posts.get(post.id)?.commentCount).toBe(post.commentCount + 1)
  expect((await read(':id/notifications?type=commented&limit=1')).list[0]).toMatchObject({
    user: comment.author,
    replacePairs: { '{TEXT}': 'Where is <that>?' },
  })
})

it('counts views and likes on the day on which they happen; the charts sum to the totals', async () => {
  const { act, read, sandbox, tables, account } = await openActions()
  const post = tables.posts.in('published', account.id).at(3)!
  await act({ type: 'post.view', post_id: post.id, count: 1000, unique: 900 })
  sandbox.clock.advance('3d')
  await act({ type: 'post.view', post_id: post.id, count: 50_000 })
  await act({ type: 'post.like', post_id: post.id, count: 700 })
  const stats = await read(`:id/posts/${post.id}/stats`)
  expect(stats.lookCount).toBe(post.lookCount + 51_000)
  expect(stats.uniqueLookCount).toBe(post.uniqueLookCount + 35_900)
  expect(stats.likeCount).toBe(post.likeCount + 700)
  const today = `${sandbox.clock.iso().slice(0, 10)}T00:00:00+00:00`
  expect(stats.lookChart.at(-1)).toEqual({ date: today, count: 50_000 })
  expect(stats.likeChart.at(-1)).toEqual({ date: today, count: 700 })
  expect([sum(stats.lookChart), sum(stats.uniqueLookChart), sum(stats.likeChart)]).toEqual([
    stats.lookCount,
    stats.uniqueLookCount,
    stats.likeCount,
  ])
  expect(JSON.stringify((await read(':id/engagement/posts/views?limit=1')).items)).toContain(
    String(post.id),
  )
  expect((await read(':id/notifications?type=favorited&limit=1')).list[0]).toMatchObject({
    text: 'and {COUNT} others liked your post',
    replacePairs: { '{COUNT}': '699' },
  })
})

it('counts likes and tips of a post for its media', async () => {
  const { act, db, account } = await openActions()
  const post = db.posts.find(
    (each) =>
      each.accountId === account.id && each.status === 'published' && each.mediaFiles.length > 0,
  )!
  const media = db.vaultMedia.get(post.mediaFiles[0]!)!
  await act({ type: 'post.like', post_id: post.id, count: 5 })
  await act({ type: 'tip', post_id: post.id, amount: 12.5 })
  expect(db.vaultMedia.get(media.id)).toMatchObject({
    likesCount: media.likesCount + 5,
    tipsSumm: media.tipsSumm + 12.5,
  })
})

it('removes the daily statistics of a deleted post', async () => {
  const { act, send, db, newestPost } = await openActions('solo')
  await act({ type: 'post.publish' })
  const { id } = newestPost()
  await act({ type: 'post.view', post_id: id })
  expect(db.postDays.size).toBe(1)
  expect((await send(`:id/posts/${id}`, 'DELETE')).status).toBe(200)
  expect(db.postDays.size).toBe(0)
})

it('finishes transcoding early: in the vault, in posts and in messages', async () => {
  const { act, send, refuse, db, tables, account, newestPost } = await openActions('solo')
  const media = db.vaultMedia.find((each) => each.accountId === account.id && each.isReady)!
  await act({ type: 'post.publish', media_ids: [media.id] })
  const { id } = newestPost()
  const { fanId } = tables.chats.in('byAccount', account.id).at(0)!
  const sent = await send(`:id/chats/${fanId}/messages`, 'POST', {
    text: 'Look',
    mediaFiles: [media.id],
  })
  expect(sent.body.data.isMediaReady).toBe(false)
  await act({ type: 'media.ready' })
  expect((await send(`:id/posts/${id}`)).body.data.isMediaReady).toBe(true)
  expect(db.vaultMedia.where({ accountId: account.id, isReady: false })).toEqual([])
  expect(
    (await send(`:id/chats/${fanId}/messages/${sent.body.data.id}`)).body.data.isMediaReady,
  ).toBe(true)
  expect(await refuse({ type: 'media.ready' })).toContain('mara_solo has no media in transcoding')
  expect(await refuse({ type: 'media.ready', media_id: media.id })).toContain(
    'that item is not being transcoded',
  )
  expect(await refuse({ type: 'media.ready', media_id: 5 })).toContain('no such media item')
})

it('adds and removes faults', async () => {
  const { act, send, refuse, sandbox } = await openActions('solo')
  expect(await act({ type: 'fault.add', route: 'GET /v1/{account_id}/posts', status: 502 })).toBe(
    'Fault 1: GET /v1/:account_id/posts answer 502',
  )
  expect((await send(':id/posts')).status).toBe(502)
  expect(await refuse({ type: 'fault.clear', id: 9 })).toContain('There are 1')
  await act({ type: 'fault.clear', id: 1 })
  expect((await send(':id/posts')).status).toBe(200)
  await act({ type: 'fault.add', drop: true })
  await act({ type: 'fault.clear' })
  expect(sandbox.faults.list()).toEqual([])
})

it('advances the clock within a batch of actions, and restores it if a later action fails', async () => {
  const { refuse, sandbox, tables, account } = await openActions('solo')
  const start = sandbox.clock.now()
  await refuse([
    { type: 'clock.advance', by: '1h' },
    { type: 'tip', account_id: account.id, fan_id: 5 },
  ] as object)
  expect(sandbox.clock.now()).toBe(start)
  sandbox.act([
    { type: 'tip', account_id: account.id, amount: 5 },
    { type: 'clock.advance', by: '1h' },
    { type: 'tip', account_id: account.id, amount: 6 },
  ])
  const [later, earlier] = tables.transactions.in('byAccount', account.id).slice(0, 2)
  expect([later?.amount, earlier?.amount]).toEqual([6, 5])
  expect(
    Date.parse(later!.transaction_created_at!) - Date.parse(earlier!.transaction_created_at!),
  ).toBe(3_600_000)
})

it('keeps the last hundred captions, including those in snapshots', async () => {
  const { act, sandbox, refuse } = await openActions('solo')
  expect(await act({ type: 'note', text: 'A quiet morning' })).toBe('A quiet morning')
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()))
  expect(snapshot.worldState.notes).toEqual([{ at: sandbox.clock.iso(), text: 'A quiet morning' }])
  sandbox.act(
    Array.from({ length: 120 }, (_, place) => ({ type: 'note' as const, text: `Line ${place}` })),
  )
  expect(sandbox.snapshot().worldState.notes).toHaveLength(100)
  await sandbox.restore(snapshot)
  expect(sandbox.snapshot().worldState.notes).toHaveLength(1)
  await sandbox.reset()
  expect(sandbox.snapshot().worldState.notes).toEqual([])
  expect(await refuse({ type: 'note', text: ' ' })).toContain('at least 1 characters')
})

it.each([
  ['tip', 'has no fan with a running subscription: add one with subscriber.new'],
  ['post.comment', 'has no published post with comments enabled. Create one with post.publish'],
  ['post.unlock', 'has no published post with a price'],
  ['message.unlock', 'has no locked paid message'],
  ['message.read', 'has no fan with messages to read'],
  ['link.claim', 'has no tracking link'],
  ['transaction.settle', 'has no transaction with the status loading'],
])('explains what is missing in an empty world for %s', async (type, text) => {
  const { refuse } = await openActions('empty')
  expect(await refuse({ type })).toContain(text)
})
