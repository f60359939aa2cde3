import { expect, it } from 'vitest'
import { killServerRepeatedly } from '../support/kill-server.ts'
import { bundledCommand } from '../support/process.ts'

it.each([
  { scenario: 'solo', kills: 8, lifeMs: 700 },
  { scenario: 'agency', kills: 4, lifeMs: 1_000 },
  { scenario: 'agency', kills: 5, lifeMs: 2_000, worlds: 100 },
  {
    scenario: 'large',
    kills: 2,
    lifeMs: 5_000,
    command: [...bundledCommand, '--max-memory', '1024'],
  },
])('loses at most 500 ms of acknowledged writes ($scenario, $worlds worlds)', async (options) => {
  const { maxLossMs, refusals, ...report } = await killServerRepeatedly(options)
  // A busy server may reject writes. Rejected writes are not acknowledged, so they do not count as
  // lost.
  if (refusals.size > 0) console.warn(...refusals)
  expect(report).toMatchObject({ kills: options.kills, problems: [] })
  expect(report.acknowledged).toBeGreaterThan(report.lost)
  expect(maxLossMs).toBeLessThan(500)
})
