import type { Changes } from '../data/change-log.ts'
import type { Dependencies, DependencyTracker } from '../data/dependencies.ts'
import type { WorldClock } from './world-clock.ts'

/**
 * A function that computes a value from a record, for example its JSON. The function is part of the
 * cache key, so it must be declared at the top level of a file. A variant may be an object, such as
 * a time window. Objects with equal fields count as the same variant.
 */
export type ComputeView<World, Subject, Shown, Variant = undefined> = (
  world: World,
  subject: Subject,
  variant: Variant,
) => Shown

interface Entry {
  view: unknown
  variant: unknown
  value: unknown
  dependencies: Dependencies
  /** The change count at the last check in which the dependencies were still valid. */
  changeCount: number
}

/**
 * Maximum number of values in each of the two generations. When the young generation is full, it
 * becomes the old generation. Values in the old generation that are not read before the next switch
 * are evicted.
 */
const maxValues = 4000
/** Maximum number of cached variants for each view and subject. */
const maxVariants = 16

/**
 * Caches the values of views until a row or a time on which they depend changes. Without this
 * cache, most of a request's time would be spent on JSON.
 */
export class ViewCache {
  readonly #tracker: DependencyTracker
  readonly #changes: Changes
  readonly #clock: Pick<WorldClock, 'untrackedNow'>
  #young = new Map<object, readonly Entry[]>()
  #old = new Map<object, readonly Entry[]>()
  /** Number of values in the young generation. */
  #size = 0

  constructor(
    tracker: DependencyTracker,
    changes: Changes,
    clock: Pick<WorldClock, 'untrackedNow'>,
  ) {
    this.#tracker = tracker
    this.#changes = changes
    this.#clock = clock
  }

  /** Returns an entry with the cached `value`. Undefined if there is no valid value. */
  get(view: unknown, subject: object, variant: unknown): { readonly value: unknown } | undefined {
    const entries = this.#young.get(subject) ?? this.#promote(subject)
    if (entries === undefined) return undefined
    for (const entry of entries) {
      if (entry.view !== view || !isSameVariant(entry.variant, variant)) continue
      const { count } = this.#changes
      if (!entry.dependencies.isValid(this.#clock, entry.changeCount === count)) return undefined
      entry.changeCount = count
      this.#tracker.current?.include(entry.dependencies)
      return entry
    }
    return undefined
  }

  /** Computes the value of a view and caches it. */
  set<Value>(
    { view, subject, variant }: { view: unknown; subject: object; variant: unknown },
    compute: () => Value,
  ): Value {
    const { value, dependencies } = this.#tracker.track(compute)
    if (dependencies.isUncacheable) return value
    // `compute` may have cached other views of the same subject.
    const others = (this.#young.get(subject) ?? this.#promote(subject) ?? []).filter(
      (entry) => entry.view !== view || !isSameVariant(entry.variant, variant),
    )
    const variants = others.filter((entry) => entry.view === view)
    const evicted = variants.length < maxVariants ? undefined : variants[0]
    const { count } = this.#changes
    this.#put(subject, [
      ...others.filter((entry) => entry !== evicted),
      { view, variant, value, dependencies, changeCount: count },
    ])
    return value
  }

  /** Drops all values. Called after a change that dependencies do not track. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#size = 0
  }

  /** Moves the values of a subject from the old generation to the young generation. */
  #promote(subject: object): readonly Entry[] | undefined {
    const entries = this.#old.get(subject)
    if (entries === undefined) return undefined
    this.#old.delete(subject)
    this.#put(subject, entries)
    return entries
  }

  /**
   * Stores the values of a subject in the young generation. If this generation is full, starts a
   * new one.
   */
  #put(subject: object, entries: readonly Entry[]): void {
    if (this.#size >= maxValues) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    this.#size += entries.length - (this.#young.get(subject)?.length ?? 0)
    this.#young.set(subject, entries)
  }
}

function isSameVariant(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [fields, others] = [
    a as Readonly<Record<string, unknown>>,
    b as Readonly<Record<string, unknown>>,
  ]
  for (const name in fields) if (fields[name] !== others[name]) return false
  for (const name in others) if (!(name in fields)) return false
  return true
}
