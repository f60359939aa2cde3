import { createSandbox } from '../sandbox.ts'
import { expandTimeline } from '../scenario/timeline.ts'
import type { ServeFlags } from './flags.ts'
import { toClock } from './replay.ts'
import { readLibrary, readScenarioFile } from './scenario-file.ts'

/** Prints the scenarios that can be loaded by name: what each is, how long its story is, and its chapters. */
export async function listScenarios({ scenarios: folder }: Pick<ServeFlags, 'scenarios'>): Promise<void> {
  const library = folder === undefined ? [] : await readLibrary(folder)
  const list = createSandbox({ scenario: 'empty', library }).control.scenarios()
  const width = Math.max(...list.map(({ name }) => name.length))
  for (const { name, title, duration_ms, chapters } of list) {
    process.stdout.write(`${name.padEnd(width)}  ${duration_ms === 0 ? '     ' : toClock(duration_ms)}  ${title}\n`)
    if (chapters.length > 0) process.stdout.write(`${' '.repeat(width + 9)}${chapters.join(' · ')}\n`)
  }
}

/** Checks a scenario file. @throws {SandboxError} that names line and column, the path, the value and what is allowed. */
export async function validate(file: string, { scenarios: folder }: Pick<ServeFlags, 'scenarios'>): Promise<void> {
  const { name, timeline, now, seed } = await readScenarioFile(file, folder === undefined ? [] : await readLibrary(folder))
  const { moments, chapters, durationMs } = expandTimeline(timeline, { start: now, seed })
  const story = moments.length === 0 ? 'no timeline' : `${chapters.length} chapters, ${moments.length} moments, ${toClock(durationMs)} long`
  process.stdout.write(`${file} is good: the scenario ${name}, ${story}.\n`)
}
