import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

it('offers no media item to a fan twice, and none that a free post shows', async () => {
  const { db } = await createFreshSandbox('agency')
  const free = new Set(
    db.posts.where(({ price }) => price === 0).flatMap(({ mediaFiles }) => mediaFiles),
  )
  const offered = new Set<string>()
  for (const { isFromFan, price, mediaFiles, fanId } of db.messages.all()) {
    if (isFromFan || price === 0) continue
    for (const id of mediaFiles) {
      const key = `${fanId} ${id}`
      expect([key, offered.has(key), free.has(id)]).toEqual([key, false, false])
      offered.add(key)
    }
  }
  expect(offered.size).toBeGreaterThan(1000)
})
