import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodePace } from '../../src/hosts/pace.ts'
import { createServedSandbox } from '../../src/sandbox/create-sandbox.ts'
import { restoreSavedWorld, WorldWriter } from '../../src/sandbox/state/saved-world.ts'
import { Sandbox } from '../../src/sandbox/sandbox.ts'
import { StoredBases } from '../../src/sandbox/state/stored-bases.ts'
import { sendAsOwner } from '../support/client.ts'
import { createMemoryStore, plainCodec } from '../support/memory-store.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'

const bases = new StoredBases(createMemoryStore(), plainCodec)

const steps: Readonly<Record<string, (sandbox: Sandbox) => unknown>> = {
  post: (sandbox) => sandbox.make.post({ text: 'New' }),
  tip: (sandbox) => sandbox.act({ type: 'tip', amount: 5 }),
  change: ({ db }) => db.posts.update(db.posts.all()[0]?.id ?? 0, { likeCount: 7 }),
  changeBack: ({ db }) => {
    const [post] = db.posts.all()
    if (post === undefined) return
    db.posts.update(post.id, { price: post.price + 1 })
    db.posts.update(post.id, { price: post.price })
  },
  remove: ({ db }) => db.notifications.remove(db.notifications.all()[0]?.id ?? 0),
  advance: (sandbox) => sandbox.clock.advance('3d'),
  fault: (sandbox) => sandbox.faults.add({ status: 502, times: 2 }),
  reset: (sandbox) => sandbox.reset(),
  restore: (sandbox) => sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot()))),
  keep: (sandbox) => sandbox.control.keepSnapshot({ name: 'kept' }),
  load: (sandbox) => sandbox.control.loadScenario({ name: 'launch-day', seed: 3 }),
  play: (sandbox) =>
    sandbox.control.state().scenario === 'launch-day' ? sandbox.play() : undefined,
  write: (sandbox) =>
    sendAsOwner(sandbox, 'POST', '/v1/tags', { name: `tag ${sandbox.db.tags.size}` }),
  read: (sandbox) => sendAsOwner(sandbox, 'GET', `/v1/${sandbox.accounts[0]?.id}/posts`),
}

async function open(worldName: string | undefined): Promise<Sandbox> {
  const sandbox = createServedSandbox(
    { scenario: 'solo', clock: 'frozen' },
    { beginsNow: false, pace: nodePace, bases },
  )
  await sandbox.ready
  return worldName === undefined ? sandbox : sandbox.createWorld({ name: worldName })
}

const allTables = ({ db }: Sandbox) =>
  JSON.stringify(
    Object.entries(db).map(([name, table]) => [name, (table as { all: () => unknown }).all()]),
  )

it('restores a saved world with the same bytes in all tables, and with the same later responses', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(steps)), { maxLength: 12 }),
      fc.constantFrom(undefined, 'mine'),
      async (names, worldName) => {
        const saved = await open(worldName)
        // Caches serialised rows between saves, as a server does.
        const writer = new WorldWriter()
        for (const name of names) {
          await steps[name]?.(saved)
          writer.write(Sandbox.runtimeOf(saved))
        }
        await bases.ensure(Sandbox.runtimeOf(saved).active)
        const { text } = writer.write(Sandbox.runtimeOf(saved))
        const restored = await open(worldName)
        await restoreSavedWorld(Sandbox.runtimeOf(restored), new TextEncoder().encode(text), bases)
        expectSameText(allTables(restored), allTables(saved), 'the tables')
        expect(restored.control.snapshots()).toEqual(saved.control.snapshots())
        for (const next of ['write', 'advance', 'tip', 'read', 'reset', 'read']) {
          const answers = [await steps[next]?.(saved), await steps[next]?.(restored)]
          expect(answers[1], next).toEqual(answers[0])
          expectSameText(allTables(restored), allTables(saved), `the tables after ${next}`)
        }
      },
    ),
    getRunOptions(5, 80),
  )
})
