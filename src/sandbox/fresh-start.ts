import type { ClockState } from '../world/clock.ts'
import { toIso } from '../lib/time.ts'
import { finish } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import type { World } from '../resources/world.ts'
import type { ResolvedOptions } from './options.ts'
import { forkScenario, joinScenario } from './loaded-scenario.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/** The seeded state on its way to the present time. Its clock stands. */
interface Moved {
  loaded: LoadedScenario
  /** The world that it is the seeded state of. */
  of: World
  /** The way to go on, while there is one. Whoever waits for it takes a part. */
  way: Work | undefined
}

/**
 * What isolated worlds begin with: the seeded state, whatever was done since, moved on to the
 * present time of the sandbox. It is moved on once for all of them, and further for those that come
 * later.
 */
export class WorldTemplate {
  readonly #options: ResolvedOptions
  /** The seeded state that was moved on last. */
  #last: Moved | undefined

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /**
   * Makes a loaded with the id of a new world, and a clock like the present one. @throws
   * {SandboxError} before the data are there.
   */
  fork(present: LoadedScenario, id: string): LoadedScenario {
    const loaded = finish(this.movingOn(present))
    if (loaded === undefined) return forkScenario(present, this.#options, { id, from: 'origin' })
    return withClockOf(present.world, loaded.world, () =>
      forkScenario(loaded, this.#options, { id }),
    )
  }

  /** True if the clock has not moved, so that no time has to be made up for. */
  isAtStart({ world }: LoadedScenario): boolean {
    return isSameClock(world.clock.state(), world.origin.state.clock)
  }

  /** Lets a new loaded, which was made of the seeded state, become what `fork` makes, in units. */
  *joining(loaded: LoadedScenario, present: LoadedScenario): Work {
    const moved = yield* this.movingOn(present)
    if (moved !== undefined)
      withClockOf(present.world, moved.world, () => joinScenario(loaded, moved))
  }

  /**
   * Moves the seeded state on to the present time, in units: what one has begun, others go on with.
   * Undefined where time has not moved.
   */
  *movingOn(present: LoadedScenario): Work<LoadedScenario | undefined> {
    const { world } = present
    if (this.isAtStart(present)) return undefined
    const moved = this.#movedBefore(world) ?? this.#begin(present)
    const { clock } = moved.loaded.world
    const now = world.clock.now()
    while (moved.way !== undefined || clock.now() < now) {
      moved.way ??= movingTo(moved.loaded.world, now)
      if (moved.way.next().done === true) moved.way = undefined
      yield
    }
    return moved.loaded
  }

  /** Lets go of its data, because the present ones are closed or replaced. */
  forget(): void {
    this.#last?.loaded.world.release()
    this.#last = undefined
  }

  #movedBefore(world: World): Moved | undefined {
    const last = this.#last
    // The sandbox may have gone back since, by a reset or a seek.
    return last !== undefined &&
      last.of === world &&
      last.loaded.world.clock.now() <= world.clock.now()
      ? last
      : undefined
  }

  #begin(present: LoadedScenario): Moved {
    this.forget()
    const moved = {
      loaded: seededScenario(present, this.#options),
      of: present.world,
      way: undefined,
    }
    this.#last = moved
    return moved
  }
}

/**
 * Does something while a world has the mode, the rate and at least the time of the clock of another
 * one.
 */
function withClockOf<Result>(other: World, { clock }: World, job: () => Result): Result {
  const stood = clock.state()
  clock.restore({ ...other.clock.state(), now: toIso(Math.max(clock.now(), other.clock.now())) })
  try {
    return job()
  } finally {
    clock.restore(stood)
  }
}

function isSameClock(a: ClockState, b: ClockState): boolean {
  return a.now === b.now && a.mode === b.mode && a.rate === b.rate
}

function seededScenario(present: LoadedScenario, options: ResolvedOptions): LoadedScenario {
  const loaded = forkScenario(present, options, { from: 'origin' })
  const { clock } = loaded.world
  clock.restore({ ...clock.state(), mode: 'frozen' })
  return loaded
}

/**
 * Moves a world on to an instant, epoch ms. A story leaps by itself, so the clock goes from moment
 * to moment: no leap counts twice.
 */
function* movingTo(world: World, instant: number): Work {
  const { clock } = world
  while (clock.now() < instant) {
    const next = world.timeline.next(world)?.at ?? instant
    yield* clock.setting(Math.min(instant, Math.max(next, clock.now() + 1)))
  }
}
