import type { TableDefinitions } from '../data/tables.ts'
import type { Due } from './due.ts'
import type { CredentialForms } from '../lib/credentials.ts'
import type { MemoryLimit } from './memory-limit.ts'
import type { PersistedService } from './service.ts'
import type { VariationChoice } from './variation-choice.ts'

/** The options of a world. Times are epoch ms. */
export interface WorldOptions {
  /** The id of the world, which its media links contain. @default 'main' */
  id?: string
  seed: number
  start: number
  clock: { mode: 'frozen' | 'running'; rate: number }
  baseUrl: string
  /** The time until new media are ready. */
  transcodingMs: number
  journalSize: number
  /** The initial variation of answers. @default none */
  variation?: VariationChoice | undefined
  /** True if answers leave out fields that the reference does not show. @default false */
  documentedOnly?: boolean
  /** The state of the host. Forks share it. */
  conditions?: Conditions
  /** The memory limit that this world shares with others. @default unlimited */
  memory?: MemoryLimit
  /** The forms of other services' credentials. @default the usual forms */
  credentials?: CredentialForms
}

/** The state of the host, which `GET /health` reports. */
export interface Conditions {
  /**
   * Digest of everything that determines data and answers: servers with the same digest answer the
   * same. Absent if nothing is served.
   */
  digest?: string
  /** The problem of saving worlds, `failing since …`. Absent if there is none. */
  state?: string
}

/** The tables of a kind of worlds, and the rules by which they change. */
export interface WorldRules<Definitions extends TableDefinitions, World> {
  definitions: Definitions
  /** The services whose state snapshots hold. */
  services: readonly PersistedService[]
  /** Attaches the listeners that keep derived records up to date. */
  attachListeners(world: World): void
  /** The next effect of the clock; undefined if there is none. */
  nextDue(world: World): Due | undefined
}
