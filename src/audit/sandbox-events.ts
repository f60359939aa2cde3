import type { DoneAction } from '../world/action-log.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { SandboxError } from '../errors.ts'

/** Events of a sandbox, by name. */
export interface SandboxEvents {
  /** A response was sent. */
  request: JournalEntry
  /** An action was applied, or a chapter of the story started. */
  happening: DoneAction
}

const eventNames: readonly string[] = ['request', 'happening'] satisfies (keyof SandboxEvents)[]

/** @throws {SandboxError} if the event is unknown, or the listener is not a function */
export function assertListener(name: keyof SandboxEvents, listener: unknown): void {
  if (!eventNames.includes(name) || typeof listener !== 'function')
    throw new SandboxError(
      `Failed to listen to ${JSON.stringify(name)}: the event must be 'request' or ` +
        `'happening', and the listener a function.`,
    )
}
