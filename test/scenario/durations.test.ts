import { createSandbox, defineScenario } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { runFlags } from '../../src/cli/survive/flags.ts'
import { serveFlags } from '../../src/cli/flags.ts'

const spellings = [
  '90m',
  '1h30m',
  '1h 30m',
  '1.5h',
  '1 hour 30 minutes',
  '90 min',
  '1 Hour and 30 mins',
]
const ninetyMinutes = 5_400_000
const now = '2026-10-01T09:00:00Z'
const start = Date.parse(now)

/** Opens a sandbox whose story has a tip at a time, and a second one 90 minutes later. */
async function openStory(at: string, every = '90m'): Promise<Sandbox> {
  const sandbox = createSandbox({
    scenario: defineScenario({
      extends: 'solo',
      name: 'durations',
      now,
      timeline: [
        { at, chapter: 'Tips', every, times: 2, do: { type: 'tip', on: 'profile' } },
        { at: `+${at}`, chapter: 'End' },
      ],
    }),
  })
  await sandbox.ready
  return sandbox
}

it.each(spellings)('reads the duration %s everywhere', async (text) => {
  const sandbox = await openStory(text, text)
  const since = () => sandbox.clock.now() - start
  const { chapters } = sandbox.control.replay()
  expect(chapters.map(({ at_ms }) => at_ms)).toEqual([ninetyMinutes, 2 * ninetyMinutes])
  expect(sandbox.seek(text).at_ms).toBe(ninetyMinutes)
  expect(sandbox.seek(`+${text}`).at_ms).toBe(2 * ninetyMinutes)
  expect(sandbox.seek(`-${text}`).at_ms).toBe(ninetyMinutes)
  expect((await sandbox.play({ until: `+${text}` })).at_ms).toBe(2 * ninetyMinutes)

  void sandbox.reset()
  sandbox.clock.advance(text)
  expect(since()).toBe(ninetyMinutes)
  sandbox.control.clock({ advance: text })
  expect(since()).toBe(2 * ninetyMinutes)
  sandbox.act({ type: 'clock.advance', by: text })
  expect(since()).toBe(3 * ninetyMinutes)
  const { from, to } = sandbox.control.series({ span: text, buckets: 2 })
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThanOrEqual(ninetyMinutes)

  const hour = sandbox.clock.now()
  const past = sandbox.make.post({ at: `-${text}` })
  expect(Date.parse(past.postedAt)).toBe(hour - ninetyMinutes)
  const planned = sandbox.make.post({ at: `+${text}` })
  expect(Date.parse(planned.postedAt)).toBe(hour + ninetyMinutes)
  expect(planned.status).toBe('scheduled')

  expect(serveFlags.worldTtl.read(text)).toBe(ninetyMinutes)
  expect(runFlags.late.read(text)).toBe(ninetyMinutes)
})

it('reads the time of a record of a scenario, before and after now', async () => {
  const sandbox = createSandbox({
    scenario: {
      extends: 'solo',
      name: 'records',
      now,
      records: {
        posts: [
          { id: 1, at: '-1d12h' },
          { id: 2, at: '+3 hours' },
          { id: 3, at: '-90m' },
        ],
      },
    },
  })
  await sandbox.ready
  const hours = [1, 2, 3].map(
    (id) => (Date.parse(sandbox.db.posts.get(id)?.postedAt ?? '') - start) / 3_600_000,
  )
  expect(hours).toEqual([-36, 3, -1.5])
})

const forms = "'2h', '1d12h', '90m' or '3 hours'"

it.each(['', '2', 'h', '2 fortnights', '2h 3', '-2h', '2h and', 'soon', '1..5h', '2hh'])(
  'names the forms of a duration instead of reading %j',
  async (text) => {
    const sandbox = await openStory('5s')
    expect(() => sandbox.clock.advance(text)).toThrow(forms)
    expect(() => sandbox.act({ type: 'clock.advance', by: text })).toThrow(forms)
    expect(() => sandbox.control.clock({ advance: text })).toThrow(forms)
    expect(() => sandbox.control.series({ span: text })).toThrow(forms)
    if (text !== '-2h') expect(() => sandbox.make.post({ at: text })).toThrow("'-2d' or '+1d12h'")
    if (text !== '-2h') expect(() => sandbox.seek(text)).toThrow("'+30s' or '-30s' from here")
    await expect(openStory('5s', text)).rejects.toThrow(forms)
  },
)

it('rejects records in the future that cannot be scheduled', async () => {
  const sandbox = await openStory('5s')
  expect(() => sandbox.make.tag({ name: 'Mine', at: '+2h' })).toThrow(
    'only posts and mass messages',
  )
})
