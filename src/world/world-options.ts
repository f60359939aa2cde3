import type { TableDefinitions } from '../data/tables.ts'
import type { DueEffect } from './due-effects.ts'
import type { CredentialPatterns } from '../lib/credentials.ts'
import type { MemoryLimit } from './memory-limit.ts'
import type { PersistedService } from './service.ts'
import type { VariationChoice } from './variation-choice.ts'

/** The options of a world. Times are epoch ms. */
export interface WorldOptions {
  /** The id of the world. Media links contain it. @default 'main' */
  id?: string
  seed: number
  start: number
  clock: { mode: 'frozen' | 'running'; rate: number }
  baseUrl: string
  /** Time until new media are ready. */
  transcodingMs: number
  journalSize: number
  /** The initial variation of responses. @default none */
  variation?: VariationChoice | undefined
  /** True if responses leave out fields that the reference does not show. @default false */
  documentedOnly?: boolean
  /** The state of the host. */
  conditions?: Conditions
  /** The memory limit that this world shares with others. @default unlimited */
  memory?: MemoryLimit
  /** Patterns of other services' credentials, which are masked. @default the usual forms */
  credentials?: CredentialPatterns
}

/** The state of the host, which `GET /health` reports. */
export interface Conditions {
  /**
   * Digest of everything that determines data and responses. Servers with the same digest give the
   * same responses. Absent in the library.
   */
  digest?: string
  /** Set if worlds cannot be saved: `failing since …`. */
  state?: string
}

/** The tables, services, listeners and scheduled effects of a kind of world. */
export interface WorldRules<Definitions extends TableDefinitions, World> {
  definitions: Definitions
  /** The services whose state is part of snapshots. */
  services: readonly PersistedService[]
  /** Attaches the listeners that keep derived records up to date. */
  attachListeners(world: World): void
  /** The next scheduled effect; undefined if there is none. */
  nextDue(world: World): DueEffect | undefined
}
