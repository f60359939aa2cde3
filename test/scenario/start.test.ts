import { readFileSync } from 'node:fs'
import { createSandbox } from 'creator-api-sandbox'
import type { SandboxOptions, Scenario } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { createServedSandbox } from '../../src/sandbox/create-sandbox.ts'
import { nodePace } from '../../src/hosts/pace.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { solo } from '../support/scenarios.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { createFreshSandbox } from '../support/client.ts'

const now = '2026-11-22T08:41:30.500Z' // a Sunday
const fakeDate = () => vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })

const serve = (options: SandboxOptions) =>
  createServedSandbox(options, { beginsNow: true, pace: nodePace })

const tracked: Scenario = {
  ...solo,
  name: 'tracked',
  timeline: [{ at: '2026-10-01T10:00:00Z', do: { type: 'tip', account_id: 7 } }],
}

it.each<[NonNullable<SandboxOptions['now']>, string]>([
  ['now', '2026-11-22T08:41:00.000Z'],
  ['today', '2026-11-22T00:00:00.000Z'],
  ['2026-03-04', '2026-03-04T00:00:00.000Z'],
  ['2026-03-04T05:06:07+02:00', '2026-03-04T03:06:07.000Z'],
  [Date.UTC(2026, 2, 4), '2026-03-04T00:00:00.000Z'],
  [new Date('2026-03-04T05:06:07Z'), '2026-03-04T05:06:07.000Z'],
])('starts at %j', (given, start) => {
  fakeDate()
  expect(createSandbox({ scenario: solo, now: given }).clock.iso()).toBe(start)
})

it.each(['noon', '1999-01-01', 5, Number.NaN, new Date(''), {}, null])(
  'rejects the start %j',
  (given) => {
    const expected =
      'it must be now, today, epoch ms, or an RFC 3339 time from 2004 to 2286, such as ' +
      '2026-10-01T09:00:00Z'
    expect(() => createSandbox({ now: given as string })).toThrow(expected)
  },
)

it('starts at the date of the scenario: always in the library, and on a server for stories and fixed dates', () => {
  fakeDate()
  const started = [
    createSandbox({ scenario: solo }),
    serve({ scenario: solo }),
    serve({ scenario: { ...solo, anchor: 'date' } }),
    serve({ scenario: tracked }),
    serve({ scenario: tracked, now: 'now' }),
    serve({ scenario: 'launch-day' }),
  ]
  expect(started.map(({ clock }) => clock.iso())).toEqual([
    '2026-10-01T09:30:00.000Z',
    '2026-11-22T08:41:00.000Z',
    '2026-10-01T09:30:00.000Z',
    '2026-10-01T09:30:00.000Z',
    '2026-11-22T08:41:00.000Z',
    '2026-09-12T08:00:00.000Z',
  ])
})

it.each([
  ['2026-11-22T08:00:00Z', '2026-11-19T09:30:00.000Z'],
  ['2026-11-19T00:00:00Z', '2026-11-19T09:30:00.000Z'],
  ['2026-11-18T23:59:59Z', '2026-11-12T09:30:00.000Z'],
  ['2026-09-30T12:00:00Z', '2026-09-24T09:30:00.000Z'],
])('starts an anchored scenario on the latest Thursday: at %s on %s', (today, start) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(today) })
  const anchored = { ...tracked, anchor: 'today' } as const
  expect(createSandbox({ scenario: anchored }).clock.iso()).toBe(start)
  expect(createSandbox({ scenario: anchored, now: '2026-01-01' }).clock.iso()).toBe(
    '2026-01-01T00:00:00.000Z',
  )
})

it('moves the times of records and timeline with the start', async () => {
  const sandbox = await createFreshSandbox('launch-day', { now: '2026-09-19T08:00:00.500Z' })
  expect(sandbox.db.posts.get(1_204_900_001)).toMatchObject({
    status: 'scheduled',
    createdAt: '2026-09-18T17:00:00.500Z',
    postedAt: '2026-09-19T12:00:00.500Z',
    postedAtPrecise: '1789819200.500000',
  })
  expect(sandbox.db.subscriptions.get(640_000_902)?.spans[0]?.from).toBe('2026-09-14T20:31:00.500Z')
  expect(sandbox.check().holds).toBe(true)

  const story = createSandbox({ scenario: tracked, now: '2026-10-08T09:30:00Z' })
  await story.ready
  expect((await story.play()).at_ms).toBe(30 * 60_000)
  expect(story.clock.iso()).toBe('2026-10-08T10:00:00.000Z')
})

it.each(['2026-10-02', '2026-10-02T00:00:00Z', '2026-10-02T02:00:00+02:00'])(
  'moves a step and a record at %s with the start',
  async (at) => {
    const scenario: Scenario = {
      ...tracked,
      records: { posts: [{ id: 5, accountId: 7, at: at.replace('10-02', '09-02') }] },
      timeline: [{ at, do: { type: 'tip', account_id: 7 } }],
    }
    for (const now of ['2026-10-08T09:30:00Z', '2025-10-01T09:30:00Z', '2030-10-01T09:30:00Z']) {
      const sandbox = createSandbox({ scenario, now })
      await sandbox.ready
      const movedMs = Date.parse(now) - Date.parse(tracked.now)
      await sandbox.play()
      expect(sandbox.clock.now() - movedMs).toBe(Date.parse('2026-10-02T00:00:00Z'))
      expect(Date.parse(sandbox.db.posts.get(5)?.createdAt ?? '') - movedMs).toBe(
        Date.parse('2026-09-02T00:00:00Z'),
      )
    }
  },
)

it('accepts the scenarios of docs/stories.md', async () => {
  const page = readFileSync(new URL('../../docs/stories.md', import.meta.url), 'utf8')
  const [, anchored = '', posting = ''] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, yaml]) => yaml,
  )
  expect(await parseScenario(anchored, 'stories.md')).toMatchObject({
    name: 'our-demo',
    anchor: 'today',
  })
  const sandbox = createSandbox({
    scenario: await parseScenario(posting, 'stories.md'),
  })
  await sandbox.ready
  expect(await sandbox.play()).toMatchObject({ status: 'ended', problems: [] })
  expect(sandbox.db.posts.find({ text: 'Tonight' })).toMatchObject({
    status: 'scheduled',
    postedAt: '2026-10-01T11:31:00.000Z',
  })
})

it('moves the marker of a payout, which is in seconds', async () => {
  const second = Date.parse('2026-09-01T00:00:00Z') / 1000
  const sum = { invoiceId: 'A', amount: 5, currency: 'USD', state: 'paid' as const }
  const payout = { id: 5, accountId: 7, createdAt: '2026-09-01T00:00:00.000Z', second, ...sum }
  const scenario: Scenario = { ...solo, records: { payouts: [payout] } }
  const sandbox = createSandbox({ scenario, now: '2026-10-02T09:30:00Z' })
  await sandbox.ready
  expect(sandbox.db.payouts.get(5)).toMatchObject({
    createdAt: '2026-09-02T00:00:00.000Z',
    second: second + 86_400,
  })
})

it('starts a scenario that is loaded on a server at the current time, and a restored snapshot at its own start', async () => {
  fakeDate()
  const server = serve({ scenario: solo })
  await server.ready
  const snapshot = JSON.parse(JSON.stringify(server.snapshot()))
  expect(snapshot.start).toBe('2026-11-22T08:41:00.000Z')
  vi.setSystemTime('2026-11-23T10:00:00Z')
  await server.control.loadScenario({ name: 'empty' })
  expect(server.control.state().start).toBe('2026-11-23T10:00:00.000Z')
  await server.control.loadScenario({ name: 'empty', now: 'today' })
  expect(server.control.state().start).toBe('2026-11-23T00:00:00.000Z')

  const library = createSandbox({ scenario: solo })
  await library.restore(snapshot)
  expect(library.control.state()).toMatchObject({
    start: '2026-11-22T08:41:00.000Z',
    clock: { now: '2026-11-22T08:41:00.000Z' },
  })
  await library.reset()
  expect(library.clock.iso()).toBe('2026-11-22T08:41:00.000Z')
})

it('records the moved times, so that the recording produces the same world when played', async () => {
  const sandbox = await createFreshSandbox('launch-day', { now: '2026-09-26T08:00:00Z' })
  const finish = new ServedSandbox(sandbox).record()
  const { scenario } = finish('again')
  expect(scenario).toMatchObject({ extends: 'launch-day', now: '2026-09-26T08:00:00.000Z' })
  const again = await createFreshSandbox()
  await again.control.loadScenario({ yaml: JSON.stringify(scenario) })
  expect(again.db.posts.all()).toEqual(sandbox.db.posts.all())
})
