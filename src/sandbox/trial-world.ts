import type { TrialRun } from '../variation/trials.ts'
import { Sandbox } from './sandbox.ts'
import { startTrialRun } from './survive.ts'
import type { ObservedRun } from './survive.ts'

/** An isolated world in which a client runs once. */
export interface TrialWorld {
  /** API key with the role `owner`, which is valid only in this world. */
  key: string
  /** Id of a connected account in the organisation of the key. */
  account: number
  /** Closes the world and returns the client's requests. */
  finish: () => Promise<ObservedRun>
}

/** Creates an isolated world for one run. */
export async function createTrialWorld(
  sandbox: Sandbox,
  run: TrialRun | null,
): Promise<TrialWorld> {
  const own = sandbox.createWorld()
  const runtime = Sandbox.runtimeOf(own)
  const { world, queue } = runtime
  // Waits until the new world has advanced to the current time, because advancing it later would
  // overwrite the faults.
  await queue.run(null, () => {})
  const { accounts, apiKeys } = world.db
  const owner = apiKeys.all().find(({ role }) => role === 'owner')
  const owned = accounts.where({ organisation: owner?.organisation ?? 0 })
  const account = owned.find(({ connected, session }) => connected && session === 'active')
  const advance = (ms: number) =>
    void queue.runUnlessClosed('advancing', () => world.clock.advancing(ms))
  const read = startTrialRun({ worldNow: () => runtime.world, client: 'command', advance }, run)
  const finish = async () => {
    try {
      world.faults.endDelays()
      // Waits for requests that the client has abandoned, because they must be recorded too.
      await Sandbox.runtimeOf(sandbox).worlds.idle(own.worldName ?? '')
      return await read()
    } finally {
      own.close()
    }
  }
  return { key: own.keys.owner, account: account?.id ?? owned[0]?.id ?? 0, finish }
}
