/** A condition that must be true in every world at all times. */
export interface Invariant<World> {
  /** The condition as a short, unique sentence. */
  name: string
  /**
   * Returns a sentence for each record that violates the invariant. The function may read whole
   * tables and may stop after ten sentences. It must not change anything.
   */
  check: (world: World) => readonly string[]
}

/** The result of checking the invariants. */
export interface WorldCheck {
  /** True if no invariant is violated. */
  holds: boolean
  /** All invariants, each with up to ten violations. */
  invariants: { name: string; broken: string[] }[]
}

/** Maximum number of violations to list per invariant. */
const maxBroken = 10

/** Checks the invariants of a world. */
export function checkInvariants<World>(
  world: World,
  invariants: readonly Invariant<World>[],
): WorldCheck {
  return toWorldCheck(invariants.map((invariant) => checkInvariant(world, invariant)))
}

/** Checks one invariant of a world. */
export function checkInvariant<World>(world: World, { name, check }: Invariant<World>) {
  return { name, broken: check(world).slice(0, maxBroken) }
}

/** Combines the results of all invariants. */
export function toWorldCheck(invariants: WorldCheck['invariants']): WorldCheck {
  return { holds: invariants.every(({ broken }) => broken.length === 0), invariants }
}

/**
 * Checks records one by one and returns the violations. Stops after ten violations, because a table
 * may be large.
 */
export function findViolations<Item>(
  records: Iterable<Item>,
  checkRecord: (record: Item) => readonly string[],
): string[] {
  const broken: string[] = []
  for (const record of records) {
    broken.push(...checkRecord(record))
    if (broken.length >= maxBroken) break
  }
  return broken
}
