import { SandboxError } from '../errors.ts'
import { LazyList } from '../lib/lazy-list.ts'

/** A scheduled effect. */
export interface DueEffect {
  /** Epoch ms. */
  at: number
  fire: () => void
}

/** The part of a world that `isEffectDue` uses. */
interface EffectWorld {
  readonly clock: { hasReached(time: number): boolean }
  readonly rules: { nextDue(world: never): DueEffect | undefined }
}

/**
 * A view that returns true if an effect is due. The result is cached until the next effect becomes
 * due.
 */
export function isEffectDue(world: EffectWorld): boolean {
  const due = world.rules.nextDue(world as never)
  return due !== undefined && world.clock.hasReached(due.at)
}

/** A step of a story. */
export interface TimelineStep<World> {
  /** Story time, ms since the start. Leaps do not count. */
  storyMs: number
  /**
   * Clock time of the step, ms since the start. Unlike the story time, it includes earlier leaps.
   */
  at: number
  /** Amount of time that the clock skips after the step, ms. */
  leapMs: number
  play(world: World): void
  /** Path of the step in the scenario file, such as `timeline[3]`. */
  place: string
}

/** Maximum number of stored problems. */
const maxProblems = 100

/** The parts of a world that a timeline uses. */
interface TimelineWorld {
  /** `start` is the start time of the clock, epoch ms. */
  readonly options: { readonly start: number }
  readonly clock: { now(): number; leap(ms: number): void }
}

/** The steps of a story in order, and the number of steps that have been played. */
export class Timeline<World extends TimelineWorld = TimelineWorld> {
  readonly steps: LazyList<TimelineStep<World>>
  /** Called before each step. */
  onStep: ((index: number) => void) | undefined
  #position = 0
  #problems: { index: number; text: string }[] = []

  constructor(steps: LazyList<TimelineStep<World>> = new LazyList(0, () => [].values())) {
    this.steps = steps
  }

  /** Number of steps played so far. */
  get position(): number {
    return this.#position
  }

  /** Errors of failed steps. The story continues after a failure. */
  get problems(): string[] {
    return this.#problems.map(({ text }) => text)
  }

  /** Sets the number of steps that count as played, and drops the problems of later steps. */
  setPosition(position: number): void {
    this.#position = position
    this.#problems = this.#problems.filter(({ index }) => index < position)
  }

  /** Returns an effect that plays the next step. Undefined at the end of the timeline. */
  next(world: World): DueEffect | undefined {
    const step = this.steps.at(this.#position)
    return step && { at: world.options.start + step.at, fire: () => this.#play(world, step) }
  }

  /** Returns the elapsed story time, ms. It continues to increase after the last step. */
  elapsed(world: World): number {
    const last = this.steps.at(this.#position - 1)
    const leapt = last === undefined ? 0 : last.at - last.storyMs + last.leapMs
    return Math.max(0, world.clock.now() - world.options.start - leapt)
  }

  #play(world: World, step: TimelineStep<World>): void {
    this.onStep?.(this.#position)
    try {
      step.play(world)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      if (this.#problems.length < maxProblems)
        this.#problems.push({ index: this.#position, text: `${step.place}: ${error.message}` })
    } finally {
      this.#position += 1
    }
    if (step.leapMs > 0) world.clock.leap(step.leapMs)
  }
}
