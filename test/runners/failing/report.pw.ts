import { expect, test } from 'creator-api-sandbox/playwright'

// This test fails on purpose, because report.long.test.ts reads its output.

test('fails with a world', async ({ world }) => {
  for (let count = 0; count < 12; count += 1)
    await world.fetch(`${world.baseUrl}/v1/tags?limt=4`, {
      headers: { 'x-api-key': world.keys.owner },
    })
  expect(1).toBe(2)
})
