/** A scheduled effect. */
export interface DueEffect {
  /** Epoch ms. */
  at: number
  fire: () => void
}

/** The part of a world that `isEffectDue` needs. */
interface EffectWorld {
  readonly clock: { hasReached(time: number): boolean }
  readonly rules: { nextDue(world: never): DueEffect | undefined }
}

/** A view: true if an effect is due. The result stays cached until the next effect is due. */
export function isEffectDue(world: EffectWorld): boolean {
  const due = world.rules.nextDue(world as never)
  return due !== undefined && world.clock.hasReached(due.at)
}
