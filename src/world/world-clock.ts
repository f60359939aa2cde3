import type { DependencyTracker } from '../data/dependencies.ts'
import { trimStackToCaller, describeValue, SandboxError } from '../errors.ts'
import { durationForms, latestTime, parseDuration, parseRfc3339, toIsoTime } from '../lib/time.ts'
import type { Clock, ClockMode, ClockState } from './clock.ts'
import type { FakeTimers, TimeSource } from './fake-timers.ts'
import { getRealTime, parseEpochMs } from './real-time.ts'
import type { MomentInput } from './real-time.ts'
import { readTimeSource, realTimeSource, toTimeSource } from './fake-timers.ts'
import { runToEnd } from './work.ts'
import type { Work } from './work.ts'

interface WorldClockOptions {
  mode?: 'frozen' | 'running'
  rate?: number
  /** Runs the effects that are due. Called each time the clock moves. */
  onMove?: () => Work
  /** Tracks which values read the time. */
  tracker?: DependencyTracker
}

/** Settings that determine the time of a clock. */
interface ClockSettings {
  mode: ClockMode
  rate: number
  /** Sandbox time when the mode, rate or time of the clock was last changed, epoch ms. */
  base: number
  /** Real time at `base`, epoch ms. Used only while the clock is running. */
  realBase: number
  /** Used only while the mode is `follow`. */
  source: TimeSource
  /** Offset that is added to the time of the source, ms. */
  leadMs: number
  /** The latest time of the source, including `leadMs`, epoch ms. */
  latest: number
  /** Time when a running clock stops, epoch ms. */
  until: number
}

/** The clock of a world: the public interface, and methods for internal use. */
export class WorldClock implements Clock {
  #settings: ClockSettings
  /** The fixed time while `at` is running an effect, epoch ms. */
  #pinned: number | undefined
  /** Real time at which `hold` was called, epoch ms. */
  #heldAt: number | undefined
  readonly #onMove: (() => Work) | undefined
  readonly #tracker: DependencyTracker | undefined

  constructor(
    start: number,
    { mode = 'frozen', rate = 1, onMove, tracker }: WorldClockOptions = {},
  ) {
    this.#onMove = onMove
    this.#tracker = tracker
    this.#settings = {
      mode: 'frozen',
      rate: 1,
      base: start,
      realBase: 0,
      source: realTimeSource,
      leadMs: 0,
      latest: start,
      until: latestTime,
    }
    if (mode === 'running') this.#start(rate)
  }

  get mode(): ClockMode {
    return this.#settings.mode
  }

  get rate(): number {
    return this.#settings.rate
  }

  now(): number {
    const now = this.untrackedNow()
    this.#tracker?.current?.addTime(now, now + resolutionMs)
    return now
  }

  /** Returns the time, epoch ms. A cached view does not depend on this read. */
  untrackedNow(): number {
    if (this.#pinned !== undefined) return this.#pinned
    const { mode, rate, base, realBase, until } = this.#settings
    if (mode === 'frozen') return base
    if (mode === 'follow') return this.#readSource()
    return Math.min(base + Math.floor((this.#realNow() - realBase) * rate), until)
  }

  /**
   * True if a time, epoch ms, has been reached. If a view calls this instead of `now`, it stays
   * cached until that time.
   */
  hasReached(time: number): boolean {
    const isReached = this.untrackedNow() >= time
    if (isReached) this.#tracker?.current?.addTime(time, Infinity)
    else this.#tracker?.current?.addTime(-Infinity, time)
    return isReached
  }

  /**
   * Returns the number of whole steps of `stepMs` between `origin`, epoch ms, and now. If a view
   * calls this instead of `now`, it stays cached until the next step.
   */
  stepsSince(origin: number, stepMs: number): number {
    const steps = Math.floor((this.untrackedNow() - origin) / stepMs)
    this.#tracker?.current?.addTime(origin + steps * stepMs, origin + (steps + 1) * stepMs)
    return steps
  }

  /**
   * Returns the time, epoch ms, for a view that uses the time only in `measure`. `measure` must be
   * a step function that is constant from `last` onwards. The view stays cached until the next
   * step.
   */
  nowFor(measure: (now: number) => number, last: number): number {
    const now = this.untrackedNow()
    const dependencies = this.#tracker?.current
    if (dependencies === undefined) return now
    if (now >= last) dependencies.addTime(last, Infinity)
    else dependencies.addTime(now, findNextChange(measure, now, last))
    return now
  }

  iso(): string {
    return toIsoTime(this.now())
  }

  advance(duration: string | number): void {
    try {
      runToEnd(this.advancing(duration))
    } catch (error) {
      throw trimStackToCaller(error, this.advance)
    }
  }

  /** Like `advance`, as `Work`. */
  *advancing(duration: string | number): Work {
    const ms = typeof duration === 'string' ? parseDuration(duration) : duration
    if (typeof ms !== 'number' || !(ms >= 0)) {
      throw new SandboxError(
        `Failed to advance the clock by ${describeValue(duration)}: it is not a valid duration. ` +
          `Use milliseconds, or a duration such as ${durationForms}.`,
      )
    }
    yield* this.#moveTo(this.now() + ms)
  }

  set(time: MomentInput): void {
    try {
      runToEnd(this.setting(time))
    } catch (error) {
      throw trimStackToCaller(error, this.set)
    }
  }

  /** Like `set`, as `Work`. */
  *setting(time: MomentInput): Work {
    const ms = parseEpochMs(time, getRealTime())
    if (ms === undefined || Number.isNaN(new Date(ms).getTime())) {
      throw new SandboxError(
        `Failed to set the clock to ${describeValue(time)}: it is not a valid time. Use RFC 3339, ` +
          `such as '2026-10-01T09:00:00Z', epoch ms, a Date, or 'now'.`,
      )
    }
    if (ms < this.now()) {
      throw new SandboxError(
        `Failed to set the clock to ${toIsoTime(ms)}: that is in the past (now is ` +
          `${this.iso()}). The clock only moves forwards. To go back, reset the sandbox.`,
      )
    }
    yield* this.#moveTo(ms)
  }

  /**
   * Stops a running clock until the returned function is called. Otherwise, in a busy world, the
   * clock could run ahead of the effects.
   */
  hold(): () => void {
    if (this.#heldAt !== undefined) return () => {}
    this.#heldAt = getRealTime()
    return () => {
      this.#settings.realBase += getRealTime() - (this.#heldAt ?? 0)
      this.#heldAt = undefined
    }
  }

  /** Runs a function while no time passes, unless the function itself moves the clock. */
  pauseDuring<Result>(run: () => Result): Result {
    const { source, leadMs } = this.#settings
    const sourceTime = this.untrackedNow() - leadMs
    const heldAt = this.#heldAt
    this.#heldAt ??= getRealTime()
    this.#settings.source = { ...source, read: () => sourceTime }
    try {
      return run()
    } finally {
      this.#heldAt = heldAt
      this.#settings.source = source
    }
  }

  freeze(): void {
    this.#settings.base = this.now()
    this.#settings.mode = 'frozen'
  }

  run(rate = 1, { until = latestTime }: { until?: number } = {}): void {
    if (typeof rate !== 'number' || !(rate > 0 && rate <= 1_000_000))
      throw new SandboxError(
        `Failed to run the clock at rate ${describeValue(rate)}: the rate must be above 0 and at ` +
          'most 1,000,000.',
      )
    if (typeof until !== 'number' || Number.isNaN(until))
      throw new SandboxError(
        `Failed to run the clock until ${describeValue(until)}: it is not a valid time. Use epoch ms.`,
      )
    if (until < this.now())
      throw new SandboxError(
        `Failed to run the clock until ${until}: that is in the past (now is ${this.iso()}, ` +
          `${this.now()}).`,
      )
    this.#start(rate)
    this.#settings.until = Math.min(until, latestTime)
  }

  /** Sets the rate that `state` returns while the clock is frozen. */
  setFrozenRate(rate: number): void {
    this.#settings.rate = rate
  }

  /** Skips time during an effect. Also moves the end time set by `run`. */
  leap(ms: number): void {
    const settings = this.#settings
    if (settings.mode === 'follow') settings.leadMs += ms
    settings.base += ms
    if (settings.until < latestTime) settings.until += ms
  }

  follow(source: FakeTimers | (() => number)): void {
    try {
      this.#follow(source)
    } catch (error) {
      throw trimStackToCaller(error, this.follow)
    }
  }

  /** Runs an effect while the clock is fixed at the time when the effect was due, epoch ms. */
  at(time: number, effect: () => void): void {
    const outer = this.#pinned
    this.#pinned = time
    try {
      effect()
    } finally {
      this.#pinned = outer
    }
  }

  /**
   * Saves the settings of the clock. The returned function restores them. A running clock then also
   * includes the time that has passed since the settings were saved.
   */
  checkpoint(): () => void {
    const saved = { ...this.#settings }
    return () => {
      this.#settings = { ...saved }
    }
  }

  state(): ClockState {
    return { now: this.iso(), mode: this.mode, rate: this.rate }
  }

  /**
   * Restores a state. The state does not contain the time source of a `follow` clock. So a clock
   * that already follows a source keeps following it, and any other clock is frozen at the time of
   * the state.
   */
  restore(state: ClockState): void {
    const settings = this.#settings
    if (state.mode === 'follow' && settings.mode === 'follow') return
    settings.base = parseRfc3339(state.now) ?? settings.base
    settings.mode = 'frozen'
    settings.rate = state.rate
    if (state.mode === 'running') this.#start(state.rate)
  }

  #follow(given: unknown): void {
    // Fake timers also replace the real time that a running clock reads, so the clock is read
    // first.
    const now = this.now()
    const source = toTimeSource(given, now)
    const { time, problem, cause } = readTimeSource(source, now)
    if (problem !== undefined)
      throw new SandboxError(
        `Failed to follow ${source.name}: ${problem}. The clock is unchanged. Set the source to ` +
          'a later time first.',
        { cause },
      )
    this.#settings = { ...this.#settings, source, mode: 'follow', leadMs: 0, latest: time }
    if (this.#onMove !== undefined) runToEnd(this.#onMove())
  }

  /** Reads the time from the source. If the source fails, freezes the clock and throws. */
  #readSource(): number {
    const settings = this.#settings
    const { source, latest, leadMs } = settings
    const { time, problem, cause } = readTimeSource(source, latest, leadMs)
    if (problem === undefined) {
      settings.latest = time
      return time
    }
    settings.base = latest
    settings.mode = 'frozen'
    throw new SandboxError(
      `Failed to read the time from ${source.name}: ${problem}. The clock is now ` +
        `frozen at ${toIsoTime(latest)}. To continue, call clock.follow again.`,
      { cause },
    )
  }

  #start(rate: number): void {
    this.#settings = {
      ...this.#settings,
      mode: 'running',
      rate,
      base: this.now(),
      realBase: this.#realNow(),
      until: latestTime,
    }
  }

  /** Returns the real time, epoch ms. It is constant while the clock is held. */
  #realNow(): number {
    return this.#heldAt ?? getRealTime()
  }

  *#moveTo(time: number): Work {
    if (this.mode === 'follow')
      throw new SandboxError(
        `Failed to move the clock: it follows ${this.#settings.source.name}. Change the time ` +
          'there, or freeze the clock first.',
      )
    if (time > latestTime)
      throw new SandboxError(
        `Failed to move the clock to ${time}: the latest time is ${toIsoTime(latestTime)} ` +
          `(${latestTime}).`,
      )
    this.#settings.base = time
    this.#settings.realBase = this.#realNow()
    // If the clock moves beyond the end time set by `run`, it stops there.
    this.#settings.until = Math.max(this.#settings.until, time)
    if (this.#onMove !== undefined) yield* this.#onMove()
  }
}

/**
 * Duration for which a read of the time stays valid, ms. It must be less than the clock's
 * resolution.
 */
const resolutionMs = 0.001

/**
 * Returns the first time after `now` at which `measure` changes, or `last` if there is none. Epoch
 * ms.
 */
function findNextChange(measure: (now: number) => number, now: number, last: number): number {
  const value = measure(now)
  let [same, next] = [now, last]
  while (next - same > 1) {
    const middle = Math.floor((same + next) / 2)
    if (measure(middle) === value) same = middle
    else next = middle
  }
  return next
}
