import { createSandbox } from '../sandbox.ts'
import { ScenarioError } from '../scenario/parse.ts'
import { summariseScenarios } from '../scenario/summary.ts'
import { expandTimeline } from '../scenario/timeline.ts'
import type { ServeFlags } from './flags.ts'
import { createLog } from './host.ts'
import type { Host } from './host.ts'
import { toClock } from './replay.ts'
import { readLibrary, readNamed } from './scenario-file.ts'
import type { Library } from './scenario-file.ts'

/** Prints the scenarios that can be loaded by name: what each is, how long its story is, and its chapters. */
export async function listScenarios({ scenarios: folder }: Pick<ServeFlags, 'scenarios'>, host: Host): Promise<void> {
  const list = summariseScenarios((await libraryOf(folder, host)) ?? [])
  const width = Math.max(...list.map(({ name }) => name.length))
  for (const { name, title, duration_ms, chapters } of list) {
    host.stdout.write(`${name.padEnd(width)}  ${duration_ms === 0 ? '     ' : toClock(duration_ms)}  ${title}\n`)
    if (chapters.length > 0) host.stdout.write(`${' '.repeat(width + 9)}${chapters.join(' · ')}\n`)
  }
}

/**
 * Checks a scenario, by name or file, and plays its story to the end.
 *
 * @throws {SandboxError} that names all that is wrong: line and column, the path, the value and what is allowed, or the steps that could
 * not be done.
 */
export async function validate(source: string, { scenarios: folder }: Pick<ServeFlags, 'scenarios'>, host: Host): Promise<void> {
  const { scenario, place } = await readNamed(source, await libraryOf(folder, host))
  const { name, timeline, now, seed } = scenario
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
  const { moments, chapters, durationMs } = expandTimeline(timeline, { start: now, seed })
  const problems = moments.length === 0 ? [] : sandbox.control.replay({ command: 'seek', to: `${durationMs}ms` }).problems
  if (problems.length > 0)
    throw new ScenarioError(
      problems.map((problem) => toPlaced(problem, place)),
      'play',
    )
  const story = moments.length === 0 ? 'no timeline' : `${chapters.length} chapters, ${moments.length} moments, ${toClock(durationMs)} long`
  host.stdout.write(`${source} is good: the scenario ${name}, ${story}.\n`)
}

async function libraryOf(folder: string | undefined, host: Host): Promise<Library> {
  return folder === undefined ? undefined : readLibrary(folder, createLog(host))
}

/** `timeline[3]: …` as `(mine.yaml:9:5, at timeline.3): …`. */
function toPlaced(problem: string, place: (path: readonly PropertyKey[]) => string): string {
  const [, index, text = ''] = /^timeline\[(\d+)\]: (.*)$/s.exec(problem) ?? []
  return index === undefined ? problem : `(${place(['timeline', Number(index)])}): ${text}`
}
