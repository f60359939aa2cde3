import { expect, it } from 'vitest'
import { runKills, serverFromSources } from '../../scripts/hostile/kills.ts'

/** Maximum delay on a busy machine, ms. */
const slackMs = 800

// 100,000 posts: the first write after a start takes seconds. Later writes copy unchanged blocks.
it.each([
  { scenario: 'solo', kills: 20, lifeMs: 700 },
  { scenario: 'agency', kills: 8, lifeMs: 1_000 },
  // Restored records and seeded records are in memory together, which needs more than the default.
  {
    scenario: 'large',
    kills: 3,
    lifeMs: 5_000,
    command: [...serverFromSources, '--max-memory', '1024'],
  },
])('loses at most one second and the time of one write ($scenario)', async (options) => {
  const { maxLossMs, maxWriteMs, ...report } = await runKills(options)
  expect(report).toMatchObject({ kills: options.kills, problems: [] })
  expect(report.acknowledged).toBeGreaterThan(report.lost)
  expect(maxLossMs).toBeLessThan(1_000 + maxWriteMs + slackMs)
})
