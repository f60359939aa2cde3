import { SandboxError } from '../errors.ts'
import { latestMoment, parseDuration, parseInstant, toIso } from './time.ts'

/** Where the sandbox's time comes from: a hand that moves it, real time at a rate, or a function. */
export type ClockMode = 'frozen' | 'running' | 'follow'

/** The clock as JSON. */
export interface ClockState {
  now: string
  mode: ClockMode
  rate: number
}

/** The one source of time of a world. It only moves forwards; a reset of the sandbox is the way back. */
export class Clock {
  #mode: ClockMode
  #rate = 1
  /** The time when the clock last changed its mode, rate or time. */
  #base: number
  /** What the real clock said at that moment; only a running clock looks at it. */
  #realBase = 0
  #source: () => number = Date.now
  /** How far a clock that follows a function is ahead of it, ms. */
  #lead = 0
  /** Where a running clock stops, epoch ms. */
  #until = latestMoment
  #pinned: number | undefined
  readonly #onMove: () => void

  constructor(
    start: number,
    { mode = 'frozen', rate = 1, onMove = () => {} }: { mode?: 'frozen' | 'running'; rate?: number; onMove?: () => void } = {},
  ) {
    this.#base = start
    this.#mode = 'frozen'
    this.#onMove = onMove
    if (mode === 'running') this.#start(rate)
    this.#mode = mode
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Sandbox seconds per real second while running. */
  get rate(): number {
    return this.#rate
  }

  /** The time, epoch ms. */
  now(): number {
    if (this.#pinned !== undefined) return this.#pinned
    if (this.#mode === 'frozen') return this.#base
    if (this.#mode === 'follow') return Math.min(this.#source() + this.#lead, latestMoment)
    return Math.min(this.#base + Math.floor((Date.now() - this.#realBase) * this.#rate), this.#until)
  }

  /** The time as RFC 3339. */
  iso(): string {
    return toIso(this.now())
  }

  /** Moves the time on by ms or by a duration such as `2h 1s`, firing what falls due. @throws {SandboxError} on a malformed or negative duration. */
  advance(duration: string | number): void {
    const ms = typeof duration === 'number' ? duration : parseDuration(duration)
    if (ms === undefined || !(ms >= 0)) {
      throw new SandboxError(
        `Failed to advance the clock by ${JSON.stringify(duration)}: it is no duration. Give milliseconds or a text such as '2h 1s'.`,
      )
    }
    this.#moveTo(this.now() + ms)
  }

  /** Moves the time to a later instant (RFC 3339, or epoch ms), firing what falls due. @throws {SandboxError} when it is malformed or earlier. */
  set(instant: string | number): void {
    const ms = typeof instant === 'number' ? instant : parseInstant(instant)
    if (ms === undefined || Number.isNaN(new Date(ms).getTime())) {
      throw new SandboxError(
        `Failed to set the clock to ${JSON.stringify(instant)}: it is no instant. Give RFC 3339, such as '2026-10-01T09:00:00Z'.`,
      )
    }
    if (ms < this.now()) {
      throw new SandboxError(
        `Failed to set the clock to ${toIso(ms)}: it is past that (${this.iso()}). The clock only moves forwards; reset the sandbox to go back.`,
      )
    }
    this.#moveTo(ms)
  }

  /** Stops the time where it is. */
  freeze(): void {
    this.#base = this.now()
    this.#mode = 'frozen'
  }

  /** Lets the time run with real time, and stand once it is `until` (epoch ms). @throws {SandboxError} when the rate is not above 0 and at most 1,000,000. */
  run(rate = 1, { until = latestMoment }: { until?: number } = {}): void {
    if (!(rate > 0 && rate <= 1_000_000))
      throw new SandboxError(`Failed to run the clock at rate ${rate}: the rate must be above 0 and at most 1,000,000.`)
    this.#start(rate)
    this.#until = Math.min(until, latestMoment)
  }

  /** Sets the rate of a clock that stands, for when it runs. */
  keepRate(rate: number): void {
    this.#rate = rate
  }

  /** Moves the time on by ms from within what it fires: all that is still to come moves with it. */
  leap(ms: number): void {
    if (this.#mode === 'follow') this.#lead += ms
    this.#base += ms
    if (this.#until < latestMoment) this.#until += ms
  }

  /** Takes the time from a function, such as `Date.now` under a test runner's fake timers, until it is frozen or run, or a reset or a seek takes it elsewhere. */
  follow(source: () => number): void {
    this.#source = source
    this.#lead = 0
    this.#mode = 'follow'
    this.#onMove()
  }

  /** Holds the time at that instant while `effect` runs: how what fell due earlier sees its own time. */
  at(instant: number, effect: () => void): void {
    const outer = this.#pinned
    this.#pinned = instant
    try {
      effect()
    } finally {
      this.#pinned = outer
    }
  }

  /** Keeps the clock as it is; the function that it returns puts it back, on time where it runs. */
  checkpoint(): () => void {
    const [mode, rate, base, realBase, until, source, lead] = [
      this.#mode,
      this.#rate,
      this.#base,
      this.#realBase,
      this.#until,
      this.#source,
      this.#lead,
    ]
    return () => {
      this.#mode = mode
      this.#rate = rate
      this.#base = base
      this.#realBase = realBase
      this.#until = until
      this.#source = source
      this.#lead = lead
    }
  }

  /** The clock as JSON. */
  state(): ClockState {
    return { now: this.iso(), mode: this.#mode, rate: this.#rate }
  }

  /** Goes back to a state; of a function only the clock that follows it now knows, any other is frozen there. */
  restore(state: ClockState): void {
    if (state.mode === 'follow' && this.#mode === 'follow') return
    this.#base = parseInstant(state.now) ?? this.#base
    this.#mode = 'frozen'
    this.#rate = state.rate
    if (state.mode === 'running') this.#start(state.rate)
  }

  #start(rate: number): void {
    this.#base = this.now()
    this.#realBase = Date.now()
    this.#rate = rate
    this.#until = latestMoment
    this.#mode = 'running'
  }

  #moveTo(instant: number): void {
    if (this.#mode === 'follow')
      throw new SandboxError('Failed to move the clock: it follows a function. Move that instead, or freeze the clock first.')
    if (instant > latestMoment)
      throw new SandboxError(`Failed to move the clock to ${instant}: it is out of range. It ends at ${toIso(latestMoment)}.`)
    this.#base = instant
    this.#realBase = Date.now()
    // A hand may move it beyond where it was to stand: there it stands.
    this.#until = Math.max(this.#until, instant)
    this.#onMove()
  }
}
