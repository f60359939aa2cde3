import type { TableDefinitions } from '../data/tables.ts'
import type { DueEffect } from './timeline.ts'
import type { CredentialPatterns } from '../lib/credentials.ts'
import type { MemoryLimit } from './memory-limit.ts'
import type { PersistedService } from './service.ts'
import type { VariationChoice } from './variation-choice.ts'

/** The options of a world. Times are epoch ms. */
export interface WorldOptions {
  /**
   * Id of the world, which is part of media links.
   * @default 'main'
   */
  id?: string
  seed: number
  start: number
  clock: { mode: 'frozen' | 'running'; rate: number }
  baseUrl: string
  /** Time until new media are ready, ms. */
  transcodingMs: number
  journalSize: number
  /**
   * Initial variation of responses.
   * @default no variation
   */
  variation?: VariationChoice | undefined
  /**
   * True if responses omit fields that the reference does not document.
   * @default false
   */
  documentedOnly?: boolean
  /** State of the host, which `GET /health` returns. */
  conditions?: Conditions
  /**
   * Memory limit that the worlds of a sandbox share.
   * @default unlimited
   */
  memory?: MemoryLimit
  /**
   * Patterns for credentials of other services, which are masked.
   * @default the usual patterns
   */
  credentials?: CredentialPatterns
}

/** State of the host, which `GET /health` returns. */
export interface Conditions {
  /**
   * Digest of everything that determines data and responses. Servers with the same digest return
   * the same responses. Absent in the library.
   */
  digest?: string
  /** Set if worlds cannot be saved, such as `failing since …`. */
  state?: string
}

/** The tables, services, listeners and scheduled effects of a type of world. */
export interface WorldRules<Definitions extends TableDefinitions, World> {
  definitions: Definitions
  /** Services whose state is stored in snapshots. */
  services: readonly PersistedService[]
  /** Attaches the listeners that keep derived records up to date. */
  registerListeners(world: World): void
  /** Returns the next scheduled effect. Undefined if there is none. */
  nextDue(world: World): DueEffect | undefined
}
