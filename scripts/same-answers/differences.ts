import type { Digests } from './child.ts'
import { hashName } from './digests.ts'
import type { Line } from './digests.ts'
import { seeds } from './observe.ts'

/** An observation whose digest differs from the recorded one. */
export interface Difference {
  scenario: string
  seed: number | undefined
  kind: 'differs' | 'new' | 'gone'
  /** Name of the observation, or the hash of its name if the observation no longer exists. */
  name: string
}

/**
 * Converts the digests of all seeds to recorded lines.
 *
 * @throws {Error} if two names have the same key
 */
export function toDigestLines(results: readonly Digests[]): Map<string, Line> {
  const names = new Set(results.flatMap(({ digests }) => Object.keys(digests)))
  const lines = new Map<string, Line>()
  for (const name of names) {
    if (lines.has(hashName(name)))
      throw new Error(`Two observations have the same key: rename ${name}.`)
    lines.set(
      hashName(name),
      results.map(({ digests }) => digests[name]),
    )
  }
  return lines
}

/** Compares digests with the recorded digests, in the order in which they were observed. */
export function findDifferences(
  scenario: string,
  recorded: ReadonlyMap<string, Line>,
  results: readonly Digests[],
): Difference[] {
  return seeds.flatMap((seed, index) => {
    const digests = results[index]?.digests ?? {}
    const keys = new Set(Object.keys(digests).map(hashName))
    const gone = [...recorded].filter(([key, line]) => line[index] !== undefined && !keys.has(key))
    return [
      ...Object.entries(digests).flatMap(([name, digest]): Difference[] => {
        const before = recorded.get(hashName(name))?.[index]
        if (before === digest) return []
        return [{ scenario, seed, kind: before === undefined ? 'new' : 'differs', name }]
      }),
      ...gone.map(([name]): Difference => ({ scenario, seed, kind: 'gone', name })),
    ]
  })
}
