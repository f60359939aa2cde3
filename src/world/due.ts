/** An effect that falls due at a time of the clock. */
export interface Due {
  /** Epoch ms. */
  at: number
  fire: () => void
}

/** The part of a world that `isEffectDue` needs. */
interface EffectWorld {
  readonly clock: { hasReached(instant: number): boolean }
  readonly rules: { nextDue(world: never): Due | undefined }
}

/** A view: true if an effect has fallen due. It stays cached until the next effect falls due. */
export function isEffectDue(world: EffectWorld): boolean {
  const due = world.rules.nextDue(world as never)
  return due !== undefined && world.clock.hasReached(due.at)
}
