import { variation } from '../api/variation.ts'
import { readRunRecord } from '../variation/run-record.ts'
import type { Execution } from '../variation/run-trials.ts'
import type { TrialRun } from '../variation/trials.ts'
import type { World } from '../resources/world.ts'

/** The part of a test run's result that the sandbox can observe. */
export type ObservedRun = Pick<Execution, 'isMet' | 'record'>

/**
 * Applies a run's variation or faults to a world. The returned function reports the requests that
 * the client has sent since then.
 */
export function startTrialRun(world: World, run: TrialRun | null): () => Promise<ObservedRun> {
  const { faults, journal } = world
  const varying = world.service(variation)
  varying.choice = run?.variation ?? null
  const ids = new Set(run?.faults.map((fault) => faults.add(fault).id))
  const since = journal.lastId
  journal.checkpoint = since
  return async () => {
    const variator = await varying.variator
    const record = readRunRecord(journal, since)
    const isHit = record.requests.some(({ fault }) => fault !== null && ids.has(fault))
    return { isMet: isHit || (variator?.changed ?? 0) > 0, record }
  }
}
