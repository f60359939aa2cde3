import type { Script } from '../engine/script.ts'
import { SandboxError } from '../errors.ts'
import type { World } from '../world/world.ts'
import { Marks } from './marks.ts'
import { findPlace } from './place.ts'
import type { Timeline } from './timeline.ts'

/** How far a story is, and what comes next. Times of the story are ms since its start. */
export interface ReplayState {
  /** `idle`: at its start, or there is no story. */
  status: 'idle' | 'playing' | 'paused' | 'ended'
  at_ms: number
  duration_ms: number
  chapter: string | null
  /** Sandbox seconds per real second. */
  speed: number
  /** The next thing to happen. */
  next: { at_ms: number; types: string[] } | null
  chapters: { name: string; at_ms: number }[]
  /** The last caption. */
  caption: string | null
  loop: boolean
  /** Where it stops; null: at its end. */
  until_ms: number | null
  /** What went wrong while it played, newest last. */
  problems: string[]
  /** After a seek back: what it dropped. */
  warning: string | null
}

/** How to play: where to stop, how fast, and whether to begin again. */
export interface PlayOptions {
  /** A place in the story, as `seek` takes it. @default the end */
  until?: string
  /** Story seconds per real second, 0.1 to 1,000. @default 1 */
  speed?: number
  /** Begin again at the end. @default false */
  loop?: boolean
}

/** The world that plays, and its story; they change when another scenario is loaded. */
export interface PlayerHost {
  world: () => World
  timeline: () => Timeline
  /** Told that the world went back to that time of the story, ms: what was done since is dropped. */
  onBack: (atMs: number) => void
}

/** The longest nap between two looks at the clock, real ms. */
const longestNapMs = 1_000

/** Plays the story of a scenario: its time is the world's clock. */
export class Player {
  readonly #host: PlayerHost
  #script: Script | undefined
  readonly #marks = new Marks()
  #loop = false
  #until: number | undefined
  #speed = 1
  #timer: ReturnType<typeof setTimeout> | undefined
  #warning: string | null = null
  #waiting: (() => void)[] = []

  constructor(host: PlayerHost) {
    this.#host = host
  }

  /** How far the story is. */
  state(): ReplayState {
    const { world, timeline, script } = this.#now()
    world.settle()
    const { moments, chapters, durationMs } = timeline
    const at = this.at()
    const isEnded = moments.length > 0 && script.position >= moments.length
    const isRunning = world.clock.mode !== 'frozen'
    const next = moments[script.position]
    return {
      status: moments.length === 0 ? 'idle' : isEnded ? 'ended' : isRunning ? 'playing' : at === 0 ? 'idle' : 'paused',
      at_ms: Math.min(at, durationMs),
      duration_ms: durationMs,
      chapter: chapters.findLast(({ atMs }) => atMs < at || (atMs === at && script.position > 0))?.name ?? null,
      speed: isRunning ? world.clock.rate : this.#speed,
      next:
        next === undefined
          ? null
          : { at_ms: next.atMs, types: [...next.actions.map(({ type }) => type), ...(next.request === undefined ? [] : ['request'])] },
      chapters: chapters.map(({ name, atMs }) => ({ name, at_ms: atMs })),
      caption: timeline.captions.findLast(({ index }) => index < script.position)?.text ?? null,
      loop: this.#loop,
      until_ms: this.#until ?? null,
      problems: [...script.problems],
      warning: this.#warning,
    }
  }

  /** Plays on in real time; from the start when it had ended. Resolves when it stops. @throws {SandboxError} */
  play({ until, speed = 1, loop = false }: PlayOptions = {}): Promise<void> {
    const { world, timeline, script } = this.#story()
    requireSpeed(speed)
    const target = until === undefined ? undefined : this.#place(until)
    if (script.position >= timeline.moments.length) this.#back(0)
    world.settle()
    this.#requireAhead(target, until)
    this.#loop = loop
    this.#until = target
    this.#run(speed)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Plays on at once, to its end or to a place; at the end, or beyond it, it stays. Nothing is dropped. @throws {SandboxError} when that place has passed. */
  playAtOnce(until?: string): void {
    const { world, timeline } = this.#story()
    world.settle()
    const target = until === undefined ? timeline.durationMs : this.#place(until)
    if (until !== undefined) this.#requireAhead(target, until)
    if (target <= this.at()) return
    this.#until = undefined
    this.#loop = false
    this.#goTo(target)
  }

  /** Stands still. */
  pause(): void {
    const { world } = this.#story()
    world.settle()
    this.#stand(world)
    this.#stopTimer()
  }

  /** Plays the next moment, and stands still. */
  step(): void {
    const { world, timeline, script } = this.#story()
    this.pause()
    const next = timeline.moments[script.position]
    if (next !== undefined) world.clock.set(Math.max(world.clock.now(), world.options.start + next.clockMs))
  }

  /**
   * Goes to a place of the story: `'+2m'` or `'-30s'` from here, `'2m'` from its start, an instant, or a chapter. Back is by the nearest
   * snapshot: what clients wrote since then is dropped, and said. It plays on when it was playing.
   */
  seek(to: string): void {
    this.#story()
    this.#goTo(this.#place(to))
  }

  /** Sets how fast it plays: 0.1 to 1,000 story seconds per real second. */
  speed(speed: number): void {
    const { world } = this.#story()
    requireSpeed(speed)
    world.settle()
    this.#speed = speed
    if (world.clock.mode === 'running') this.#run(speed)
  }

  /** Goes back to the start and stands still. */
  stop(): void {
    const { world } = this.#story()
    // What is due by now is not played first: the world goes back to before it.
    this.#stand(world)
    this.#stopTimer()
    this.#loop = false
    this.#until = undefined
    this.#back(0)
    this.#warning = null
  }

  /** Forgets the way that it came and where it was going: the world was taken elsewhere, or is done with. */
  forget(): void {
    this.#stopTimer()
    this.#marks.clear()
    this.#until = undefined
    this.#loop = false
    this.#warning = null
  }

  /** Ms of the story that have passed, also beyond its end. */
  at(): number {
    const { world, script } = this.#now()
    return script.elapsed(world)
  }

  #goTo(target: number): void {
    const { world } = this.#now()
    const speed = world.clock.mode === 'running' ? world.clock.rate : undefined
    world.settle()
    this.#stand(world)
    this.#warning = null
    if (target < this.at()) this.#back(target)
    this.#forth(target)
    if (speed !== undefined) this.#run(speed)
  }

  #requireAhead(target: number | undefined, until: string | undefined): void {
    if (target === undefined || target >= this.at()) return
    throw new SandboxError(
      `Failed to play until ${JSON.stringify(until)}: the story is past that, at ${this.at() / 1000} s. Seek back first.`,
    )
  }

  #forth(target: number): void {
    this.#host.world().clock.advance(Math.max(0, target - this.at()))
  }

  #back(target: number): void {
    const { world } = this.#now()
    const from = world.clock.iso()
    const mark = this.#marks.backTo(target)
    const had = world.journal.writes
    const { state, ...rest } = mark?.snapshot ?? world.beginning
    world.restore({ ...rest, state: { ...state, clock: { ...state.clock, mode: 'frozen', rate: world.options.clock.rate } } })
    const written = had - world.journal.writes
    this.#host.onBack(mark?.atMs ?? 0)
    const dropped =
      written === 0
        ? 'No client had written since.'
        : `${written} write${written === 1 ? '' : 's'} of clients since then ${written === 1 ? 'is' : 'are'} dropped.`
    this.#warning = `Went back from ${from} to ${world.clock.iso()}. ${dropped}`
  }

  /** Stops the clock, and gives it its own rate back: the speed of the player is no part of the world. */
  #stand({ clock, options }: World): void {
    clock.freeze()
    clock.keepRate(options.clock.rate)
  }

  #run(speed: number): void {
    const { world, timeline } = this.#now()
    this.#speed = speed
    const stop = this.#until ?? timeline.durationMs
    // What the story still leaps over moves the stop along with it.
    world.clock.run(speed, { until: world.clock.now() + Math.max(0, stop - this.at()) })
    this.#nap()
  }

  #nap(): void {
    this.#stopTimer(false)
    const { world, timeline, script } = this.#now()
    const next = Math.min(timeline.moments[script.position]?.atMs ?? Infinity, this.#until ?? timeline.durationMs)
    const ms = Math.min(longestNapMs, Math.max(1, Math.ceil((next - this.at()) / world.clock.rate)))
    this.#timer = setTimeout(() => this.#wake(), ms)
  }

  #wake(): void {
    const { world, timeline } = this.#now()
    world.settle()
    if (world.clock.mode !== 'running') return this.#stopTimer()
    const stop = this.#until ?? timeline.durationMs
    if (this.at() < stop) return this.#nap()
    if (this.#until === undefined && this.#loop) {
      const { rate } = world.clock
      this.#back(0)
      this.#warning = null
      return this.#run(rate)
    }
    this.#stand(world)
    const { mode, rate } = world.options.clock
    // A server's clock goes on after the story: its rate windows have to.
    if (this.#until === undefined && mode === 'running') world.clock.run(rate)
    this.#stopTimer()
  }

  #stopTimer(isOver = true): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (isOver) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** A place of the story, ms since its start. @throws {SandboxError} */
  #place(to: string): number {
    const { timeline, world } = this.#now()
    return findPlace(timeline, to, { at: this.at(), start: world.options.start })
  }

  #story(): { world: World; timeline: Timeline; script: Script } {
    const now = this.#now()
    if (now.timeline.moments.length === 0) throw new SandboxError('Failed to play: the scenario has no timeline. Load one that has.')
    return now
  }

  #now(): { world: World; timeline: Timeline; script: Script } {
    const world = this.#host.world()
    if (this.#script !== world.script) this.#attach(world)
    return { world, timeline: this.#host.timeline(), script: world.script }
  }

  /** Another world plays from here on: it is followed, and its way marked. */
  #attach(world: World): void {
    this.#script = world.script
    this.forget()
    this.#marks.follow(world, this.#host.timeline())
  }
}

function requireSpeed(speed: number): void {
  if (!(speed >= 0.1 && speed <= 1000)) throw new SandboxError(`Failed to play at speed ${speed}: the speed must be from 0.1 to 1000.`)
}
