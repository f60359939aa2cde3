import { atCaller, describe, SandboxError } from '../errors.ts'
import { isFakeTimers, setFakeTimers } from './fake-timers.ts'
import type { FakeTimers } from './fake-timers.ts'
import { realTime, toEpochMs } from './real-time.ts'
import type { MomentInput } from './real-time.ts'
import type { DependencyTracker } from '../data/dependencies.ts'
import { latestMoment, parseDuration, parseInstant, toIso } from '../lib/time.ts'
import { finish, isWork } from './work.ts'
import type { Work } from './work.ts'

/**
 * What moves the time: only calls (`frozen`), real time at a rate (`running`), or a function or
 * fake timers (`follow`).
 */
export type ClockMode = 'frozen' | 'running' | 'follow'

/** The clock as JSON. */
export interface ClockState {
  now: string
  mode: ClockMode
  rate: number
}

/** The only source of time of a world. It moves forwards only; a reset of the sandbox goes back. */
export class Clock {
  #settings: ClockSettings
  /** The instant that `at` holds the time at. */
  #pinned: number | undefined
  readonly #onMove: () => Work | void
  readonly #tracker: DependencyTracker | undefined
  /** The real time at which the clock was held, epoch ms. */
  #heldAt: number | undefined

  constructor(
    start: number,
    { mode = 'frozen', rate = 1, onMove = () => {}, tracker }: ClockOptions = {},
  ) {
    this.#tracker = tracker
    this.#settings = {
      mode: 'frozen',
      rate: 1,
      base: start,
      realBase: 0,
      source: unfollowed,
      lead: 0,
      latest: start,
      until: latestMoment,
    }
    this.#onMove = onMove
    if (mode === 'running') this.#start(rate)
  }

  get mode(): ClockMode {
    return this.#settings.mode
  }

  /** Sandbox seconds per real second while the clock runs. */
  get rate(): number {
    return this.#settings.rate
  }

  /** The time, epoch ms. */
  now(): number {
    const now = this.#read()
    this.#tracker?.current?.noteTime(now, now + instantMs)
    return now
  }

  /**
   * Whether that time, epoch ms, is now or past. ViewCache ask this rather than `now`: what they show
   * holds until then. @internal
   */
  hasReached(instant: number): boolean {
    const isReached = this.#read() >= instant
    if (isReached) this.#tracker?.current?.noteTime(instant, Infinity)
    else this.#tracker?.current?.noteTime(-Infinity, instant)
    return isReached
  }

  /**
   * How many whole steps of so many ms lie between that time, epoch ms, and now. ViewCache ask this
   * rather than `now`. @internal
   */
  stepsSince(origin: number, stepMs: number): number {
    const steps = Math.floor((this.#read() - origin) / stepMs)
    this.#tracker?.current?.noteTime(origin + steps * stepMs, origin + (steps + 1) * stepMs)
    return steps
  }

  /**
   * The time, epoch ms, for a measure that only grows with it, or only shrinks, in steps, and stays
   * the same from `last` on. ViewCache ask this rather than `now`: what they show of the measure holds
   * until its next step. @internal
   */
  nowFor(measure: (now: number) => number, last: number): number {
    const now = this.#read()
    const reads = this.#tracker?.current
    if (reads === undefined) return now
    if (now >= last) {
      reads.noteTime(last, Infinity)
      return now
    }
    const value = measure(now)
    let [same, next] = [now, last]
    while (next - same > 1) {
      const middle = Math.floor((same + next) / 2)
      if (measure(middle) === value) same = middle
      else next = middle
    }
    reads.noteTime(now, next)
    return now
  }

  #read(): number {
    if (this.#pinned !== undefined) return this.#pinned
    const { mode, rate, base, realBase, until } = this.#settings
    if (mode === 'frozen') return base
    if (mode === 'follow') return this.#followed()
    return Math.min(base + Math.floor((this.#real() - realBase) * rate), until)
  }

  /** The time as RFC 3339. */
  iso(): string {
    return toIso(this.now())
  }

  /**
   * Moves the time on by milliseconds or by a duration such as `2h 1s`. What falls due on the way
   * happens.
   * @throws {SandboxError} on a malformed or negative duration.
   */
  advance(duration: string | number): void {
    try {
      finish(this.advancing(duration))
    } catch (error) {
      throw atCaller(error, this.advance)
    }
  }

  /** Does what `advance` does, in units. */
  *advancing(duration: string | number): Work {
    const ms = typeof duration === 'string' ? parseDuration(duration) : duration
    if (typeof ms !== 'number' || !(ms >= 0)) {
      throw new SandboxError(
        `Failed to advance the clock by ${describe(duration)}: it is no duration. Give ` +
          `milliseconds or a text such as '2h 1s'.`,
      )
    }
    yield* this.#moveTo(this.now() + ms)
  }

  /**
   * Moves the time to a later instant: RFC 3339, epoch ms, a `Date`, or `'now'`, the real time.
   * What falls due on the way happens.
   * @throws {SandboxError} when the instant is malformed or earlier than now.
   */
  set(instant: MomentInput): void {
    try {
      finish(this.setting(instant))
    } catch (error) {
      throw atCaller(error, this.set)
    }
  }

  /** Does what `set` does, in units. */
  *setting(instant: MomentInput): Work {
    const ms = toEpochMs(instant, realTime())
    if (ms === undefined || Number.isNaN(new Date(ms).getTime())) {
      throw new SandboxError(
        `Failed to set the clock to ${describe(instant)}: it is no instant. Give RFC 3339, such ` +
          `as '2026-10-01T09:00:00Z', ` +
          "epoch ms, a Date, or 'now'.",
      )
    }
    if (ms < this.now()) {
      throw new SandboxError(
        `Failed to set the clock to ${toIso(ms)}: it is past that (${this.iso()}). ` +
          'The clock only moves forwards; reset the sandbox to go back.',
      )
    }
    yield* this.#moveTo(ms)
  }

  /**
   * Lets real time pass unseen until the returned function is called: a world that is busy for long
   * does not fall behind.
   */
  hold(): () => void {
    if (this.#heldAt !== undefined) return () => {}
    this.#heldAt = Date.now()
    return () => {
      this.#settings.realBase += Date.now() - (this.#heldAt ?? 0)
      this.#heldAt = undefined
    }
  }

  /** Stops the time where it is. */
  freeze(): void {
    this.#settings.base = this.now()
    this.#settings.mode = 'frozen'
  }

  /**
   * Lets the time run with real time, and stops it at `until`, epoch ms.
   * @throws {SandboxError} when the rate is not a number above 0 and at most 1,000,000.
   */
  run(rate = 1, { until = latestMoment }: { until?: number } = {}): void {
    if (typeof rate !== 'number' || !(rate > 0 && rate <= 1_000_000))
      throw new SandboxError(
        `Failed to run the clock at rate ${describe(rate)}: the rate must be above 0 and at ` +
          `most 1,000,000.`,
      )
    if (typeof until !== 'number' || Number.isNaN(until))
      throw new SandboxError(
        `Failed to run the clock until ${describe(until)}: it is no instant. Give epoch ms.`,
      )
    this.#start(rate)
    this.#settings.until = Math.min(until, latestMoment)
  }

  /** Sets the rate that `state` reports while the clock stands. */
  keepRate(rate: number): void {
    this.#settings.rate = rate
  }

  /**
   * Moves the time on from within an effect that the clock fires. A stop that was set with `run`
   * moves along.
   */
  leap(ms: number): void {
    const settings = this.#settings
    if (settings.mode === 'follow') settings.lead += ms
    settings.base += ms
    if (settings.until < latestMoment) settings.until += ms
  }

  /**
   * Takes the time from the fake timers of a test runner, which are set once to the time of this
   * clock, or from a function, such as `() => Date.now()`. This ends with `freeze` or `run`, or
   * when a reset or a seek restores another mode. It also ends, with a `SandboxError` to who reads
   * the time, when the source throws, goes back or gives no number: the clock then stands at its
   * last time.
   * @throws {SandboxError} when it does so at once, when a function gives a time that is past for
   * this clock, and when the fake timers are not installed.
   * @example
   * vi.useFakeTimers()
   * sandbox.clock.follow(vi)
   */
  follow(source: FakeTimers | (() => number)): void {
    try {
      this.#follow(source)
    } catch (error) {
      throw atCaller(error, this.follow)
    }
  }

  #follow(source: FakeTimers | (() => number)): void {
    // Fake timers change the real time as well, by which a clock may run.
    const now = this.now()
    const followed = isFakeTimers(source)
      ? { name: 'the fake timers', read: setFakeTimers(source, now) }
      : toSource(source)
    const { time, problem, cause } = readSource(followed.read, now)
    if (problem !== undefined)
      throw new SandboxError(
        `Failed to follow ${followed.name}: ${problem}. The clock goes on as before; give it a ` +
          `later time first.`,
        {
          cause,
        },
      )
    this.#settings = { ...this.#settings, source: followed, mode: 'follow', lead: 0, latest: time }
    finish(this.#moved())
  }

  /**
   * Holds the time at an instant while `effect` runs, so that what fell due earlier sees the time
   * at which it fell due.
   */
  at(instant: number, effect: () => void): void {
    const outer = this.#pinned
    this.#pinned = instant
    try {
      effect()
    } finally {
      this.#pinned = outer
    }
  }

  /**
   * Keeps the settings of the clock. The returned function restores them; a running clock then
   * shows the time that has passed since.
   */
  checkpoint(): () => void {
    const kept = { ...this.#settings }
    return () => {
      this.#settings = { ...kept }
    }
  }

  /** The clock as JSON. */
  state(): ClockState {
    return { now: this.iso(), mode: this.mode, rate: this.rate }
  }

  /**
   * Goes back to a state. A state cannot hold what the clock followed: a clock that follows
   * something now keeps it, and any other clock stands still at the time of the state.
   */
  restore(state: ClockState): void {
    const settings = this.#settings
    if (state.mode === 'follow' && settings.mode === 'follow') return
    settings.base = parseInstant(state.now) ?? settings.base
    settings.mode = 'frozen'
    settings.rate = state.rate
    if (state.mode === 'running') this.#start(state.rate)
  }

  /** The time that the source gives. Where it gives none, the clock stands. */
  #followed(): number {
    const settings = this.#settings
    const { time, problem, cause } = readSource(
      settings.source.read,
      settings.latest,
      settings.lead,
    )
    if (problem === undefined) {
      settings.latest = time
      return time
    }
    settings.base = settings.latest
    settings.mode = 'frozen'
    throw new SandboxError(
      `Failed to follow ${settings.source.name} any longer: ${problem}. The clock stands at ` +
        `${toIso(settings.latest)} now; ` +
        'call clock.follow again.',
      { cause },
    )
  }

  #start(rate: number): void {
    this.#settings = {
      ...this.#settings,
      mode: 'running',
      rate,
      base: this.now(),
      realBase: this.#real(),
      until: latestMoment,
    }
  }

  /** The real time that a running clock follows. It stands while the clock is held. */
  #real(): number {
    return this.#heldAt ?? Date.now()
  }

  *#moveTo(instant: number): Work {
    if (this.mode === 'follow')
      throw new SandboxError(
        `Failed to move the clock: it follows ${this.#settings.source.name}. Move the time ` +
          `there, or freeze the clock first.`,
      )
    if (instant > latestMoment)
      throw new SandboxError(
        `Failed to move the clock to ${instant}: it is out of range. It ends at ` +
          `${toIso(latestMoment)}.`,
      )
    this.#settings.base = instant
    this.#settings.realBase = this.#real()
    // A call may move the clock beyond the stop that was set with `run`: the clock then stops
    // there.
    this.#settings.until = Math.max(this.#settings.until, instant)
    yield* this.#moved()
  }

  *#moved(): Work {
    const consequences = this.#onMove()
    if (isWork(consequences)) yield* consequences
  }
}

/** What a clock may be told when it is made. */
interface ClockOptions {
  mode?: 'frozen' | 'running'
  rate?: number
  onMove?: () => Work | void
  /** Is told what is read. */
  tracker?: DependencyTracker
}

/** How long an instant lasts, ms: less than the time to any other that can be read. */
const instantMs = 0.001

/** What a clock takes its time from. */
interface TimeSource {
  /** What errors call it. */
  name: string
  read: () => unknown
}

const unfollowed: TimeSource = { name: 'the real time', read: realTime }

/** @throws {SandboxError} when it is no function. */
function toSource(source: unknown): TimeSource {
  if (typeof source === 'function') return { name: 'the function', read: source as () => unknown }
  throw new SandboxError(
    `Failed to follow ${describe(source)}: it must be a function that returns epoch ms, such as ` +
      `() => Date.now(), or fake timers, ` +
      'such as vi, jest or the clock of sinon.',
  )
}

/** Reads what a clock follows: the time, and what is wrong with it. */
function readSource(
  source: () => unknown,
  latest: number,
  lead = 0,
): { time: number; problem?: string; cause?: unknown } {
  let read: unknown
  try {
    read = source()
  } catch (cause) {
    return {
      time: latest,
      problem: `it threw ${describe(cause instanceof Error ? cause.message : cause)}`,
      cause,
    }
  }
  if (typeof read !== 'number' || !Number.isFinite(read) || read < earliestFollowed)
    return { time: latest, problem: `it returned ${describe(read)}, which is no time in epoch ms` }
  const time = Math.min(read + lead, latestMoment)
  if (time >= latest) return { time }
  return {
    time: latest,
    problem:
      `it says ${toIso(time)}, and it is past that (${toIso(latest)}): a clock only ` +
      `moves forwards`,
  }
}

/** The earliest time that can be written, epoch ms. */
const earliestFollowed = Date.parse('0000-01-01T00:00:00.000Z')

/** Everything that the time of a clock depends on. */
interface ClockSettings {
  mode: ClockMode
  rate: number
  /** The sandbox time when the clock last changed its mode, rate or time, epoch ms. */
  base: number
  /** The real time at that moment, epoch ms. Only a running clock reads it. */
  realBase: number
  /** What the clock follows. */
  source: TimeSource
  /** How far the clock is ahead of what it follows, ms. */
  lead: number
  /** The last time that it gave, with the lead, epoch ms. */
  latest: number
  /** Where a running clock stops, epoch ms. */
  until: number
}
