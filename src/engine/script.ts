import { SandboxError } from '../errors.ts'
import type { Due } from './due.ts'

/** Something that a story lets happen at a time of the world's clock. */
export interface ScriptMoment<World> {
  /** Ms of the story since its start. */
  storyMs: number
  /** Ms of the world's clock since its start: the story's, and what it leapt over before. */
  at: number
  /** Ms that the clock leaps over afterwards. */
  leapMs: number
  play(world: World): void
  /** Where it stands in its file, as in `timeline[3]`. */
  place: string
}

/** How many problems of a story are kept. */
const mostProblems = 100

/** What a story needs of the world that it plays in. */
interface Stage {
  /** When its clock began, epoch ms. */
  readonly options: { readonly start: number }
  readonly clock: { now(): number; leap(ms: number): void }
}

/** What a story lets happen, in order, and how far it has come. */
export class Script<World extends Stage = Stage> {
  readonly moments: readonly ScriptMoment<World>[]
  #position = 0
  #problems: { index: number; text: string }[] = []
  /** Told before a moment is played. */
  onMoment: ((index: number) => void) | undefined

  constructor(moments: readonly ScriptMoment<World>[] = []) {
    this.moments = moments
  }

  /** How many moments have been played. */
  get position(): number {
    return this.#position
  }

  /** What could not be done when its time came; the story goes on without it. */
  get problems(): string[] {
    return this.#problems.map(({ text }) => text)
  }

  /** Takes the story as played up to there: what went wrong later is forgotten. */
  goTo(position: number): void {
    this.#position = position
    this.#problems = this.#problems.filter(({ index }) => index < position)
  }

  /** The next moment of the world's story, if one is to come. */
  next(world: World): Due | undefined {
    const moment = this.moments[this.#position]
    return moment && { at: world.options.start + moment.at, fire: () => this.#play(world, moment) }
  }

  /** Ms of the story that have passed, also beyond its end. */
  elapsed(world: World): number {
    const last = this.moments[this.#position - 1]
    const leapt = last === undefined ? 0 : last.at - last.storyMs + last.leapMs
    return Math.max(0, world.clock.now() - world.options.start - leapt)
  }

  #play(world: World, moment: ScriptMoment<World>): void {
    this.onMoment?.(this.#position)
    try {
      moment.play(world)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      if (this.#problems.length < mostProblems) this.#problems.push({ index: this.#position, text: `${moment.place}: ${error.message}` })
    } finally {
      this.#position += 1
    }
    if (moment.leapMs > 0) world.clock.leap(moment.leapMs)
  }
}
