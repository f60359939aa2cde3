import { expect, it } from 'vitest'
import { freshSandbox } from '../support/client.ts'

it('seeds 100,000 posts and 200,000 payments in large', async () => {
  const { db } = await freshSandbox('large')
  expect([db.posts.size, db.transactions.size]).toEqual([100_000, 200_000])
})
