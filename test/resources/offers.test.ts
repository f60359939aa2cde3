import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

it('offers no media item to a fan twice', async () => {
  const { db } = await createFreshSandbox('agency')
  const offered = new Set<string>()
  for (const { isFromFan, price, mediaFiles, fanId } of db.messages.all()) {
    if (isFromFan || price === 0) continue
    for (const id of mediaFiles) {
      const key = `${fanId} ${id}`
      expect([key, offered.has(key)]).toEqual([key, false])
      offered.add(key)
    }
  }
  expect(offered.size).toBeGreaterThan(1000)
})
