import { variation } from '../api/variation-service.ts'
import { minuteMs } from '../lib/time.ts'
import type { TrialRun } from '../variation/trials.ts'
import { SandboxError } from '../errors.ts'
import { readRunRecord } from '../variation/run-record.ts'
import type { Execution } from '../variation/run-trials.ts'
import type { World } from '../resources/world.ts'

/** The part of a run's result that the sandbox can observe. */
export type ObservedRun = Pick<Execution, 'isMet' | 'record' | 'newIds'>

/** The world of a run, and the client that runs in it. */
interface TrialTarget {
  /** Returns the current world. Loading a scenario replaces the world. */
  worldNow: () => World
  client: 'function' | 'command'
  /** Advances the clock of the world, ms. */
  advance: (ms: number) => void
}

/**
 * Applies a run's variation or faults to a world. The returned function reports the requests that
 * the client has sent since then. It throws a `SandboxError` if the client reset the world.
 */
export function startTrialRun(
  { worldNow, client, advance }: TrialTarget,
  run: TrialRun | null,
): () => Promise<ObservedRun> {
  const world = worldNow()
  const { faults, journal } = world
  const varying = world.service(variation)
  varying.choice = run?.variation ?? null
  const ids = new Set(run?.faults.map((fault) => faults.add(fault).id))
  let isOver = false
  faults.onTimeUp = () => {
    if (run?.endsMinute === true && !isOver) advance(minuteMs - (world.clock.now() % minuteMs))
  }
  const since = journal.lastId
  const lastChange = world.changeLog.last
  journal.checkpoint = since
  const { choice } = varying
  const { lastId } = faults.state()
  const { timesEmptied } = journal
  return async () => {
    isOver = true
    faults.onTimeUp = undefined
    await endDelays(world)
    if (
      worldNow() !== world ||
      varying.choice !== choice ||
      faults.state().lastId < lastId ||
      journal.timesEmptied !== timesEmptied
    )
      throw new SandboxError(
        `Failed to vary the responses: the ${client} reset or restored the sandbox, or loaded ` +
          'another scenario. Remove this call: each run starts with the same data.',
      )
    const variator = await varying.variator
    const record = readRunRecord(journal, { since, inRealTime: run?.endsMinute === true })
    const isHit = record.requests.some(({ fault }) => fault !== null && ids.has(fault))
    const newIds = new Set(world.changeLog.listAddedIds(lastChange).map(String))
    return { isMet: isHit || (variator?.changed ?? 0) > 0, record, newIds }
  }
}

/** Maximum number of microtasks until a request is recorded after its delay. */
const maxTurns = 100

/**
 * Ends the delays of requests that the client has abandoned, because these requests must be
 * recorded too.
 */
async function endDelays({ faults, journal }: World): Promise<void> {
  const last = journal.lastId + faults.endDelays()
  for (let turn = 0; turn < maxTurns && journal.lastId < last; turn += 1) await Promise.resolve()
}
