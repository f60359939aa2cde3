import { expect, it } from 'vitest'
import { killServerRepeatedly } from '../support/kill-server.ts'

it('loses at most 500 ms of acknowledged writes at each of 60 kills', async () => {
  const { maxLossMs, ...report } = await killServerRepeatedly({
    kills: 60,
    scenario: 'agency',
    lifeMs: 1_000,
  })
  expect(report).toMatchObject({ kills: 60, problems: [] })
  expect(maxLossMs).toBeLessThan(500)
}, 900_000)
