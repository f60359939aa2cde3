import type { ClockState } from '../engine/clock.ts'
import { toIso } from '../engine/time.ts'
import type { World } from '../world/world.ts'
import type { ResolvedOptions } from './options.ts'
import { forkStage } from './stage.ts'
import type { Stage } from './stage.ts'

/**
 * What isolated worlds begin with: the seeded state, whatever was done since, moved on to the present time of the sandbox. It is moved on
 * once for all of them, and further for those that come later.
 */
export class FreshStart {
  readonly #options: ResolvedOptions
  /** The seeded state that was moved on last, and the world that it is of. Its clock stands. */
  #last: { stage: Stage; of: World } | undefined

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /** Makes a stage with the id of a new world, and a clock like the present one. @throws {SandboxError} before the data are there. */
  fork(present: Stage, id: string): Stage {
    const { clock, origin } = present.world
    // Nothing has moved: there is nothing to keep for later worlds.
    if (isSameClock(clock.state(), origin.state.clock)) return forkStage(present, this.#options, { id, from: 'origin' })
    const stage = this.#moveOn(present)
    const fresh = stage.world.clock
    const stood = fresh.state()
    fresh.restore({ ...clock.state(), now: toIso(Math.max(fresh.now(), clock.now())) })
    try {
      return forkStage(stage, this.#options, { id })
    } finally {
      fresh.restore(stood)
    }
  }

  /** Lets go of its data, because the present ones are closed or replaced. */
  forget(): void {
    this.#last?.stage.world.release()
    this.#last = undefined
  }

  #moveOn(present: Stage): Stage {
    const { world } = present
    const now = world.clock.now()
    // The sandbox may have gone back since, by a reset or a seek.
    const last = this.#last
    const isBefore = last !== undefined && last.of === world && last.stage.world.clock.now() <= now
    if (!isBefore) this.forget()
    const stage = isBefore ? last.stage : seededStage(present, this.#options)
    this.#last = { stage, of: world }
    moveTo(stage.world, now)
    return stage
  }
}

function isSameClock(a: ClockState, b: ClockState): boolean {
  return a.now === b.now && a.mode === b.mode && a.rate === b.rate
}

function seededStage(present: Stage, options: ResolvedOptions): Stage {
  const stage = forkStage(present, options, { from: 'origin', sharesBudget: true })
  const { clock } = stage.world
  clock.restore({ ...clock.state(), mode: 'frozen' })
  return stage
}

/** Moves a world on to an instant, epoch ms. A story leaps by itself, so the clock goes from moment to moment: no leap counts twice. */
function moveTo(world: World, instant: number): void {
  const { clock } = world
  while (clock.now() < instant) {
    const next = world.script.next(world)?.at ?? instant
    clock.set(Math.min(instant, Math.max(next, clock.now() + 1)))
  }
}
