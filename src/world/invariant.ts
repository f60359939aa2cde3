/** What holds in every world, whatever happens in it. */
export interface Invariant<World> {
  /** What holds, as a short sentence; no two are alike. */
  name: string
  /**
   * The records that break it, each as a sentence. It may read whole tables; it changes nothing,
   * and may stop at ten sentences.
   */
  check: (world: World) => readonly string[]
}

/** What a check found. */
export interface WorldCheck {
  /** Whether every invariant holds. */
  holds: boolean
  /** Every invariant, with the first ten records that break it. */
  invariants: { name: string; broken: string[] }[]
}

/** How many records that break an invariant are told. */
const maxBroken = 10

/** Checks the invariants on a world. */
export function checkInvariants<World>(
  world: World,
  invariants: readonly Invariant<World>[],
): WorldCheck {
  const found = invariants.map(({ name, check }) => ({
    name,
    broken: check(world).slice(0, maxBroken),
  }))
  return { holds: found.every(({ broken }) => broken.length === 0), invariants: found }
}

/**
 * Judges records in turn, and returns the sentences about those that break an invariant. It stops
 * once there are ten, as a table may have very many records.
 */
export function findBroken<Item>(
  records: Iterable<Item>,
  judge: (record: Item) => readonly string[],
): string[] {
  const broken: string[] = []
  for (const record of records) {
    broken.push(...judge(record))
    if (broken.length >= maxBroken) break
  }
  return broken
}
