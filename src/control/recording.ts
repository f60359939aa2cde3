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
