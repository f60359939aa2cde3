import type { TablesSnapshot } from '../data/tables.ts'
import type { ClockState } from './clock.ts'
import type { Faults } from './faults.ts'
import type { RateLimiter } from './limits.ts'
import type { LargestIds } from './sequences.ts'
import { z } from 'zod'

/** The state of a world without its records, as JSON. */
export interface WorldState {
  clock: ClockState
  random: number[]
  sequences: LargestIds
  limits: ReturnType<RateLimiter['state']>
  faults: ReturnType<Faults['state']>
  /** Number of timeline steps played so far. */
  scriptPosition: number
  /** Number of requests that wrote something. */
  writes: number
  notes: Note[]
  /** The state of a persisted service, by its name. */
  [service: string]: unknown
}

/** A snapshot in memory: references to the records, and a copy of the state. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
  /** Id of the last action. */
  lastAction: number
  /** Number of the last change to a record. */
  lastChange: number
}

/** A caption for viewers, and the sandbox time when it appeared. */
export const Note = z.strictObject({ at: z.iso.datetime().max(40), text: z.string().max(500) })
export type Note = z.infer<typeof Note>

/** Maximum number of captions per world. */
export const maxNotes = 100
