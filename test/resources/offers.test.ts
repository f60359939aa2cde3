import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

it('offers no media item to a fan twice, except in a mass message that is sent again to fans who did not buy, and none that a free post shows', async () => {
  const { db } = await createFreshSandbox('agency')
  const first = new Map<string, number>()
  const resends = new Map<number, number>()
  for (const { id, price, mediaFiles, sentAt } of db.massMessages.all()) {
    if (price === 0 || sentAt === null) continue
    const key = mediaFiles.join()
    const before = first.get(key)
    if (before === undefined) first.set(key, id)
    else resends.set(id, before)
  }
  expect(resends.size).toBeGreaterThan(5)
  const bought = new Set(
    db.messages
      .where(({ purchasedAt }) => purchasedAt !== null)
      .map(({ queueId, fanId }) => `${queueId} ${fanId}`),
  )
  const free = new Set(
    db.posts.where(({ price }) => price === 0).flatMap(({ mediaFiles }) => mediaFiles),
  )
  const offered = new Set<string>()
  for (const { isFromFan, price, mediaFiles, fanId, queueId } of db.messages.all()) {
    if (isFromFan || price === 0) continue
    const before = resends.get(queueId ?? 0)
    if (before !== undefined) {
      expect(bought.has(`${before} ${fanId}`)).toBe(false)
      continue
    }
    for (const id of mediaFiles) {
      const key = `${fanId} ${id}`
      expect([key, offered.has(key), free.has(id)]).toEqual([key, false, false])
      offered.add(key)
    }
  }
  expect(offered.size).toBeGreaterThan(1000)
})
