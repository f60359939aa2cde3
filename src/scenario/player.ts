import { z } from 'zod'
import type { Timeline } from '../world/timeline.ts'
import type { Work } from '../world/work.ts'
import { quoteText, SandboxError } from '../errors.ts'
import type { World } from '../resources/world.ts'
import { resolvePosition } from './resolve-position.ts'
import { StorySnapshots } from './story-snapshots.ts'
import { FigureHistory } from './watched-figure.ts'
import type { FigureSeries, Watch, WatchedFigure } from './watched-figure.ts'
import type { StoryClient } from './story-client.ts'
import type { ScenarioTimeline } from './expand-timeline.ts'

/** State of a story. Story times are in ms since the start of the story. */
export interface ReplayState {
  /** `idle`: the story is at its start, or there is no story. */
  status: 'idle' | 'playing' | 'paused' | 'ended'
  at_ms: number
  duration_ms: number
  chapter: string | null
  /** Sandbox seconds per real second. */
  speed: number
  /** The next step to be played. Null at the end of the story. */
  next: { at_ms: number; types: string[] } | null
  chapters: { name: string; at_ms: number }[]
  /** Latest caption, if any. */
  caption: string | null
  loop: boolean
  /** Story time at which the story stops, ms. Null if it plays to the end. */
  until_ms: number | null
  /** Errors of failed steps, newest last. */
  problems: string[]
  /** Description of the changes that the last rewind dropped. */
  warning: string | null
  /** The figures that the scenario watches, with their current values. */
  watch: WatchedFigure[]
}

/**
 * A summary of a story and its watched values. Story times are in ms since the start of the story.
 */
export interface StorySummary {
  title: string
  description: string
  duration_ms: number
  chapters: ReplayState['chapters']
  watch: FigureSeries[]
}

/** Options for playing a story. */
export const PlayOptions = z.lazy(() =>
  z
    .strictObject({
      until: z
        .string()
        .optional()
        .describe('Where to stop, in the same formats as for `seek`. Default: the end.'),
      speed: z
        .number()
        .min(0.1)
        .max(1000)
        .optional()
        .describe('Story seconds per real second, 0.1 to 1,000. Default: play immediately.'),
      loop: z.boolean().optional().describe('Restart the story when it ends. Requires `speed`.'),
    })
    .refine(({ loop, speed }) => loop !== true || speed !== undefined, {
      path: ['loop'],
      error: 'it needs speed',
    }),
)
export type PlayOptions = z.infer<typeof PlayOptions>

/** The parts of a scenario that describe its story. */
export interface StoryHeader {
  title: string
  description: string
  watch: readonly Watch[]
  /** The client that lives through the story on the stage. */
  client?: StoryClient | undefined
}

/** The world and the story of a player. Both change when another scenario is loaded. */
export interface PlayerHost {
  world: () => World
  timeline: () => ScenarioTimeline
  header: () => StoryHeader
  /** Called after a rewind to a story time, ms. */
  onRewind: (atMs: number) => void
  /** Runs steps that become due while the story plays in real time. */
  run: (work: () => Work) => void
}

/** Maximum interval between two checks of the clock, ms of real time. */
const maxPauseMs = 1_000

/** Plays the story of a scenario. Story time follows the clock of the world. */
export class Player {
  readonly #host: PlayerHost
  /** The timeline of the world that the player follows. */
  #playback: Timeline | undefined
  readonly #snapshots = new StorySnapshots()
  readonly #history = new FigureHistory()
  #loop = false
  #until: number | undefined
  #speed = 1
  #timer: ReturnType<typeof setTimeout> | undefined
  #warning: string | null = null
  #waiting: (() => void)[] = []

  constructor(host: PlayerHost) {
    this.#host = host
  }

  /** Returns the state of the story. */
  state(): ReplayState {
    const { world, timeline, playback } = this.#now()
    world.runDueEffects()
    const { steps, chapters, durationMs } = timeline
    const at = this.at()
    const status = this.#status()
    const next = steps.at(playback.position)
    return {
      status,
      at_ms: Math.min(at, durationMs),
      duration_ms: durationMs,
      chapter:
        chapters.findLast(({ atMs }) => atMs < at || (atMs === at && playback.position > 0))
          ?.name ?? null,
      // On a server, the clock runs at its normal rate after the end of the story.
      speed: status === 'playing' ? world.clock.rate : this.#speed,
      next:
        next === undefined
          ? null
          : {
              at_ms: next.atMs,
              types: [
                ...next.actions.map(({ type }) => type),
                ...(next.request === undefined ? [] : ['request']),
              ],
            },
      chapters: chapters.map(({ name, atMs }) => ({ name, at_ms: atMs })),
      caption: steps.at(playback.position - 1)?.caption ?? null,
      loop: this.#loop,
      until_ms: this.#until ?? null,
      problems: [...playback.problems],
      warning: this.#warning,
      watch: this.#history.readNow(world, this.#host.header().watch),
    }
  }

  /** Summarises the story and its watched values up to now. */
  summary(): StorySummary {
    const { world, timeline } = this.#now()
    world.runDueEffects()
    const { title, description, watch } = this.#host.header()
    return {
      title,
      description,
      duration_ms: timeline.durationMs,
      chapters: timeline.chapters.map(({ name, atMs }) => ({ name, at_ms: atMs })),
      watch: this.#history.read(world, watch, Math.min(this.at(), timeline.durationMs)),
    }
  }

  /**
   * Plays in real time from the current position, or from the start if the story has ended. The
   * promise resolves when the story stops.
   * @throws {SandboxError}
   */
  play({ until, speed = 1, loop = false }: PlayOptions = {}): Promise<void> {
    const { world, timeline, playback } = this.#story()
    requireSpeed(speed)
    const target = until === undefined ? undefined : this.#findPosition(until)
    if (playback.position >= timeline.steps.length) this.#back(0)
    world.runDueEffects()
    this.#requireAhead(target, until)
    this.#loop = loop
    this.#until = target
    this.#run(speed)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /**
   * Plays from the current position to the end, or to `until`, without delays. Never rewinds, so no
   * changes are dropped.
   * @throws {SandboxError} if `until` is in the past
   */
  *playAtOnce(until?: string): Work {
    const { world, timeline } = this.#story()
    yield* world.dueEffects()
    const target = until === undefined ? timeline.durationMs : this.#findPosition(until)
    if (until !== undefined) this.#requireAhead(target, until)
    if (target <= this.at()) return
    this.#until = undefined
    this.#loop = false
    yield* this.#goTo(target)
  }

  /** Pauses the story. */
  pause(): void {
    const { world } = this.#story()
    world.runDueEffects()
    this.#stopClock(world)
    this.#stopTimer()
  }

  /** Plays the next step and stops. */
  *step(): Work {
    const { world, timeline, playback } = this.#story()
    this.pause()
    const next = timeline.steps.at(playback.position)
    if (next !== undefined)
      yield* world.clock.setting(Math.max(world.clock.now(), world.options.start + next.clockMs))
  }

  /**
   * Moves the story to a position: relative to the current one (`'+2m'` or `'-30s'`), a time after
   * the start (`'2m'`), an RFC 3339 time, or a chapter. A rewind restores the nearest earlier
   * snapshot, which drops later writes by clients. `warning` reports the dropped writes. If the
   * story was playing, it continues to play.
   */
  *seek(to: string): Work {
    this.#story()
    yield* this.#goTo(this.#findPosition(to))
  }

  /** Sets the speed in story seconds per real second, from 0.1 to 1,000. */
  speed(speed: number): void {
    const { world } = this.#story()
    requireSpeed(speed)
    world.runDueEffects()
    this.#speed = speed
    if (world.clock.mode === 'running') this.#run(speed)
  }

  /** Returns to the start of the story and stops. */
  stop(): void {
    const { world } = this.#story()
    // Does not play due steps, because the world returns to the start.
    this.#stopClock(world)
    this.#stopTimer()
    this.#loop = false
    this.#until = undefined
    this.#back(0)
    this.#warning = null
  }

  /**
   * Discards the story's snapshots and the player's settings. Called when the world is reset,
   * restored, replaced or removed.
   */
  clear(): void {
    this.#stopTimer()
    this.#snapshots.clear()
    this.#history.dropFrom(0)
    this.#until = undefined
    this.#loop = false
    this.#warning = null
  }

  /** True if a caller of `play` is waiting for the story to stop. */
  get hasWaiters(): boolean {
    return this.#waiting.length > 0
  }

  /** Stops permanently and releases the world. */
  close(): void {
    this.clear()
    this.#playback = undefined
  }

  /** Elapsed story time, ms. It keeps increasing after the last step. */
  at(): number {
    const { world, playback } = this.#now()
    return playback.elapsed(world)
  }

  #status(): ReplayState['status'] {
    const { world, timeline, playback } = this.#now()
    if (timeline.steps.length === 0) return 'idle'
    if (playback.position >= timeline.steps.length) return 'ended'
    if (world.clock.mode !== 'frozen') return 'playing'
    return this.at() === 0 ? 'idle' : 'paused'
  }

  *#goTo(target: number): Work {
    const { world } = this.#now()
    const speed = world.clock.mode === 'running' ? world.clock.rate : undefined
    yield* world.dueEffects()
    this.#stopClock(world)
    this.#warning = null
    if (target < this.at()) this.#back(target)
    yield* world.clock.advancing(Math.max(0, target - this.at()))
    if (speed !== undefined) this.#run(speed)
  }

  #requireAhead(target: number | undefined, until: string | undefined): void {
    if (target === undefined || target >= this.at()) return
    throw new SandboxError(
      `Failed to play until ${quoteText(until ?? '', 80)}: the story is already past this ` +
        `position, at ${this.at() / 1000} s. Seek back first.`,
    )
  }

  #back(target: number): void {
    const { world } = this.#now()
    const from = world.clock.iso()
    const nearest = this.#snapshots.rewindTo(target)
    const writesBefore = world.journal.writes
    const { state, ...rest } = nearest?.snapshot ?? world.beginning
    world.restore({
      ...rest,
      state: {
        ...state,
        clock: { ...state.clock, mode: 'frozen', rate: world.options.clock.rate },
      },
    })
    this.#host.onRewind(nearest?.atMs ?? 0)
    this.#history.restart(world, this.#host.header().watch, nearest?.atMs ?? 0)
    this.#warning =
      `Moved back from ${from} to ${world.clock.iso()}. ` +
      `${describeDropped(writesBefore - world.journal.writes)}`
  }

  /**
   * Stops the clock and restores its rate, because the player's speed is not part of the world's
   * state.
   */
  #stopClock({ clock, options }: World): void {
    clock.freeze()
    clock.setFrozenRate(options.clock.rate)
  }

  #run(speed: number): void {
    const { world, timeline } = this.#now()
    this.#speed = speed
    const stop = this.#until ?? timeline.durationMs
    // A running clock could pass on between the two reads below, and would then end too early.
    world.clock.freeze()
    // The clock's end time is moved by the same amount if the story skips time.
    world.clock.run(speed, { until: world.clock.now() + Math.max(0, stop - this.at()) })
    this.#schedule()
  }

  /** Sets the timer for the next step. */
  #schedule(): void {
    this.#stopTimer(false)
    const { world, timeline, playback } = this.#now()
    const next = Math.min(
      timeline.steps.at(playback.position)?.atMs ?? Infinity,
      this.#until ?? timeline.durationMs,
    )
    const ms = Math.min(maxPauseMs, Math.max(1, Math.ceil((next - this.at()) / world.clock.rate)))
    this.#timer = setTimeout(() => this.#host.run(() => this.#playDue(playback)), ms)
    // Timers are numbers in browsers. In Node.js, the timer must not keep the process alive.
    const { unref } = this.#timer as { unref?: () => void }
    unref?.call(this.#timer)
  }

  /**
   * Plays due steps. At the end of the story, stops or starts again. Does nothing if the story was
   * replaced or the sandbox was closed in the meantime.
   */
  *#playDue(planned: Timeline): Work {
    if (this.#playback !== planned) return
    const { world, timeline, playback } = this.#now()
    if (playback !== planned) return
    if (world.clock.mode !== 'running') return this.#stopTimer()
    yield* world.dueEffects()
    if (this.#playback !== planned) return
    const stop = this.#until ?? timeline.durationMs
    if (this.at() < stop) return this.#schedule()
    if (this.#until === undefined && this.#loop) {
      const { rate } = world.clock
      this.#back(0)
      this.#warning = null
      return this.#run(rate)
    }
    this.#stopClock(world)
    const { mode, rate } = world.options.clock
    // On a server, restarts the clock after the story, because rate limits depend on the clock.
    if (this.#until === undefined && mode === 'running') world.clock.run(rate)
    this.#stopTimer()
  }

  #stopTimer(isOver = true): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (isOver) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Converts a position to story time, ms. @throws {SandboxError} */
  #findPosition(to: string): number {
    const { timeline, world } = this.#now()
    return resolvePosition(timeline, to, { at: this.at(), start: world.options.start })
  }

  #story(): { world: World; timeline: ScenarioTimeline; playback: Timeline } {
    const now = this.#now()
    if (now.timeline.steps.length === 0)
      throw new SandboxError(
        'Failed to play: the scenario has no timeline. Load a scenario that has a timeline.',
      )
    return now
  }

  #now(): { world: World; timeline: ScenarioTimeline; playback: Timeline } {
    const world = this.#host.world()
    if (this.#playback !== world.timeline) this.#attach(world)
    return { world, timeline: this.#host.timeline(), playback: world.timeline }
  }

  /** Switches to another world and starts to take snapshots of it. */
  #attach(world: World): void {
    this.#playback = world.timeline
    this.clear()
    this.#snapshots.follow(world, this.#host.timeline())
    this.#history.follow(world, this.#host.timeline(), this.#host.header().watch)
  }
}

function describeDropped(writes: number): string {
  if (writes === 0) return 'No client writes were dropped.'
  return writes === 1
    ? '1 later write of clients was dropped.'
    : `${writes} later client writes were dropped.`
}

function requireSpeed(speed: number): void {
  if (!(speed >= 0.1 && speed <= 1000))
    throw new SandboxError(`Failed to play at speed ${speed}: the speed must be from 0.1 to 1000.`)
}
