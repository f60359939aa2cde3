import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { expandTimeline, Step } from '../../src/scenario/expand-timeline.ts'

const start = '2026-10-01T09:30:00Z'
const expand = (steps: readonly unknown[], seed = 1) =>
  expandTimeline(
    steps.map((step) => Step.parse(step)),
    { start, seed },
  )
const lapse = { type: 'session.lapse', account_id: 7 }
const restore = { type: 'session.restore', account_id: 7 }
const typesAt = (steps: readonly unknown[]) =>
  [...expand(steps).steps].map(({ atMs, actions }) => [atMs, actions[0]?.type])

it('accepts times after the start, times after the previous step, and absolute times', () => {
  const { steps, durationMs } = expand([
    { at: '2m' },
    { at: '+30s' },
    { at: '2026-10-01T09:30:10Z' },
    { at: '+5s' },
    {},
  ])
  expect([...steps].map(({ atMs }) => atMs)).toEqual([10_000, 15_000, 15_000, 120_000, 150_000])
  expect(durationMs).toBe(150_000)
})

it('keeps the order of the file for equal times', () => {
  expect(
    typesAt([
      { at: '10s', do: lapse },
      { at: '5s', do: restore },
      { at: '10s', do: restore },
      { at: '5s', do: lapse },
    ]),
  ).toEqual([
    [5_000, 'session.restore'],
    [5_000, 'session.lapse'],
    [10_000, 'session.lapse'],
    [10_000, 'session.restore'],
  ])
})

it('repeats a step, with jitter that is derived from the seed', () => {
  const step = { at: '10s', every: '20s', times: 5, jitter: '4s', do: lapse }
  const times = (seed: number) => [...expand([step], seed).steps].map(({ atMs }) => atMs)
  expect(times(1)).toEqual(times(1))
  expect(times(1)).not.toEqual(times(2))
  expect(times(3)[0]).toBe(10_000)
  for (const [turn, atMs] of times(3).entries())
    expect(Math.abs(atMs - (10_000 + turn * 20_000))).toBeLessThanOrEqual(4_000)
})

it('measures the time of the next step from the first repetition', () => {
  expect(
    typesAt([
      { at: '10s', every: '20s', times: 3, do: lapse },
      { at: '+5s', do: restore },
    ]).map(([atMs]) => atMs),
  ).toEqual([10_000, 15_000, 30_000, 50_000])
})

it('expands each repetition once, in order of time', () => {
  const step = fc.record({
    at: fc.nat(600).map((seconds) => `${seconds}s`),
    every: fc.integer({ min: 2, max: 60 }).map((seconds) => `${seconds}s`),
    times: fc.integer({ min: 1, max: 20 }),
    jitter: fc.constantFrom('0s', '1s'),
    do: fc.constantFrom(lapse, restore),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), (steps, seed) => {
      const { steps: expanded, durationMs } = expand(steps, seed)
      expect([...expanded]).toHaveLength(steps.reduce((sum, { times }) => sum + times, 0))
      const times = [...expanded].map(({ atMs }) => atMs)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(durationMs).toBe(times.at(-1) ?? 0)
    }),
    { seed: 1 },
  )
})

it('expands steps lazily in both directions, and counts them in advance', () => {
  const { steps } = expand([
    { at: '1s', every: '1s', times: 10_000, do: lapse },
    { at: '1s', every: '2s', times: 10_000, do: restore },
  ])
  expect(steps).toHaveLength(20_000)
  expect(steps.at(9_999)).toMatchObject({ atMs: 6_667_000 })
  expect(steps.at(4)).toMatchObject({ atMs: 3_000, actions: [restore] })
  expect(steps.at(20_000)).toBeUndefined()
})

const many = (repetition: string) => `
extends: solo
name: mine
timeline:
  - { at: 5s, ${repetition}, do: [${'{ type: note, text: x }, '.repeat(20)}] }
`

it.each([
  [
    'a billion repetitions',
    many('every: 1ms, times: 1000000000'),
    'timeline.0.times): it is 1000000000, but it must be at most 10000',
  ],
  [
    'more than 100,000 steps',
    many('every: 1s, times: 10000').repeat(1) + '  - { every: 1s, times: 10000 }\n'.repeat(10),
    'more than 100000 steps',
  ],
  [
    'more than a million actions',
    many(`every: 1s, times: 10000, note: a`) +
      many('every: 1s, times: 10000').split('\n')[4]!.concat('\n').repeat(5),
    'more than 1000000 actions',
  ],
])('refuses %s', async (_, yaml, sentence) => {
  await expect(parseScenario(yaml, 'mine.yaml')).rejects.toThrow(sentence)
})

const scenario = `
extends: solo
name: mine
timeline:
  - at: 5s
    do: { type: session.lapse, account_id: 100200300 }
`

it.each([
  ['a time', '5s', 'soon', /:5:9, at timeline\.0\.at\): .*"soon", but it must be '\+30s'/],
  [
    'an action',
    'lapse',
    'nap',
    /:6:17, at timeline\.0\.do\.type\): .*"session\.nap", but it must be/,
  ],
  [
    'a field of an action',
    '200300',
    '200300, why: none',
    /:6:60, at timeline\.0\.do\.why\): .*no such/,
  ],
  ['an account', '100200300', '5', /:6:.*account_id\): it is 5, but .*The accounts are 100200300/],
  [
    'a repetition',
    'at: 5s',
    'every: 5s',
    /:5:12, at timeline\.0\.every\): .*only be used together/,
  ],
  [
    'jitter that would change the order',
    'at: 5s',
    'every: 5s\n    times: 3\n    jitter: 3s',
    /:7:13, at timeline\.0\.jitter\): .*it must be at most half of every/,
  ],
  ['a step before the start', '5s', '2020-01-01T00:00:00Z', /:5:9, at .*before the start/],
  ['a base scenario', 'solo', 'duo', /:2:10, at extends\): .*"duo", but it must be the name of/],
  [
    'a table',
    /$/,
    'records: { tags: [], notes: [] }',
    /:7:29, at records\.notes\): .*no such field/,
  ],
  [
    'a record',
    /$/,
    'records: { tags: [{ id: nine }] }',
    /:7:25, at records\.tags\.0\.id\): .*"nine"/,
  ],
  [
    'a duplicate record',
    /$/,
    'records: { tags: [&tag { id: 9, organisation: 1, name: A, color: null, created_at: 2026-01-01T00:00:00Z }, *tag] }',
    /:7:.*at records\.tags\.1\.id\): .*the id is a duplicate of records\.tags\.0/,
  ],
  ['YAML', 'timeline:', 'timeline: [', /:5:/],
])(
  'rejects %s that is wrong, naming line and column, path, value and the allowed values',
  async (_, part, wrong, text) => {
    const yaml = scenario.replace(part, wrong)
    const parsing = parseScenario(yaml, 'mine.yaml')
    const { message } = (await parsing.catch((thrown: unknown) => thrown)) as Error
    expect(message).toMatch(text)
    expect(message).not.toContain('\n')
  },
)

it('accepts hand-written records, in addition to generated ones or instead of them, and merge keys', async () => {
  const tag =
    '{ id: 901, organisation: 1, name: By hand, color: null, created_at: 2026-01-01T00:00:00Z }'
  const sandbox = createSandbox({
    scenario: await parseScenario(
      `${scenario}records: { tags: [&tag ${tag}, { <<: *tag, id: 902, name: Another }], accounts: [] }`,
      'mine.yaml',
    ),
  })
  await sandbox.ready
  expect(sandbox.db.tags.get(901)?.name).toBe('By hand')
  expect(sandbox.db.tags.get(902)).toMatchObject({ name: 'Another', organisation: 1 })
  const [known] = sandbox.db.tags.all()
  const other = createSandbox({
    scenario: await parseScenario(
      `${scenario}records: { tags: [${JSON.stringify({ ...known, name: 'In its place' })}] }`,
      'mine.yaml',
    ),
  })
  await other.ready
  expect([other.db.tags.get(known!.id)?.name, other.db.tags.size]).toEqual([
    'In its place',
    sandbox.db.tags.size - 2,
  ])
})

it('extends another scenario and overrides its fields', async () => {
  const own = await parseScenario(scenario, 'mine.yaml')
  const solo = await parseScenario('{ extends: solo }', 'mine.yaml')
  expect(own).toEqual({ ...solo, name: 'mine', timeline: own.timeline })
  expect(own.timeline).toHaveLength(1)
})
