import fc from 'fast-check'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, Scenario } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { derivedTables, tableNames } from '../../src/resources/all-tables.ts'
import { anyText } from '../support/any-text.ts'
import { sendAsOwner } from '../support/client.ts'
import { getRunOptions } from '../support/run-options.ts'

const account = 101
const small = {
  name: 'small',
  now: '2026-10-01T09:00:00Z',
  organisations: [
    {
      name: 'Agency',
      roles: { owner: ['*'] },
      accounts: [
        {
          id: account,
          username: 'mara',
          name: 'Mara',
          data: { fans: 20, posts: 5, vaultMedia: 5 },
        },
      ],
    },
  ],
}

/** Scenarios that leave out, or empty, what others have. */
const scenarios = {
  'without records': small,
  'with empty records': { ...small, records: {} },
  'with an empty table': { ...small, records: { tags: [] } },
  'with an undefined table': { ...small, records: { tags: undefined } },
  'with an undefined field': { ...small, anchor: undefined, watch: undefined },
  'with records': { ...small, records: { posts: [{ id: 7001, accountId: account, text: 'Odd' }] } },
  'with a story': {
    ...small,
    timeline: [{ at: '2026-10-01T09:00:30Z', do: { type: 'tip', account_id: account } }],
  },
} as unknown as Readonly<Record<string, Scenario>>

/** Texts that JSON and YAML write differently, or that look like another type. */
const text = fc.oneof(
  fc.constantFrom(
    'null',
    '- a',
    'a: b # c',
    '2026-10-05T00:00:00Z',
    '+2h',
    'now',
    '',
    '\u2028\u0085',
  ),
  anyText({ maxLength: 20 }),
)

interface Step {
  run: (sandbox: Sandbox) => unknown
  /** True if a recording contains the step. */
  isRecorded: boolean
}

const step: fc.Arbitrary<Step> = fc.oneof(
  text.map((name) => recorded((sandbox) => sendAsOwner(sandbox, 'POST', '/v1/tags', { name }))),
  text.map((post) =>
    recorded((sandbox) => sendAsOwner(sandbox, 'POST', `/v1/${account}/posts`, { text: post })),
  ),
  text.map((query) =>
    recorded((sandbox) =>
      sendAsOwner(sandbox, 'GET', `/v1/${account}/posts?${new URLSearchParams({ query })}`),
    ),
  ),
  fc.constantFrom(1, 101).map((tips) =>
    recorded((sandbox) => {
      sandbox.act({ type: 'subscriber.new' })
      sandbox.act(Array.from({ length: tips }, () => ({ type: 'tip' as const })))
    }),
  ),
  fc.constant(
    recorded((sandbox) =>
      sandbox.act([
        { type: 'subscriber.new' },
        { type: 'tip' },
        { type: 'clock.advance', by: '2h' },
        { type: 'message.from_fan' },
        { type: 'clock.advance', by: '30s' },
      ]),
    ),
  ),
  fc
    .constantFrom('3s', '2h 7ms', '40d')
    .map((by) => recorded((sandbox) => sandbox.clock.advance(by))),
  text.map((post) => edit((sandbox) => sandbox.make.post({ text: post }))),
  fc.constant(edit(({ db }) => db.posts.update(db.posts.all()[0]?.id ?? 0, { likeCount: 7 }))),
  fc.constant(edit(({ db }) => db.notifications.remove(db.notifications.all()[0]?.id ?? 0))),
)
const steps = fc.array(step, { maxLength: 8 })
const scenario = fc.constantFrom(...Object.keys(scenarios))

function recorded(run: Step['run']): Step {
  return { run, isRecorded: true }
}

function edit(run: Step['run']): Step {
  return { run, isRecorded: false }
}

async function open(name: string): Promise<Sandbox> {
  const sandbox = createSandbox({ scenario: scenarios[name] })
  await sandbox.ready
  return sandbox
}

async function load(yaml: string): Promise<Sandbox> {
  const sandbox = createSandbox({ scenario: 'empty' })
  await sandbox.ready
  await sandbox.control.loadScenario({ yaml })
  return sandbox
}

function getRecords({ db }: Sandbox) {
  const names = tableNames.filter((name) => !derivedTables.includes(name) && name !== 'apiKeys')
  return Object.fromEntries(names.map((name) => [name, db[name].all()]))
}

it('reads every world that it wrote as a scenario, with the same records', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, steps, async (name, list) => {
      const sandbox = await open(name)
      for (const { run } of list) await run(sandbox)
      const { yaml } = await sandbox.control.presentScenario()
      const again = await load(yaml)
      expect(getRecords(again)).toEqual(getRecords(sandbox))
    }),
    getRunOptions(5, 50),
  )
})

it('reads every recording, and names the gap if its replay would differ', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, steps, async (name, list) => {
      const sandbox = await open(name)
      sandbox.control.startRecording()
      for (const { run } of list) await run(sandbox)
      const { yaml, gap } = await sandbox.control.stopRecording()
      const again = await load(yaml)
      again.clock.set(sandbox.clock.now())
      if (list.every(({ isRecorded }) => isRecorded)) expect(gap).toBeNull()
      if (gap === null) expect(getRecords(again)).toEqual(getRecords(sandbox))
    }),
    getRunOptions(5, 50),
  )
})
