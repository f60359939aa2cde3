import type { Recorded, RecordingState } from '../control/control.ts'
import { SandboxError } from '../errors.ts'
import { dropFrom, startRecording, toScenario } from '../scenario/recorder.ts'
import type { Recording } from '../scenario/recorder.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/** The part of a sandbox that recordings use. */
interface Recordable {
  loaded: () => LoadedScenario
  /** Reads the time of its story, ms. */
  at: () => ReturnType<Parameters<typeof startRecording>[1]>
}

/** The recording of a sandbox, if there is one: its changes as the steps of a story. */
export class Recordings {
  readonly #sandbox: Recordable
  #recording: Recording | undefined
  /** True if the server writes the recording when it closes. */
  #isPermanent = false

  constructor(sandbox: Recordable) {
    this.#sandbox = sandbox
  }

  /**
   * Starts a recording that lasts until the sandbox is closed. The returned function converts it to
   * a scenario.
   */
  startPermanent(): (name: string) => Recorded {
    this.#restart()
    this.#isPermanent = true
    return (name) => this.#toRecorded(name)
  }

  /** Starts a recording. @throws {SandboxError} if there is one already, and before `ready`. */
  start(): void {
    if (this.#recording !== undefined)
      throw new SandboxError(
        `Failed to record: a recording is running already, since ${this.#recording.since}. End that ` +
          `recording first.`,
      )
    this.#sandbox.loaded().world.requireSeeded('record')
    this.#restart()
  }

  /** Ends the recording. @throws {SandboxError} if there is none, or it is permanent. */
  stop(name: string): Recorded {
    if (this.#recording === undefined)
      throw new SandboxError(
        'Failed to end the recording: there is none. POST /_sandbox/recording begins one.',
      )
    if (this.#isPermanent)
      throw new SandboxError(
        'Failed to end the recording: the command record began it, and writes its file when the ' +
          'server closes.',
      )
    const recorded = this.#toRecorded(name)
    this.#sandbox.loaded().world.recorder = undefined
    this.#recording = undefined
    return recorded
  }

  state(): RecordingState {
    const { since = null, steps = [], gap = null } = this.#recording ?? {}
    return { since, steps: steps.length, gap }
  }

  /** Starts the recording again, if there is one, because the world was reset or replaced. */
  restart(): void {
    if (this.#recording !== undefined) this.#restart()
  }

  /** Drops the steps after a time of the story, ms, because the story went back to it. */
  dropFrom(atMs: number): void {
    if (this.#recording !== undefined) dropFrom(this.#recording, atMs)
  }

  /**
   * Notes the reason why the recording does not lead to the same world again. Later reasons are
   * ignored.
   */
  noteGap(gap: string): void {
    if (this.#recording !== undefined) this.#recording.gap ??= gap
  }

  /** Drops the recording. */
  clear(): void {
    this.#recording = undefined
  }

  #restart(): void {
    this.#recording = startRecording(this.#sandbox.loaded().world, this.#sandbox.at)
  }

  #toRecorded(name: string): Recorded {
    const recording = this.#recording as Recording
    const { world, source, fileSteps, moved } = this.#sandbox.loaded()
    const scenario = toScenario(recording, world, { source, sourceSteps: fileSteps, moved, name })
    return {
      scenario,
      steps: recording.steps.length,
      leftOut: recording.leftOut,
      gap: recording.gap,
    }
  }
}
