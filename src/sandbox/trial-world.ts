import type { TrialRun } from '../variation/trials.ts'
import { runtimeOf } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'
import { startTrial } from './trial.ts'
import type { ObservedRun } from './trial.ts'

/** An isolated world for one run of a client. */
export interface TrialWorld {
  /** The API key of an owner, which only opens this world. */
  key: string
  /** The id of a connected account of that owner. */
  account: number
  /** Returns the record of the client's requests, and closes the world. */
  finish: () => Promise<ObservedRun>
}

/** Creates an isolated world for one run. */
export async function createTrialWorld(
  sandbox: Sandbox,
  run: TrialRun | null,
): Promise<TrialWorld> {
  const own = sandbox.createWorld()
  const { world, queue } = runtimeOf(own)
  // A new world is first moved to the current time, which would overwrite the faults.
  await queue.run(null, () => {})
  const { accounts, apiKeys } = world.db
  const owner = apiKeys.all().find(({ role }) => role === 'owner')
  const owned = accounts.where({ organisation: owner?.organisation ?? 0 })
  const account = owned.find(({ connected, session }) => connected && session === 'active')
  const read = startTrial(world, run)
  const finish = async () => {
    try {
      // Responses that the client no longer waits for must still be recorded.
      await runtimeOf(sandbox).worlds.idle(own.worldName ?? '')
      return await read()
    } finally {
      own.close()
    }
  }
  return { key: own.keys.owner, account: account?.id ?? owned[0]?.id ?? 0, finish }
}
