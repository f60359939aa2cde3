import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Folder that contains a file of digests for each scenario. */
export const digestFolder = 'scripts/same-answers/digests'

/** Digests of an observation, one per seed in the order of the seeds. */
export type Line = (string | undefined)[]

/** Reads the recorded digests of a scenario, by hash of the observation's name. */
export function readDigests(scenario: string): Map<string, Line> {
  const file = getDigestFile(scenario)
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [key = '', ...digests] = line.split(' ')
      return [key, digests.map((digest) => (digest === '-' ? undefined : digest))]
    }),
  )
}

/**
 * Writes the digests of a scenario, sorted by key so that a new digest does not change other lines.
 */
export function writeDigests(scenario: string, lines: ReadonlyMap<string, Line>): void {
  const text = [...lines]
    .map(([key, digests]) => [key, ...digests.map((digest) => digest ?? '-')].join(' '))
    .sort()
    .join('\n')
  mkdirSync(digestFolder, { recursive: true })
  writeFileSync(getDigestFile(scenario), `${text}\n`)
}

/** Returns a short hash of a name, because full names would make the files too large. */
export function hashName(name: string): string {
  return createHash('sha1').update(name).digest('hex').slice(0, 7)
}

function getDigestFile(scenario: string): string {
  return `${digestFolder}/${scenario}.txt`
}
