import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { expectSound } from '../support/invariants.ts'
import { describeMatrix, freshSandbox } from '../support/matrix.ts'

describeMatrix('figures of one world', (start, it) => {
  it('count unlocked streams apart from posts, in the sums of a fan as in the statistics', async () => {
    const client = await start('agency')
    const account = client.account()
    const { db } = client.sandbox
    const post = db.posts.find((each) => each.accountId === account && each.status === 'published' && each.price > 0)
    client.sandbox.act({ type: 'subscriber.new', account_id: account, name: 'Stream Friend' })
    const { id: fanId } = db.fans.find(({ name }) => name === 'Stream Friend')!
    db.posts.update(post!.id, { isStream: true })
    const read = async () => {
      const { stream } = (await client.get(`/v1/${account}/payouts/earning-statistics`)).body.data.list.total
      const { subscribedOnData } = (await client.get(`/v1/${account}/subscribers?limit=100`)).body.data.list.find(
        (row: { id: number }) => row.id === fanId,
      ) ?? { subscribedOnData: {} }
      return { gross: stream.total_gross, ...subscribedOnData }
    }
    const before = await read()
    client.sandbox.act({ type: 'post.unlock', account_id: account, post_id: post!.id, fan_id: fanId })
    const after = await read()
    expect(after.gross - before.gross).toBeCloseTo(post!.price)
    if (before.streamsSumm !== undefined)
      expect([after.streamsSumm - before.streamsSumm, after.postsSumm - before.postsSumm]).toEqual([post!.price, 0])
    expectSound(client.sandbox)
  })

  it('date two mass messages of one instant apart, both by now', async () => {
    const client = await start('agency')
    const account = client.account()
    const ids: number[] = []
    for (const text of ['One', 'Two', 'Three'])
      ids.push((await client.post(`/v1/${account}/mass-messages`, { text, userLists: ['fans'] })).body.data.id)
    const dates = client.sandbox.db.massMessages.where({ accountId: account, text: 'Two' }).map(({ sentAt }) => sentAt)
    expect(dates.every((date) => date !== null && date <= client.sandbox.clock.iso())).toBe(true)
    expectSound(client.sandbox)
  })
})

it('keeps out of the pending balance what has no time, as no list shows it', async () => {
  const sandbox = await freshSandbox('solo')
  const row = sandbox.db.transactions.find(({ status, amount }) => status === 'done' && amount !== null)!
  sandbox.db.transactions.update(row.id, { transaction_created_at: null, status: 'loading' })
  expectSound(sandbox)
})

it('counts who paid an unknown amount among those who paid, and who tipped one among those who tipped', async () => {
  const sandbox = await freshSandbox('agency')
  const chat = sandbox.db.chats.find(({ hasTipped }) => !hasTipped)!
  for (const { id } of sandbox.db.transactions.where({ accountId: chat.accountId, fanId: chat.fanId })) sandbox.db.transactions.remove(id)
  expect(sandbox.db.chats.get(chat.id)).toMatchObject({ hasSpent: false, hasTipped: false })
  const any = sandbox.db.transactions.all()[0]!
  const fields = { accountId: chat.accountId, fanId: chat.fanId, postId: null, messageId: null, storyId: null, isOnStream: false }
  sandbox.db.transactions.insert({ ...any, ...fields, id: '900000000000001', category: 'tip', status: 'done', amount: null })
  expect(sandbox.db.chats.get(chat.id)).toMatchObject({ hasSpent: true, hasTipped: true })
  expectSound(sandbox)
})

it('shows media of records in the built-in lists of what shows them', async () => {
  const sandbox = createSandbox({ scenario: 'launch-day' })
  await sandbox.ready
  const { db } = sandbox
  const post = db.posts.find(({ mediaFiles }) => mediaFiles.length > 0)!
  const list = db.vaultLists.find(({ accountId, type }) => accountId === post.accountId && type === 'posts')!
  expect(post.mediaFiles.map((id) => db.vaultMedia.get(id)?.listIds.includes(list.id))).toEqual(post.mediaFiles.map(() => true))
})
