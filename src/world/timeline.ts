import { SandboxError } from '../errors.ts'
import type { Due } from './due.ts'
import { LazyList } from '../lib/lazy-list.ts'

/** Something that happens in a story at a time of the world's clock. */
export interface TimelineMoment<World> {
  /** The time of the story, ms since its start. */
  storyMs: number
  /**
   * The time of the world's clock, ms since its start: the time of the story and all leaps before.
   */
  at: number
  /** How far the clock leaps after the moment, ms. */
  leapMs: number
  play(world: World): void
  /** Where the moment stands in its file, such as `timeline[3]`. */
  place: string
}

/** The most problems of a story that are kept. */
const maxProblems = 100

/** The part of a world that a story needs. */
interface TimelineWorld {
  /** `start` is when the clock began, epoch ms. */
  readonly options: { readonly start: number }
  readonly clock: { now(): number; leap(ms: number): void }
}

/** The moments of a story in order, and how many of them have been played. */
export class Timeline<World extends TimelineWorld = TimelineWorld> {
  readonly moments: LazyList<TimelineMoment<World>>
  #position = 0
  #problems: { index: number; text: string }[] = []
  /** Runs before each moment is played. */
  onMoment: ((index: number) => void) | undefined

  constructor(moments: LazyList<TimelineMoment<World>> = new LazyList(0, () => [].values())) {
    this.moments = moments
  }

  /** The number of moments that have been played. */
  get position(): number {
    return this.#position
  }

  /** The errors of moments that failed. The story goes on after a failure. */
  get problems(): string[] {
    return this.#problems.map(({ text }) => text)
  }

  /** Sets how many moments have been played, and forgets the problems of later moments. */
  goTo(position: number): void {
    this.#position = position
    this.#problems = this.#problems.filter(({ index }) => index < position)
  }

  /** The next moment of the story, if there is one. */
  next(world: World): Due | undefined {
    const moment = this.moments.at(this.#position)
    return moment && { at: world.options.start + moment.at, fire: () => this.#play(world, moment) }
  }

  /** The time of the story that has passed, ms. It goes on beyond the end of the story. */
  elapsed(world: World): number {
    const last = this.moments.at(this.#position - 1)
    const leapt = last === undefined ? 0 : last.at - last.storyMs + last.leapMs
    return Math.max(0, world.clock.now() - world.options.start - leapt)
  }

  #play(world: World, moment: TimelineMoment<World>): void {
    this.onMoment?.(this.#position)
    try {
      moment.play(world)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      if (this.#problems.length < maxProblems)
        this.#problems.push({ index: this.#position, text: `${moment.place}: ${error.message}` })
    } finally {
      this.#position += 1
    }
    if (moment.leapMs > 0) world.clock.leap(moment.leapMs)
  }
}
