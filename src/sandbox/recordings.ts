import type { RecordingResult, RecordingState } from '../control/control-host.ts'
import { SandboxError } from '../errors.ts'
import {
  removeStepsFrom,
  startRecording,
  toRecordedScenario,
} from '../scenario/scenario-recorder.ts'
import type { Recording } from '../scenario/scenario-recorder.ts'
import type { ActiveScenario } from './active-scenario.ts'

/** The part of a sandbox that the `Recordings` class uses. */
interface RecordableSandbox {
  active: () => ActiveScenario
  /** Returns the current story time, ms. */
  at: () => number
}

/**
 * Manages the recording of a sandbox. A recording stores the changes to the sandbox as story steps.
 */
export class Recordings {
  readonly #sandbox: RecordableSandbox
  #recording: Recording | undefined
  /** True if the recording runs until the server stops. The server then writes it to a file. */
  #isPermanent = false

  constructor(sandbox: RecordableSandbox) {
    this.#sandbox = sandbox
  }

  /**
   * Starts a recording that runs until the sandbox is closed. The returned function converts the
   * recording to a scenario.
   */
  startPermanent(): (name: string) => RecordingResult {
    this.#restart()
    this.#isPermanent = true
    return (name) => this.#toRecorded(name)
  }

  /**
   * Starts a recording.
   *
   * @throws {SandboxError} if a recording is running, or before `ready`
   */
  start(): void {
    if (this.#recording !== undefined)
      throw new SandboxError(
        `Failed to record: a recording has been running since ${this.#recording.since}. End ` +
          'that recording first.',
      )
    this.#sandbox.active().world.requireSeeded('record')
    this.#restart()
  }

  /**
   * Ends the recording.
   *
   * @throws {SandboxError} if no recording is running, or if it must run until the server stops
   */
  stop(name: string): RecordingResult {
    if (this.#recording === undefined)
      throw new SandboxError(
        'Failed to end the recording: no recording is running. Start one with POST ' +
          '/_sandbox/recording.',
      )
    if (this.#isPermanent)
      throw new SandboxError(
        'Failed to end the recording: it was started by the command record, which writes it ' +
          'when the server stops.',
      )
    const recorded = this.#toRecorded(name)
    this.#sandbox.active().world.recorder = undefined
    this.#recording = undefined
    return recorded
  }

  state(): RecordingState {
    const { since = null, steps = [] } = this.#recording ?? {}
    return { since, steps: steps.length, gap: this.#findGap() }
  }

  /** Restarts the recording, if one is running, after the world is reset or replaced. */
  restart(): void {
    if (this.#recording !== undefined) this.#restart()
  }

  /**
   * Removes the recorded steps from the given story time (ms) onwards. Called after the story was
   * rewound to that time.
   */
  dropFrom(atMs: number): void {
    if (this.#recording !== undefined) removeStepsFrom(this.#recording, atMs)
  }

  /**
   * Sets the reason why replaying the recording may not result in the same world. Keeps only the
   * first reason.
   */
  noteGap(gap: string): void {
    if (this.#recording !== undefined) this.#recording.gap ??= gap
  }

  /** Discards the recording. */
  clear(): void {
    this.#recording = undefined
  }

  #restart(): void {
    this.#recording = startRecording(this.#sandbox.active().world, {
      storyMs: this.#sandbox.at,
      countSourceSteps: () => this.#sandbox.active().fileSteps.length,
    })
  }

  #toRecorded(name: string): RecordingResult {
    const recording = this.#recording as Recording
    const { world, source, fileSteps, moved } = this.#sandbox.active()
    const scenario = toRecordedScenario(recording, world, {
      source,
      sourceSteps: fileSteps,
      moved,
      name,
    })
    return {
      scenario,
      steps: recording.steps.length,
      leftOut: recording.leftOut,
      gap: this.#findGap(),
    }
  }

  #findGap(): string | null {
    if (this.#recording === undefined) return null
    const { isEdited } = this.#sandbox.active().world.changeLog
    const edited = isEdited ? 'records were made or edited during the recording' : null
    return this.#recording.gap ?? edited
  }
}
