import type { RouteNames } from '../api/route.ts'
import type { Fault } from '../world/fault-input.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import type { WorldChangesJson, WorldJson } from '../world/snapshot/snapshot.ts'
import type { Work } from '../world/work.ts'
import type { PlayOptions } from '../generated/inputs.ts'
import type { ScenarioParser } from '../scenario/parse.ts'
import type { Player, ReplayState } from '../scenario/player.ts'
import type { Scenario } from '../scenario/schema.ts'
import type { World } from '../resources/world.ts'
import type { WorldChoice } from './inputs.ts'
import type { NamedSnapshots } from './named-snapshots.ts'
import type { WorldCount } from './sandbox-state.ts'

/** A scenario as YAML. */
export interface WrittenScenario {
  name: string
  yaml: string
  /** Descriptions of the state that the scenario omits. */
  left_out: readonly string[]
}

/** A recording as YAML. */
export interface RecordedScenario extends WrittenScenario {
  /** Number of steps. */
  steps: number
  /** Reason why replaying the recording does not produce the same world, or null if it does. */
  gap: string | null
}

/** The progress of a recording. */
export interface RecordingState {
  /** Start of the recording in sandbox time, RFC 3339, or null if none is running. */
  since: string | null
  steps: number
  /** Reason why replaying the recording would not produce the same world, or null if it would. */
  gap: string | null
}

/** The result of a recording, before it is converted to YAML. */
export interface RecordingResult {
  scenario: Record<string, unknown>
  steps: number
  /** Number of requests that were omitted because they changed nothing. */
  leftOut: number
  gap: string | null
}

export interface RecordingHost {
  state: () => RecordingState
  start: () => void
  /** Stops the recording and returns its scenario. */
  stop: (name: string) => RecordingResult
}

/** What the client of a story experiences on the stage. */
export interface StoryClientState {
  sent: number
  failed: number
  /** Number of reads that succeeded after a failure. */
  recovered: number
  /** Last status of each read, or null, and the number of failures since the last success. */
  reads: { name: string; status: number | null; failures: number }[]
  /** The latest requests, oldest first. `at_ms` is story time. */
  outcomes: { at_ms: number; name: string; status: number }[]
}

/** The world that a sandbox, its control and its control plane operate on. */
export interface ControlHost {
  /** Undefined for the main world. */
  readonly worldName: string | undefined
  readonly world: World
  readonly isClosed: boolean
  readonly routeNames: RouteNames
  readonly active: {
    /** Name of the scenario. */
    readonly scenario: string
    /** API keys by role. */
    readonly keys: Readonly<Record<string, string>>
    readonly baseName: string
    readonly seeded?: { readonly scenario: Pick<Scenario, 'personas'> }
  }
  readonly options: {
    /** Scenarios that can be loaded in addition to the shipped scenarios. */
    readonly library?: readonly Scenario[] | undefined
    readonly realTime?: (() => number) | undefined
    /** True if scenarios that set no start time start at the current time. */
    readonly beginsNow: boolean
    readonly overlaid: { readonly routes: { readonly changed: readonly string[] } | undefined }
  }
  readonly queue: {
    /** The long operation in progress, or null. */
    readonly operation: string | null
    /** Runs work in slices on a server, and without pauses in the library. */
    slice: <Result>(work: Work<Result>) => Promise<Result>
    /** Like `slice`, for work within a job that changes the world. */
    work: <Result>(work: Work<Result>) => Promise<Result>
  }
  readonly player: Player
  readonly recordings: RecordingHost
  readonly snapshots: NamedSnapshots
  readonly worlds: {
    readonly count: WorldCount
    open: (name: string) => ControlHost
    list: () => readonly { readonly runtime: ControlHost }[]
    /** Closes a world and deletes its stored data. Returns false if the world does not exist. */
    delete: (name: string) => boolean
  }
  readonly parseScenario: ScenarioParser
  /**
   * Creates an isolated world.
   *
   * @throws {SandboxError}
   */
  createWorld: (choice: WorldChoice) => ControlHost
  /** Returns what the client of the story experiences. Null if there is none now. */
  storyClient: () => Promise<StoryClientState | null>
  /** Explains why a response's list is empty or short. */
  explain: (entry: JournalEntry) => Promise<string[]>
  /**
   * Returns the world and marks it as used.
   *
   * @throws {SandboxError} if the world is closed
   */
  use: () => World
  /** Like `use`, but first finishes a long operation in progress. */
  useIdle: (verb?: string) => World
  /**
   * Like `useIdle`, but first runs all due effects.
   * @throws {SandboxError} before `ready`
   */
  useCurrent: (verb: string) => World
  play: (options: PlayOptions) => Promise<ReplayState>
  seek: (to: string) => ReplayState
  reset: () => Promise<ResetResult>
  load: (scenario: string | Scenario, start: ScenarioStart) => Promise<void>
  takeSnapshot: () => WorldJson
  takeChanges: () => WorldChangesJson
  restore: (snapshot: unknown) => Promise<void>
}

/** Options for loading a scenario. */
export interface ScenarioStart {
  seed?: number | undefined
  now?: number | undefined
  /** True to pause the story at its start. */
  cue?: boolean | undefined
}

/** The result of resetting a world. */
export interface ResetResult {
  /** Faults that the reset removed before any request triggered them. */
  unfiredFaults: Fault[]
}
