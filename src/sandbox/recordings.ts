import type { Recorded, RecordingState } from '../control/control.ts'
import { SandboxError } from '../errors.ts'
import { dropFrom, startRecording, toScenario } from '../scenario/recorder.ts'
import type { Recording } from '../scenario/recorder.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/** What a recording needs of its sandbox. */
interface Recordable {
  loaded: () => LoadedScenario
  /** Where its story is, sandbox ms. */
  at: () => ReturnType<Parameters<typeof startRecording>[1]>
}

/** The recording of a sandbox, if there is one: what changes it is kept as the steps of a story. */
export class Recordings {
  readonly #sandbox: Recordable
  #recording: Recording | undefined
  /** Whether whoever runs the sandbox writes the recording when it closes. */
  #isForGood = false

  constructor(sandbox: Recordable) {
    this.#sandbox = sandbox
  }

  /**
   * Begins one that lasts until the sandbox is closed. The returned function converts it to a
   * scenario.
   */
  keep(): (name: string) => Recorded {
    this.#begin()
    this.#isForGood = true
    return (name) => this.#toRecorded(name)
  }

  /**
   * Begins one. @throws {SandboxError} when there is one already, and before the data are there.
   */
  start(): void {
    if (this.#recording !== undefined)
      throw new SandboxError(
        `Failed to record: it is recorded already, since ${this.#recording.since}. End that ` +
          `recording first.`,
      )
    this.#sandbox.loaded().world.requireSeeded('record')
    this.#begin()
  }

  /** Ends it. @throws {SandboxError} when there is none, or one for good. */
  stop(name: string): Recorded {
    if (this.#recording === undefined)
      throw new SandboxError(
        'Failed to end the recording: there is none. POST /_sandbox/recording begins one.',
      )
    if (this.#isForGood)
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

  /** Begins the recording anew, if there is one: the world is another, or as it was seeded. */
  beginAnew(): void {
    if (this.#recording !== undefined) this.#begin()
  }

  /** Drops what was recorded from that time on, epoch ms: the story went back. */
  dropFrom(atMs: number): void {
    if (this.#recording !== undefined) dropFrom(this.#recording, atMs)
  }

  /** Says what the recording lacks, the first time. */
  noteGap(gap: string): void {
    if (this.#recording !== undefined) this.#recording.gap ??= gap
  }

  /** Lets go of it. */
  forget(): void {
    this.#recording = undefined
  }

  #begin(): void {
    this.#recording = startRecording(this.#sandbox.loaded().world, this.#sandbox.at)
  }

  #toRecorded(name: string): Recorded {
    const recording = this.#recording as Recording
    const { world, source, steps, moved } = this.#sandbox.loaded()
    const scenario = toScenario(recording, world, { source, sourceSteps: steps, moved, name })
    return {
      scenario,
      steps: recording.steps.length,
      leftOut: recording.leftOut,
      gap: recording.gap,
    }
  }
}
