import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'

async function openWithPost(price = 0) {
  const client = await openClient()
  const { sandbox } = client
  const { db, make } = sandbox
  const [one, two] = [make.vaultMedia().id, make.vaultMedia().id]
  const post = make.post({ mediaFiles: [one], price })
  const fans = db.subscriptions
    .where({ accountId: client.account(), isExpired: false, isBlocked: false })
    .map(({ fanId }) => fanId)
  const act = sandbox.act.bind(sandbox)
  return { client, sandbox, db, post, fans, one, two, act }
}

it('takes a refunded tip from the media that it counted for, after an edit and a deletion', async () => {
  const { client, sandbox, db, act, post, one, two } = await openWithPost()
  const tips = () => [one, two].map((id) => db.vaultMedia.get(id)?.tipsSumm)
  const path = `posts/${post.id}`
  const tip = (amount: number) => {
    act({ type: 'tip', post_id: post.id, amount })
    return db.transactions.find({ postId: post.id, amount })!.id
  }
  const refund = (id: string) =>
    act({ type: 'transaction.reverse', transaction_id: id, to: 'undo' })
  const [first, second] = [tip(15), tip(7)]
  await client.put(path, { mediaFiles: [two] })
  const third = tip(20)
  expect(tips()).toEqual([22, 20])
  refund(first)
  expect(tips()).toEqual([7, 20])
  await client.delete(path)
  expect(tips()).toEqual([7, 20])
  refund(second)
  expect(tips()).toEqual([0, 20])
  expect(sandbox.check().holds).toBe(true)
  refund(third)
  expect(tips()).toEqual([0, 0])
  db.vaultMedia.update(one, { tipsSumm: 5 })
  expect(JSON.stringify(sandbox.check())).toContain(
    `The media item ${one} has tips of 5 dollars, but its payments have 0.`,
  )
})

it('counts a fan once among the viewers, and once among the likes of a post', async () => {
  const { sandbox, db, act, post, fans } = await openWithPost(10)
  const [fan, other] = fans
  const figures = () => {
    const { lookCount, uniqueLookCount, likeCount } = db.posts.get(post.id)!
    return [lookCount, uniqueLookCount, likeCount]
  }
  const by = { post_id: post.id, fan_id: fan }
  for (let time = 0; time < 3; time += 1) act({ type: 'post.comment', ...by })
  expect(figures()).toEqual([3, 1, 0])
  act({ type: 'tip', amount: 5, ...by })
  act({ type: 'post.unlock', ...by })
  expect(figures()).toEqual([5, 1, 0])
  act({ type: 'post.like', ...by })
  const notices = db.notifications.all().length
  sandbox.clock.advance('2d')
  expect(JSON.stringify(act({ type: 'post.like', ...by }))).toContain('had already liked')
  expect(figures()).toEqual([5, 1, 1])
  expect(db.notifications.all().length).toBe(notices)
  act({ type: 'post.like', post_id: post.id, fan_id: other })
  act({ type: 'post.comment', post_id: post.id, fan_id: other })
  expect(figures()).toEqual([7, 2, 2])
  act({ type: 'post.like', ...by, count: 5 })
  expect(figures()[2]).toBe(6)
})

it('chooses fans who have not liked the post yet', async () => {
  const { db, act, post, fans } = await openWithPost()
  for (let like = 0; like < fans.length + 2; like += 1) act({ type: 'post.like', post_id: post.id })
  expect(db.posts.get(post.id)?.likeCount).toBe(fans.length)
})
