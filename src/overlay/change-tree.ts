import type { Change } from './format.ts'

/** Changes to a value at a path and below it. */
export interface ChangeTree {
  /** The JSON path. */
  path: string
  change: Change | undefined
  /**
   * Changes below this path: by field name, under `[*]` for list entries, or under `*` for map
   * values.
   */
  inside: ReadonlyMap<string, ChangeTree>
}

/** Thrown if part of an overlay does not match its route. */
export class OverlayMismatchError extends Error {
  override readonly name = 'OverlayMismatchError'
  /** Path of the part that does not match, starting at the route. */
  readonly path: readonly string[]

  constructor(path: readonly string[], message: string) {
    super(message)
    this.path = path
  }
}

interface MutableChangeTree extends ChangeTree {
  change: Change | undefined
  inside: Map<string, MutableChangeTree>
}

/** Converts changes by JSON path to a tree. Returns undefined if there are no changes. */
export function toChangeTree(
  changes: Readonly<Record<string, Change>> | undefined,
): ChangeTree | undefined {
  if (changes === undefined) return undefined
  const root: MutableChangeTree = { path: '$', change: undefined, inside: new Map() }
  for (const [path, change] of Object.entries(changes)) {
    let node = root
    for (const step of parseJsonPath(path)) {
      const next = node.inside.get(step) ?? {
        path: node.path + (step === '[*]' ? step : `.${step}`),
        change: undefined,
        inside: new Map(),
      }
      node.inside.set(step, next)
      node = next
    }
    node.change = change
  }
  return root
}

/** Splits a JSON path into its steps: names, `[*]` and `*`. */
export function parseJsonPath(path: string): string[] {
  return path.match(/[\w-]+|\[\*\]|\*/g) ?? []
}

/** Returns the fields that only the service's version of an object has. */
export function listAddedFields({ inside }: ChangeTree): [name: string, tree: ChangeTree][] {
  return [...inside].filter(([, { change }]) => change?.add !== undefined)
}
