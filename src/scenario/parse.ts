import type { LineCounter, ParsedNode, Document } from 'yaml'
import { problemsOf, show } from '../control/check.ts'
import { readAt } from '../engine/read-at.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { loadShipped, namesWith } from './prepare.ts'
import { Scenario } from './schema.ts'

/** Where the scenario that another one extends is found by its name. */
export interface ScenarioFinder {
  find: (name: string) => Promise<Scenario | undefined>
  /** The names that there are. */
  names: readonly string[]
  /** What to do when there is none of a name, as a sentence. */
  advice?: string
}

/** A scenario as it was read. */
export interface ReadScenario {
  scenario: Scenario
  /** Where what stands at a path begins, as in `mine.yaml:3:5, at timeline.0`; what comes from a scenario that it extends has no line. */
  place: (path: readonly PropertyKey[]) => string
}

/** What is wrong with a scenario as it is read or played: all of it. The message tells the first three things. */
export class ScenarioError extends SandboxError {
  /** A sentence for each. */
  readonly problems: readonly string[]

  /** `problems` have their places in front. */
  constructor(problems: readonly string[], verb: 'read' | 'play' | 'check' = 'read') {
    const [first = '', ...others] = problems
    const also = others.slice(0, 2).map((problem) => ` Also ${problem}`)
    super(`Failed to ${verb} the scenario ${first}${also.join('')}${others.length > 2 ? ` And ${others.length - 2} more.` : ''}`)
    this.problems = problems.map((problem) => `Failed to ${verb} the scenario ${problem}`)
  }
}

/**
 * Reads a scenario from YAML; `source` names it in errors. With `extends: NAME` it begins as that scenario, and each field that it
 * has takes the place of that one's.
 *
 * @throws {ScenarioError} that names the source, line and column, the path, the value, and what is allowed.
 */
export async function parseScenario(text: string, source: string, finder?: ScenarioFinder): Promise<Scenario> {
  return (await readScenario(text, source, finder)).scenario
}

/** The same, and where in the text things stand. @throws {ScenarioError} */
export async function readScenario(text: string, source: string, finder: ScenarioFinder = findIn([])): Promise<ReadScenario> {
  const { parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true })
  const [syntax] = document.errors
  if (syntax !== undefined) {
    const [problem = ''] = syntax.message.split('\n')
    throw new ScenarioError([
      `(${source}${at(lines, syntax.pos[0])}): ${problem.replace(/ at line \d+, column \d+/, '').replace(/[:.]$/, '')}.`,
    ])
  }
  const placeOf = (path: readonly PropertyKey[]) =>
    `${source}${at(lines, offsetOf(document, path))}${path.length === 0 ? '' : `, at ${path.map(String).join('.')}`}`
  const own = toValue(document, source)
  const value = await extend(own, finder, placeOf(['extends']))
  const result = Scenario.safeParse(value)
  if (!result.success) {
    throw new ScenarioError(
      problemsOf(result.error, Scenario, value).map(({ path, expected }) => {
        const written = toWritten(value, path)
        return `(${placeOf(written)}): it is ${show(readAt(value, written))}, but ${path.length === 1 ? withExtends(expected) : expected}.`
      }),
    )
  }
  return {
    scenario: result.data,
    place: (path) => (readAt(own, path.slice(0, 1)) === undefined ? `${source}, at ${path.map(String).join('.')}` : placeOf(path)),
  }
}

/** Finds scenarios of a library by their names, and shipped ones. */
export function findIn(library: readonly Scenario[], advice?: string): ScenarioFinder {
  return {
    find: async (name) => library.find((scenario) => scenario.name === name) ?? findShipped(name),
    names: namesWith(library),
    advice,
  }
}

/** The shipped scenario of that name, if there is one. */
export async function findShipped(name: string): Promise<Scenario | undefined> {
  const shipped = shippedScenarios.find((candidate) => candidate.name === name)
  return shipped && loadShipped(shipped)
}

function toValue(document: Document.Parsed, source: string): unknown {
  try {
    // Aliases that multiply one another are refused by the library: a small file must not become a large value.
    return document.toJS()
  } catch (error) {
    throw new ScenarioError([`(${source}): ${(error as Error).message.replace(/\.$/, '')}.`])
  }
}

async function extend(own: unknown, { find, names, advice }: ScenarioFinder, place: string): Promise<unknown> {
  if (typeof own !== 'object' || own === null || !('extends' in own)) return own
  const { extends: name, ...fields } = own
  const base = typeof name === 'string' ? await find(name) : undefined
  if (base !== undefined) return { ...base, ...fields }
  throw new ScenarioError([
    `(${place}): it is ${show(name)}, but it must be the name of a scenario, such as ${names.join(', ')}.${advice === undefined ? '' : ` ${advice}`}`,
  ])
}

/** A file may say one thing more than a scenario has. */
function withExtends(expected: string): string {
  return expected.replace('Allowed: ', 'Allowed: extends, ')
}

/** The path as the file has it: where one thing may stand in place of a list, there is no place 0. */
function toWritten(value: unknown, path: readonly PropertyKey[]): PropertyKey[] {
  let inner = value
  return path.filter((key) => {
    if (typeof key === 'number' && !Array.isArray(inner)) return false
    inner = (inner as Record<PropertyKey, unknown> | null | undefined)?.[key]
    return true
  })
}

/** Where the value of that path begins in the text: its own place, or that of the nearest thing around it. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as ParsedNode | undefined
    if (node?.range != null) return node.range[0]
  }
  return document.contents?.range[0] ?? 0
}

function at(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `:${line}:${col}`
}
