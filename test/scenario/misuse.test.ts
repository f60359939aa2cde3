import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { listTables } from '../../src/data/tables.ts'

const circle: Record<string, unknown> = {}
circle['self'] = circle
/** Values that are always invalid. */
const odd: readonly unknown[] = [
  null,
  undefined,
  5n,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  2 ** 53,
  '',
  '-1',
  'nonsense',
  '__proto__',
  true,
  Symbol('odd'),
  () => {},
  [],
  [null],
  {},
  circle,
  new Date(Number.NaN),
  new Map(),
  Object.create(null),
  'x'.repeat(100_000),
  { limit: -1 },
  { type: 5n },
  { toString: null },
]

/** All functions that accept a value from a test or from the control plane. */
const methods: Readonly<Record<string, (sandbox: Sandbox, value: never) => unknown>> = {
  act: (sandbox, value) => sandbox.act(value),
  play: (sandbox, value) => sandbox.play(value),
  'play until': (sandbox, value) => sandbox.play({ until: value }),
  'play speed': (sandbox, value) => sandbox.play({ speed: value, until: '1ms' }),
  seek: (sandbox, value) => sandbox.seek(value),
  restore: (sandbox, value) => sandbox.restore(value),
  createRouting: (sandbox, value) => createRouting(new ServedSandbox(sandbox), value),
  handle: (sandbox, value) => sandbox.handle(value),
  baseUrl: (sandbox, value) => {
    sandbox.baseUrl = value
  },
  'clock.advance': ({ clock }, value) => clock.advance(value),
  'clock.set': ({ clock }, value) => clock.set(value),
  'clock.run': ({ clock }, value) => clock.run(value),
  'clock.run until': ({ clock }, value) => clock.run(1, { until: value }),
  'clock.follow': ({ clock }, value) => clock.follow(value),
  'clock.follow, its time': ({ clock }, value) => clock.follow(() => value),
  'faults.add': ({ faults }, value) => faults.add(value),
  'faults.add status': ({ faults }, value) => faults.add({ status: value }),
  'faults.remove': ({ faults }, value) => faults.remove(value),
  'db.get': ({ db }, value) => db.posts.get(value),
  'db.slice': ({ db }, value) => db.posts.slice(value, 1),
  'db.slice limit': ({ db }, value) => db.posts.slice(0, value),
  'db.where': ({ db }, value) => db.posts.where(value),
  'db.find': ({ db }, value) => db.posts.find(value),
  'db.insert': ({ db }, value) => db.posts.insert(value),
  'db.put': ({ db }, value) => db.posts.put(value),
  'db.update': ({ db }, value) => db.posts.update(db.posts.slice(0, 1)[0]!.id, value),
  'db.update id': ({ db }, value) => db.posts.update(value, {}),
  'db.remove': ({ db }, value) => db.posts.remove(value),
  'control.data': ({ control }, value) => control.data(value),
  'control.data query': ({ control }, value) => control.data('posts', value),
  'control.data limit': ({ control }, value) => control.data('posts', { limit: value }),
  'control.data offset': ({ control }, value) => control.data('posts', { offset: value }),
  'control.data filters': ({ control }, value) => control.data('posts', { filters: { id: value } }),
  'control.clock': ({ control }, value) => control.clock(value),
  'control.clock advance': ({ control }, value) => control.clock({ advance: value }),
  'control.happenings': ({ control }, value) => control.happenings(value),
  'control.happenings after': ({ control }, value) => control.happenings({ after: value }),
  'control.replay': ({ control }, value) => control.replay(value),
  'control.replay to': ({ control }, value) => control.replay({ command: 'seek', to: value }),
  'control.series': ({ control }, value) => control.series(value),
  'control.series account': ({ control }, value) => control.series({ account: value }),
  'control.requests': ({ control }, value) => control.requests(value),
  'control.requests limit': ({ control }, value) => control.requests({ limit: value }),
  'control.requests before': ({ control }, value) => control.requestRows({ before: value }),
  'control.requests route': ({ control }, value) => control.requests({ route: value }),
  'control.loadScenario': ({ control }, value) => control.loadScenario(value),
  'control.loadScenario yaml': ({ control }, value) => control.loadScenario({ yaml: value }),
  'control.world': ({ control }, value) => control.world(value),
  'control.removeWorld': ({ control }, value) => control.removeWorld(value),
}

it.each(Object.keys(methods))(
  '%s accepts the allowed values, and rejects all others by name without a change',
  async (name) => {
    const sandbox = await createFreshSandbox()
    for (const value of odd) {
      sandbox.clock.freeze()
      const before = getVersions(sandbox)
      const state = getState(sandbox)
      const refusal = await attempt(() => methods[name]?.(sandbox, value as never))
      if (refusal === undefined) continue
      expect(refusal).toBeInstanceOf(SandboxError)
      expect((refusal as Error).message).toMatch(/^(Failed to |[\w.]+:\d+:\d+ )[^\n]{1,2000}$/)
      expect([
        getVersions(sandbox).every((version, index) => version === before[index]),
        getState(sandbox),
      ]).toEqual([true, state])
    }
  },
)

const options =
  'baseUrl scenario library seed now clock rate data keys documentedOnly noGuesses journalSize bodyLimit log other'

it.each(options.split(' '))('rejects each invalid value of the option %s', (option) => {
  for (const value of odd)
    try {
      createSandbox({ scenario: 'empty', [option]: value }).close()
    } catch (error) {
      expect(error).toBeInstanceOf(SandboxError)
    }
})

it.each(odd.slice(2, 12))('rejects %s as options', (value) => {
  expect(() => createSandbox(value as SandboxOptions)).toThrow(SandboxError)
})

it.each<[(sandbox: Sandbox) => unknown, string]>([
  [(sandbox) => sandbox.clock.run('2' as never), 'Failed to run the clock at rate "2"'],
  [(sandbox) => sandbox.clock.advance(5n as never), 'Failed to advance the clock by the bigint 5'],
  [
    (sandbox) => sandbox.control.data('posts', { limit: -1 }),
    'Failed to read a table (limit: -1): it must be at least 0.',
  ],
  [
    (sandbox) => sandbox.control.requests({ limit: -5 }),
    'Failed to read the requests (limit: -5): it must be at least 0.',
  ],
  [
    (sandbox) => sandbox.control.requests({ account: 5n as never }),
    '(account: the bigint 5): it must be of type',
  ],
  [(sandbox) => sandbox.control.removeWorld('elsewhere'), 'Failed to find the world "elsewhere"'],
  [
    (sandbox) => sandbox.restore({ ...sandbox.snapshot(), world: 'elsewhere' }),
    '(world is "elsewhere"): it must be the id of a world',
  ],
  [(sandbox) => sandbox.play({ loop: true }), 'Failed to play (loop: true): it needs speed.'],
  [
    (sandbox) => sandbox.db.posts.slice(-1, 5),
    'Failed to read posts (offset: -1): it must be an integer of at least 0.',
  ],
  [
    (sandbox) => sandbox.db.posts.get(5n as never),
    'Failed to read posts (id: the bigint 5): it must be a number or a string.',
  ],
])('explains the mistake in %s', async (misuse, text) => {
  const sandbox = await createFreshSandbox()
  expect(String(await attempt(() => misuse(sandbox)))).toContain(text)
})

/** Returns the version object of each table. A changed table has a new version object. */
function getVersions({ db }: Sandbox): object[] {
  return listTables(db).map(({ version }) => version)
}

function getState({ clock, faults, baseUrl, control }: Sandbox) {
  return {
    clock: clock.state(),
    faults: faults.list(),
    baseUrl,
    worlds: control.worlds(),
    positions: control.positions(),
  }
}

it('warns the client, the log and the journal if a followed clock goes back', async () => {
  const log: [line: string, level: string][] = []
  const sandbox = await createFreshSandbox('solo', { log: (...said) => log.push(said) })
  let now = sandbox.clock.now()
  sandbox.clock.follow(() => now)
  now -= 1000
  const ask = () => sendAsOwner(sandbox, 'GET', '/v1/tags')
  const text =
    'Failed to read the time from the function: its time 2026-10-01T09:29:59.000Z ' +
    'is before the time of the clock'
  expect(await ask()).toEqual({ status: 500, body: { error: expect.stringContaining(text) } })
  expect(sandbox.requests[0]).toMatchObject({
    status: 500,
    at: '2026-10-01T09:30:00.000Z',
    error: expect.stringContaining(text),
  })
  expect(log[0]).toEqual([expect.stringContaining(text), 'error'])
  expect((await ask()).status).toBe(200)
  await sandbox.fetch(`${sandbox.baseUrl}/v1/tag`)
  expect(log[1]).toEqual([expect.stringContaining('GET /v1/tag: no such route'), 'note'])
})

async function attempt(misuse: () => unknown): Promise<unknown> {
  try {
    await misuse()
    return undefined
  } catch (error) {
    return error
  }
}
