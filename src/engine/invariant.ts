/** What holds in every world, whatever happens in it. */
export interface Invariant<World> {
  /** What holds, as a short sentence; no two are alike. */
  name: string
  /**
   * The records that break it, each as a sentence. It may read whole tables; it changes nothing.
   */
  check: (world: World) => Iterable<string>
}

/** What a check found. */
export interface WorldCheck {
  /** Whether every invariant holds. */
  holds: boolean
  /** Every invariant, with the first ten records that break it. */
  invariants: { name: string; broken: string[] }[]
}

/** How many records that break an invariant are told. */
const mostBroken = 10

/** Checks the invariants on a world. */
export function checkInvariants<World>(
  world: World,
  invariants: readonly Invariant<World>[],
): WorldCheck {
  const found = invariants.map(({ name, check }) => ({ name, broken: takeFirst(check(world)) }))
  return { holds: found.every(({ broken }) => broken.length === 0), invariants: found }
}

function takeFirst(records: Iterable<string>): string[] {
  const first: string[] = []
  for (const record of records) {
    first.push(record)
    if (first.length === mostBroken) break
  }
  return first
}
