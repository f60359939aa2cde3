import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Digests, ShownObservation } from './child.ts'

/** A scenario and a seed to run with the source code in a folder. */
export interface Choice {
  scenario: string
  seed: number | undefined
  folder: string
}

/** Creates the digests of a scenario in a separate process. */
export async function computeDigestsInChild(choice: Choice): Promise<Digests> {
  return (await start(choice)) as Digests
}

/** Repeats one observation and returns its exchanges. */
export async function repeatObservationInChild(
  choice: Choice,
  name: string,
): Promise<ShownObservation> {
  return (await start(choice, name)) as ShownObservation
}

async function start({ scenario, seed, folder }: Choice, name?: string): Promise<unknown> {
  const temporary = mkdtempSync(join(tmpdir(), 'same-answers-'))
  const file = join(temporary, 'result.json')
  try {
    const script = 'scripts/same-answers/child.ts'
    const args = ['--import', 'tsx', script, scenario, String(seed ?? '-'), file]
    const child = spawn(process.execPath, name === undefined ? args : [...args, name], {
      cwd: folder,
      stdio: 'inherit',
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    if (code !== 0) throw new Error(`${scenario} at seed ${seed ?? 'default'} ended with ${code}.`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
