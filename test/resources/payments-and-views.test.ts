import type { Sandbox } from 'creator-api-sandbox'
import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'

const listBroken = (sandbox: Sandbox) =>
  sandbox.check().invariants.flatMap(({ broken }) => broken.map((text) => text.split('.')[0]))

it('counts a fan who pays for a post or comments on it as a viewer', async () => {
  const sandbox = await createFreshSandbox('empty')
  const { make, db } = sandbox
  const [buyer, reader] = make.fan.many(2)
  const { id: postId } = make.post({ price: 15 })
  make.transaction({ fanId: buyer?.id, postId })
  make.comment({ fanId: buyer?.id, postId })
  make.comment({ fanId: reader?.id, postId })
  expect(db.posts.get(postId)).toMatchObject({
    purchasedCount: 1,
    commentCount: 2,
    lookCount: 2,
    uniqueLookCount: 2,
    hasStats: true,
  })
  expectNoViolations(sandbox)
})

it('counts a click on a link for each claim', async () => {
  const sandbox = await createFreshSandbox('empty')
  const { id: trackingLinkId } = sandbox.make.trackingLink()
  const { id: trialLinkId } = sandbox.make.trialLink()
  for (const link of [{ trackingLinkId }, { trackingLinkId }, { trialLinkId }])
    sandbox.make.subscription({ fanId: sandbox.make.fan().id, ...link })
  expect(sandbox.db.trackingLinks.get(trackingLinkId)?.countTransitions).toBe(2)
  expect(sandbox.db.trialLinks.get(trialLinkId)?.clicksCounts).toBe(1)
  expectNoViolations(sandbox)
})

it('derives viewers and clicks from the records of a scenario', async () => {
  const sandbox = createSandbox({
    scenario: {
      extends: 'empty',
      name: 'own',
      records: {
        fans: [{ id: 9, name: 'Mo' }],
        trackingLinks: [{ id: 8 }],
        subscriptions: [{ fanId: 9, trackingLinkId: 8 }],
        posts: [{ id: 7, price: 15, at: '-2d' }],
        transactions: [{ fanId: 9, postId: 7 }],
      },
    },
  })
  await sandbox.ready
  expect(sandbox.db.posts.get(7)?.uniqueLookCount).toBe(1)
  expect(sandbox.db.trackingLinks.get(8)?.countTransitions).toBe(1)
  expectNoViolations(sandbox)
})

it('makes posts whose likes, viewers and views agree', async () => {
  const sandbox = await createFreshSandbox('empty')
  expect(sandbox.make.post({ likeCount: 5 })).toMatchObject({ uniqueLookCount: 5, lookCount: 5 })
  expect(sandbox.make.post({ uniqueLookCount: 7 })).toMatchObject({ likeCount: 0, lookCount: 7 })
  expectNoViolations(sandbox)
})

it.each<[string, (sandbox: Sandbox, id: number) => void, string]>([
  [
    'a bought post without views',
    ({ db }, id) => db.posts.update(id, { lookCount: 0, uniqueLookCount: 0 }),
    'The post ID has 0 views by 0 viewers, but 0 likes, and 1 fans who paid, commented or liked are known',
  ],
  [
    'more likes than viewers',
    ({ db }, id) => db.posts.update(id, { likeCount: 2 }),
    'The post ID has 1 views by 1 viewers, but 2 likes, and 1 fans who paid, commented or liked are known',
  ],
  [
    'more viewers than views',
    ({ db }, id) => db.posts.update(id, { uniqueLookCount: 2 }),
    'The post ID has 1 views by 2 viewers, but 0 likes, and 2 fans who paid, commented or liked are known',
  ],
])('reports %s', async (_, change, text) => {
  const sandbox = await createFreshSandbox('empty')
  const { id: postId } = sandbox.make.post({ price: 15 })
  sandbox.make.transaction({ fanId: sandbox.make.fan().id, postId })
  change(sandbox, postId)
  expect(listBroken(sandbox)).toEqual([text.replace('ID', String(postId))])
})

it('reports a bought message that was not viewed, and claims without clicks', async () => {
  const sandbox = await createFreshSandbox('empty')
  const { id: trackingLinkId } = sandbox.make.trackingLink()
  const { id, fanId } = sandbox.make.message({ trait: 'paid' })
  sandbox.make.transaction({ fanId, messageId: id })
  sandbox.make.subscription({ fanId: sandbox.make.fan().id, trackingLinkId })
  expectNoViolations(sandbox)
  sandbox.db.messages.update(id, { isViewed: false })
  sandbox.db.trackingLinks.update(trackingLinkId, { countTransitions: 0 })
  expect(listBroken(sandbox).toSorted()).toEqual([
    expect.stringContaining(`Message ${id} was bought`),
    `The tracking link ${trackingLinkId} has 0 clicks, but 1 claims`,
  ])
})
