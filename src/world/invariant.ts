/** A condition that holds in every world at any time. */
export interface Invariant<World> {
  /** The condition as a short, unique sentence. */
  name: string
  /**
   * Returns a sentence for each record that violates it. It may read whole tables and stop at ten
   * sentences. It must not change anything.
   */
  check: (world: World) => readonly string[]
}

/** The result of a check. */
export interface WorldCheck {
  /** True if every invariant holds. */
  holds: boolean
  /** Every invariant, with the first ten violations. */
  invariants: { name: string; broken: string[] }[]
}

/** Maximum number of violations that are listed for an invariant. */
const maxBroken = 10

/** Checks the invariants on a world. */
export function checkInvariants<World>(
  world: World,
  invariants: readonly Invariant<World>[],
): WorldCheck {
  return toWorldCheck(invariants.map((invariant) => checkInvariant(world, invariant)))
}

/** Checks one invariant on a world. */
export function checkInvariant<World>(world: World, { name, check }: Invariant<World>) {
  return { name, broken: check(world).slice(0, maxBroken) }
}

/** Sums up the results of all invariants. */
export function toWorldCheck(invariants: WorldCheck['invariants']): WorldCheck {
  return { holds: invariants.every(({ broken }) => broken.length === 0), invariants }
}

/**
 * Checks records one by one and returns their violations. It stops at ten, because a table may be
 * large.
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
