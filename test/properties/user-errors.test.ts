import fc from 'fast-check'
import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox, Scenario } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { solo } from '../support/scenarios.ts'
import { getRunOptions } from '../support/run-options.ts'

const times = [
  '2026-09-30',
  '2026-10-02',
  '2026-09-30T10:00:00',
  '2026-09-30 10:00:00',
  '2026-09-30T10:00Z',
  '2026-10-01T09:30:00.000Z',
  '2026-02-30',
  '2003-01-01',
  '9999-12-31T23:59:59Z',
  '-9999d',
  '+2h',
  '2h',
  '99999999999d',
  'now',
]
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...times),
  fc.constantFrom(
    0,
    -1,
    0.5,
    1e300,
    Number.NaN,
    Infinity,
    10n,
    Symbol('odd'),
    new Date(Number.NaN),
    Object.create(null),
  ),
  fc.anything({ maxDepth: 2, withNullPrototype: true }),
)

/** Uses of a sandbox with one odd value each. */
const uses: Readonly<Record<string, (sandbox: Sandbox, value: never) => unknown>> = {
  'option now': (_, now) => createSandbox({ scenario: solo, now }).ready,
  'option seed': (_, seed) => createSandbox({ scenario: solo, seed }).ready,
  'option journalSize': (_, journalSize) => createSandbox({ scenario: solo, journalSize }).ready,
  'time of a scenario': (_, now) => load({ now }),
  'time of a step': (_, at) => load({ timeline: [{ at, do: { type: 'tip' } }] }),
  'interval of a step': (_, every) => load({ timeline: [{ every, times: 2 }] }),
  'time of a record': (_, at) => load({ records: { posts: [{ accountId: 7, at }] } }),
  'field of a record': (_, postedAt) => load({ records: { posts: [{ accountId: 7, postedAt }] } }),
  'start of a loaded scenario': ({ control }, now) => control.loadScenario({ name: 'empty', now }),
  'a scenario as YAML': ({ control }, yaml) => control.loadScenario({ yaml }),
  'clock.advance': ({ clock }, by) => clock.advance(by),
  'clock.set': ({ clock }, to) => clock.set(to),
  'clock.run': ({ clock }, rate) => clock.run(rate),
  'clock.run until': ({ clock }, until) => clock.run(1, { until }),
  'clock.follow': ({ clock }, source) => clock.follow(source),
  'control.clock': ({ control }, set) => control.clock({ set }),
  seek: (sandbox, to) => sandbox.seek(to),
  'play until': (sandbox, until) => sandbox.play({ until }),
  'make at': ({ make }, at) => make.post({ at }),
  'make with a field': ({ make }, createdAt) => make.post({ createdAt }),
  'db.insert': ({ db }, postedAt) => db.posts.insert({ postedAt }),
  'db.update': ({ db }, postedAt) => db.posts.update(db.posts.all()[0]?.id ?? 0, { postedAt }),
  'db.get': ({ db }, id) => db.posts.get(id),
  'clock.advance as an action': (sandbox, by) => sandbox.act({ type: 'clock.advance', by }),
  'amount of an action': (sandbox, amount) => sandbox.act({ type: 'tip', amount }),
  'an action': (sandbox, action) => sandbox.act(action),
  'status of a fault': ({ faults }, status) => faults.add({ status }),
  'delay of a fault': ({ faults }, delay) => faults.add({ delay_ms: delay }),
  changes: (sandbox, since) => sandbox.changes({ since }),
  cost: (sandbox, since) => sandbox.cost({ since }),
  audit: (sandbox, since) => sandbox.audit({ since }),
  received: (sandbox, body) => sandbox.received({ body }),
  'control.requests': ({ control }, limit) => control.requests({ limit }),
  'control.data': ({ control }, contains) => control.data('posts', { contains }),
  'control.record': ({ control }, id) => control.record('posts', id),
  'control.series': ({ control }, figures) => control.series({ figures } as never),
  restore: (sandbox, snapshot) => sandbox.restore(snapshot),
  createWorld: (sandbox, name) => sandbox.createWorld({ name }).close(),
}

async function load(fields: object): Promise<void> {
  const scenario = { ...solo, ...fields } as Scenario
  const sandbox = createSandbox({ scenario, now: '2027-01-01' })
  await sandbox.ready
}

for (const [name, use] of Object.entries(uses))
  it(`accepts odd input or throws a SandboxError: ${name}`, async () => {
    const fresh = await createFreshSandbox()
    await fc.assert(
      fc.asyncProperty(odd, async (value) => {
        const sandbox = fresh.fork()
        const error = await Promise.resolve()
          .then(() => use(sandbox, value as never))
          .catch((thrown: unknown) => thrown)
        if (error instanceof Error) expect(error).toBeInstanceOf(SandboxError)
        sandbox.close()
      }),
      { ...getRunOptions(8, 120), examples: times.map((time): [unknown] => [time]) },
    )
  })
