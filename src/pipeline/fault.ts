import { apiError } from '../errors.ts'
import type { Fault } from '../model/faults.ts'
import type { Reply } from '../route.ts'

/** Thrown to cut the connection in place of an answer. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection'
  readonly reply: Reply = { status: 0, headers: {}, body: null, isDropped: true }
}

/** Step 3: waits, cuts the connection or answers an error, as the fault says. @throws {ApiError} fault_injected; {DroppedConnection} */
export function inject(fault: Fault): void {
  if (fault.drop === true) throw new DroppedConnection()
  if (fault.status === undefined) return
  const error = apiError('fault_injected', { status: fault.status }, fault.status)
  if (fault.error !== undefined) error.message = fault.error
  throw error
}

/** Waits in real time: a delay is felt by the client, whatever the sandbox's clock says. */
export function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs)
  })
}
