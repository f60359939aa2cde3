import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Digests } from './child.ts'
import { hashName } from './digests.ts'
import type { Line } from './digests.ts'
import type { Exchange } from './exchange.ts'
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

/** Maximum number of characters of a difference to print. */
const maxCharacters = 6000

/** Returns the first request whose response differs, and the lines that differ. */
export function describeDifference(before: readonly Exchange[], now: readonly Exchange[]): string {
  const index = Array.from({ length: Math.max(before.length, now.length) }).findIndex(
    (_, at) => format(before[at]) !== format(now[at]),
  )
  if (index < 0)
    return 'No answer differs when it is asked again: the answer depends on chance or on real time.'
  const folder = mkdtempSync(join(tmpdir(), 'same-answers-'))
  writeFileSync(join(folder, 'before'), format(before[index]))
  writeFileSync(join(folder, 'now'), format(now[index]))
  const diff = ['diff', '--no-index', '--unified=6', 'before', 'now']
  const { stdout } = spawnSync('git', diff, { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const { request } = now[index] ?? before[index] ?? { request: '' }
  return `${request.slice(0, 500)}\n${stdout.slice(0, maxCharacters)}`
}

function format(exchange: Exchange | undefined): string {
  return exchange === undefined
    ? 'not sent\n'
    : `${JSON.stringify({ ...exchange, body: parseJson(exchange.body) }, null, 2)}\n`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
