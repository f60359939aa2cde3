import { test } from 'creator-api-sandbox/vitest'
import { expect } from 'vitest'

// This test fails on purpose, because report.long.test.ts reads its output.

test('fails with a world', async ({ remoteWorld }) => {
  await fetch(`${remoteWorld.baseUrl}/v1/tags?limt=4`, {
    headers: { 'x-api-key': remoteWorld.keys['owner'] ?? '' },
  })
  expect(1).toBe(2)
})
