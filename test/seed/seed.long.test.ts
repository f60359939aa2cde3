import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

it('seeds 100,000 posts and 200,000 payments in large', async () => {
  const { db } = await createFreshSandbox('large')
  expect([db.posts.size, db.transactions.size]).toEqual([100_000, 200_000])
})

it('keeps all invariants with forty seeds and starts', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const now = new Date(Date.parse('2026-01-10T07:00:00Z') + seed * 79.5 * 3_600_000)
    const sandbox = await createFreshSandbox('agency', { seed, now: now.toISOString() })
    const broken = sandbox.check().invariants.filter((each) => each.broken.length > 0)
    expect([seed, broken]).toEqual([seed, []])
    sandbox.close()
  }
})
