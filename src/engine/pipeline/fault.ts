import { apiError } from '../../errors.ts'
import type { Fault } from '../faults.ts'
import type { Reply } from '../route.ts'
import type { World } from '../world.ts'

/** The error that cuts the connection instead of sending an answer. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection'
  readonly reply: Reply = { status: 0, headers: {}, body: null, isDropped: true }
}

/**
 * Step 3: waits, cuts the connection or answers with an error, as the fault says. The wait takes real time, not time of the sandbox's
 * clock, so that a client notices it. @throws {ApiError} fault_injected; {DroppedConnection}
 */
export async function inject(world: World, fault: Fault): Promise<void> {
  if (fault.delay_ms !== undefined) {
    await new Promise((resolve) => {
      setTimeout(resolve, fault.delay_ms)
    })
    world.settle()
  }
  if (fault.drop === true) throw new DroppedConnection()
  if (fault.status === undefined) return
  const error = apiError('fault_injected', { status: fault.status }, fault.status)
  if (fault.error !== undefined) error.message = fault.error
  throw error
}
