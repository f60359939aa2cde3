import type { ClockState } from '../world/clock.ts'
import { toIsoTime } from '../lib/time.ts'
import { runToEnd } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import type { World } from '../resources/world.ts'
import type { ResolvedOptions } from './options.ts'
import { copyScenarioData, forkScenario } from './active-scenario.ts'
import type { ActiveScenario } from './active-scenario.ts'

/** A seeded state that is being advanced to the current time. Its clock is frozen. */
interface MovedState {
  active: ActiveScenario
  /** The world from which the seeded state was copied. */
  source: World
  /**
   * The work that remains while the state is being advanced. Each waiting world runs part of it.
   */
  move: Work | undefined
}

/**
 * Initial state of isolated worlds: the seeded state, advanced to the sandbox's current time. Each
 * new world gets a copy. The state is advanced further for each later world.
 */
export class WorldTemplate {
  readonly #options: ResolvedOptions
  #last: MovedState | undefined

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /**
   * Loads the scenario for a new world, whose clock then matches the sandbox's clock.
   *
   * @throws {SandboxError}
   */
  fork(present: ActiveScenario, id: string): ActiveScenario {
    const moved = runToEnd(this.#moveOn(present))
    return moved === undefined
      ? forkScenario(present, this.#options, { id, from: 'origin' })
      : runWithClockOf(present.world, moved.world, () => forkScenario(moved, this.#options, { id }))
  }

  /** True if the clock has not moved since its start. */
  isAtStart({ world }: ActiveScenario): boolean {
    return isSameClock(world.clock.state(), world.origin.state.clock)
  }

  /** Copies the data of `fork` in slices into a scenario that is in the seeded state. */
  *becoming(active: ActiveScenario, present: ActiveScenario): Work {
    const moved = yield* this.#moveOn(present)
    if (moved !== undefined)
      runWithClockOf(present.world, moved.world, () => copyScenarioData(active, moved))
  }

  /** Releases the data. Called when the sandbox is closed or its data is replaced. */
  clear(): void {
    this.#last?.active.world.release()
    this.#last = undefined
  }

  /**
   * Advances the seeded state to the current time. Returns undefined if the clock has not moved
   * since its start.
   */
  *#moveOn(present: ActiveScenario): Work<ActiveScenario | undefined> {
    const { world } = present
    if (this.isAtStart(present)) return undefined
    const moved = this.#earlier(world) ?? this.#start(present)
    const { clock } = moved.active.world
    const now = world.clock.now()
    while (moved.move !== undefined || clock.now() < now) {
      moved.move ??= advanceTo(moved.active.world, now)
      if (moved.move.next().done === true) moved.move = undefined
      yield
    }
    return moved.active
  }

  #earlier(world: World): MovedState | undefined {
    const last = this.#last
    // Discards the state if a reset or seek has moved the sandbox's clock back in the meantime.
    return last?.source === world && last.active.world.clock.now() <= world.clock.now()
      ? last
      : undefined
  }

  #start(present: ActiveScenario): MovedState {
    this.clear()
    const active = forkScenario(present, this.#options, { from: 'origin' })
    const { clock } = active.world
    clock.restore({ ...clock.state(), mode: 'frozen' })
    this.#last = { active, source: present.world, move: undefined }
    return this.#last
  }
}

/**
 * Runs a job while a world's clock temporarily has the mode and rate of another clock. If the
 * world's clock is behind, it is first moved to the time of the other clock.
 */
function runWithClockOf<Result>(other: World, { clock }: World, job: () => Result): Result {
  const before = clock.state()
  clock.restore({
    ...other.clock.state(),
    now: toIsoTime(Math.max(clock.now(), other.clock.now())),
  })
  try {
    return job()
  } finally {
    clock.restore(before)
  }
}

function isSameClock(a: ClockState, b: ClockState): boolean {
  return a.now === b.now && a.mode === b.mode && a.rate === b.rate
}

/**
 * Advances a world to a time, epoch ms. Repeats until the time is reached, because story steps may
 * skip time.
 */
function* advanceTo(world: World, instant: number): Work {
  const { clock } = world
  while (clock.now() < instant) {
    const next = world.timeline.next(world)?.at ?? instant
    yield* clock.setting(Math.min(instant, Math.max(next, clock.now() + 1)))
  }
}
