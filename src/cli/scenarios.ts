import type { WorldCheck } from '../world/invariant.ts'
import { quoteText } from '../errors.ts'
import { parseIso } from '../lib/time.ts'
import { allPermissions } from '../resources/all-resources.ts'
import { createSandbox } from '../sandbox/create-sandbox.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ScenarioError } from '../scenario/error.ts'
import type { ScenarioInput, Scenario } from '../scenario/schema.ts'
import { fillTexts } from '../scenario/fill-texts.ts'
import { findUnknownPermissions } from '../api/api-keys.ts'
import { summariseScenarios } from '../scenario/summary.ts'
import { expandTimeline } from '../scenario/expand-timeline.ts'
import { defaultMaxMemory } from './flags.ts'
import type { ServeFlags, ValidateFlags } from './flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { formatDuration } from './replay.ts'
import { findScenario, readScenarioLibrary, readNamedScenario } from './scenario-file.ts'
import type { Library } from './scenario-file.ts'

/**
 * Prints the scenarios that can be loaded by name, each with its description, story duration and
 * chapters.
 */
export async function listScenarios(
  { scenarios: folder }: Pick<ServeFlags, 'scenarios'>,
  host: Host,
): Promise<void> {
  const list = summariseScenarios((await readLibrary(folder, host)) ?? [])
  const width = Math.max(...list.map(({ name }) => name.length))
  for (const { name, title, duration_ms, chapters } of list) {
    host.stdout.write(
      `${name.padEnd(width)}  ${duration_ms === 0 ? '     ' : formatDuration(duration_ms)}  ${title}\n`,
    )
    if (chapters.length > 0) host.stdout.write(`${' '.repeat(width + 9)}${chapters.join(' · ')}\n`)
  }
}

/**
 * Prints a scenario's invariants and shows for each whether it holds.
 *
 * @throws {SandboxError} that names the violated invariants and the records
 */
export async function checkScenario(
  {
    scenario,
    scenarios: folder,
    seed,
    now,
    maxMemory = defaultMaxMemory,
  }: Pick<ServeFlags, 'scenario' | 'scenarios' | 'seed' | 'now' | 'maxMemory'>,
  host: Host,
): Promise<void> {
  const named =
    scenario === undefined
      ? undefined
      : await findScenario(scenario, await readLibrary(folder, host))
  const sandbox = createSandbox<readonly ScenarioInput[]>({ scenario: named, seed, now, maxMemory })
  await sandbox.ready
  const result = sandbox.check()
  for (const { name, broken } of result.invariants)
    host.stdout.write(`${broken.length === 0 ? 'holds ' : 'BROKEN'}  ${name}\n`)
  if (!result.holds) throw new ScenarioError(toProblems(result), 'check')
}

/**
 * Validates a scenario, given by name or file, and plays its story to the end. With `deep`, checks
 * the invariants after each step.
 *
 * @throws {SandboxError} that lists the failed steps, or all problems with line, column, path,
 * value and allowed values
 */
export async function validateScenario(
  source: string,
  { scenarios: folder, deep = false, maxMemory = defaultMaxMemory }: ValidateFlags,
  host: Host,
): Promise<void> {
  const { scenario, getPosition: place } = await readNamedScenario(
    source,
    await readLibrary(folder, host),
  )
  const { name, timeline, now, seed } = scenario
  await fillTexts(scenario, { seed, start: parseIso(now), getPosition: place })
  const sandbox = createSandbox({ scenario, maxMemory })
  await sandbox.ready
  const { steps, chapters, durationMs, misplaced } = expandTimeline(timeline, { start: now, seed })
  if (deep) checkStory(sandbox)
  const problems =
    steps.length === 0
      ? []
      : sandbox.control.replay({ command: 'seek', to: `${durationMs}ms` }).problems
  if (problems.length > 0)
    throw new ScenarioError(
      problems.map((problem) => addPosition(problem, place)),
      'play',
    )
  warnOfPermissions(scenario, place, createLogger(host))
  for (const index of misplaced)
    createLogger(host)(
      `Warning (${place(['timeline', index, 'at'])}): the step is earlier than a previous step. ` +
        'The sandbox sorts the steps by time.',
    )
  const story =
    steps.length === 0
      ? 'no timeline'
      : `${chapters.length} chapters, ${steps.length} steps, ${formatDuration(durationMs)} long`
  host.stdout.write(`${source} is valid: the scenario ${name}, ${story}.\n`)
}

/** Warns about role permissions that no route requires. */
function warnOfPermissions(
  { organisations }: Scenario,
  place: (path: readonly PropertyKey[]) => string,
  log: (line: string) => void,
): void {
  for (const [index, { roles }] of organisations.entries())
    for (const [role, patterns] of Object.entries(roles))
      for (const { pattern, nearest } of findUnknownPermissions(patterns, allPermissions))
        log(
          `Warning (${place(['organisations', index, 'roles', role])}): no route has the permission ` +
            `${quoteText(pattern, 80)}${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`,
        )
}

/**
 * Checks the invariants before the story and after each step, and stops at the first violation.
 * @throws {SandboxError}
 */
function checkStory(sandbox: Sandbox): void {
  for (;;) {
    const result = sandbox.check()
    const { status, next, at_ms: at } = sandbox.control.replay()
    if (!result.holds)
      throw new ScenarioError(
        toProblems(result, `, at ${formatDuration(at)} of the story`),
        'check',
      )
    if (next === null || status === 'ended') return
    sandbox.control.replay({ command: 'step' })
  }
}

function toProblems({ invariants }: WorldCheck, place = ''): string[] {
  return invariants.flatMap(({ name, broken }) =>
    broken.map((record) => `(${name}${place}): ${record}`),
  )
}

async function readLibrary(folder: string | undefined, host: Host): Promise<Library> {
  return folder === undefined ? undefined : readScenarioLibrary(folder, createLogger(host))
}

/**
 * Adds the position in the file to a message: rewrites `timeline[3]: …` as
 * `(mine.yaml:9:5, at timeline.3): …`.
 */
function addPosition(problem: string, place: (path: readonly PropertyKey[]) => string): string {
  const [, index, text = ''] = /^timeline\[(\d+)\]: (.*)$/s.exec(problem) ?? []
  return index === undefined ? problem : `(${place(['timeline', Number(index)])}): ${text}`
}
