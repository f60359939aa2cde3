/** A scheduled effect. */
export interface DueEffect {
  /** Epoch ms. */
  at: number
  fire: () => void
}

/** The part of a world that `isEffectDue` uses. */
interface EffectWorld {
  readonly clock: { hasReached(time: number): boolean }
  readonly rules: { nextDue(world: never): DueEffect | undefined }
}

/**
 * A view that returns true if an effect is due. The result is cached until the next effect becomes
 * due.
 */
export function isEffectDue(world: EffectWorld): boolean {
  const due = world.rules.nextDue(world as never)
  return due !== undefined && world.clock.hasReached(due.at)
}
