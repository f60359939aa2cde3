import type { LineCounter, ParsedNode, Document } from 'yaml'
import { listProblems } from '../api/check-input.ts'
import { getAtPath } from '../lib/plain-json.ts'
import { stopEarly } from '../lib/schema-parts.ts'
import { describeValue, truncateForMessage } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { ScenarioError } from './error.ts'
import { loadShippedScenario, listScenarioNames } from './prepare.ts'
import { Scenario } from './schema.ts'
import { readJsonLines } from './json-lines.ts'
import type { JsonLines } from './json-lines.ts'
import { readYaml, YamlError } from './yaml.ts'

/** Finds a scenario by the name that another scenario has in `extends`. */
export interface ScenarioFinder {
  find: (name: string) => Promise<Scenario | undefined>
  /** Names of all scenarios that `find` can return. */
  names: readonly string[]
  /** Advice that is added to the error message for an unknown name, one sentence. */
  advice?: string
}

/** Text for error messages: the fields that a scenario must have. */
const wholeFields = 'either extends, name and the fields to replace, or name, now and organisations'

/**
 * Maximum length of a scenario for which all problems are reported, in characters. For longer
 * scenarios, only the first problem is reported.
 */
const maxReportedLength = 100_000

/** A scenario to parse. */
export interface ParseRequest {
  /** The scenario as YAML. */
  text: string
  /** Name of the source for error messages, such as a file. */
  source: string
  /** Scenarios that can be extended, in addition to the shipped scenarios. */
  library: readonly Scenario[]
}

/**
 * Parses a scenario.
 * @throws {SandboxError} with a list of the problems
 */
export type ScenarioParser = (request: ParseRequest) => Promise<Scenario>

/** Parses a scenario in the current thread. */
export const parseAtOnce: ScenarioParser = ({ text, source, library }) =>
  parseScenario(text, source, createScenarioFinder(library))

/** A scenario with the positions of its values. */
export interface ReadScenario {
  scenario: Scenario
  /**
   * Returns the position of the value at a path, such as `mine.yaml:3:5, at timeline.0`. A value
   * from an extended scenario has no line.
   */
  getPosition: (path: readonly PropertyKey[]) => string
}

/**
 * Reads a scenario from YAML. `source` is its name in error messages. With `extends: NAME`, starts
 * from that scenario and replaces its fields.
 * @throws {ScenarioError} that states the source, the line and column, the path, the value, and the
 * allowed values
 */
export async function parseScenario(
  text: string,
  source: string,
  finder?: ScenarioFinder,
): Promise<Scenario> {
  return (await readScenario(text, source, finder)).scenario
}

/** Reads a scenario from YAML, with the positions of its values. @throws {ScenarioError} */
export async function readScenario(
  text: string,
  source: string,
  finder: ScenarioFinder = createScenarioFinder([]),
): Promise<ReadScenario> {
  const written = readJsonLines(text)
  return (
    (written && (await readGeneratedScenario(written, source, finder))) ??
    readAnyScenario(text, source, finder)
  )
}

/**
 * Validates a scenario that a program wrote. Returns undefined if it has an error, because the YAML
 * parser then reports the error.
 */
async function readGeneratedScenario(
  { value, getPosition: positionOf }: JsonLines,
  source: string,
  { find }: ScenarioFinder,
): Promise<ReadScenario | undefined> {
  const { extends: name, ...fields } = value
  const base = typeof name === 'string' ? await find(name) : undefined
  if ('extends' in value && base === undefined) return undefined
  const result = Scenario.safeParse({ ...base, ...fields }, stopEarly)
  if (!result.success) return undefined
  const place = (path: readonly PropertyKey[]) => {
    const { line, col } = positionOf(path)
    return path[0] !== undefined && Object.hasOwn(value, path[0])
      ? `${source}:${line}:${col}, at ${toName(path)}`
      : `${source}, at ${toName(path)}`
  }
  return { scenario: result.data, getPosition: place }
}

async function readAnyScenario(
  text: string,
  source: string,
  finder: ScenarioFinder,
): Promise<ReadScenario> {
  const { document, lines } = await readYaml(text).catch((error: unknown) => {
    if (!(error instanceof YamlError)) throw error
    const [firstLine = ''] = error.message.split('\n')
    throw new ScenarioError([
      `(${source}${toPosition(error.lines, error.offset)}): ${truncateForMessage(firstLine.replace(/[:.]$/, ''))}.`,
    ])
  })
  const placeOf = (path: readonly PropertyKey[]) =>
    `${source}${toPosition(lines, findOffset(document, path))}${path.length === 0 ? '' : `, at ${toName(path)}`}`
  const written = toValue(document, source)
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    throw new ScenarioError([
      `(${source}): ${written === null ? 'it is empty' : `it is ${describeValue(written)}`}. A scenario needs ${wholeFields}.`,
    ])
  const scenario = await checkScenarioValue(written, {
    finder,
    placeOf,
    isLarge: text.length > maxReportedLength,
  })
  const isWritten = (path: readonly PropertyKey[]) =>
    getAtPath(written, path.slice(0, 1)) !== undefined
  return {
    scenario,
    getPosition: (path) => (isWritten(path) ? placeOf(path) : `${source}, at ${toName(path)}`),
  }
}

/**
 * Validates a scenario as written, which may extend another one. `placeOf` returns the position of
 * the value at a path, for error messages.
 *
 * @throws {ScenarioError}
 */
export async function checkScenarioValue(
  written: object,
  {
    finder,
    placeOf,
    isLarge = false,
  }: {
    finder: ScenarioFinder
    placeOf: (path: readonly PropertyKey[]) => string
    isLarge?: boolean
  },
): Promise<Scenario> {
  const value = await extend(written, finder, placeOf(['extends']))
  // Reports all problems of a scenario. Reports only the first problem of a large scenario, which
  // was probably generated.
  const result = Scenario.safeParse(value, isLarge ? stopEarly : undefined)
  if (result.success) return result.data
  throw new ScenarioError(
    listProblems(result.error, Scenario, value).map(({ path, expected }) => {
      const writtenPath = toWrittenPath(value, path)
      const received = describeValue(getAtPath(value, writtenPath))
      return (
        `(${placeOf(writtenPath)}): it is ${received}, but ` +
        `${path.length === 1 ? allowExtends(expected) : expected}.`
      )
    }),
  )
}

function toName(path: readonly PropertyKey[]): string {
  return truncateForMessage(path.map(String).join('.'))
}

/** Creates a finder for the scenarios of a library and for the shipped scenarios. */
export function createScenarioFinder(
  library: readonly Scenario[],
  advice?: string,
): ScenarioFinder {
  return {
    find: async (name) =>
      library.find((scenario) => scenario.name === name) ?? findShippedScenario(name),
    names: listScenarioNames(library),
    advice,
  }
}

/** Finds a shipped scenario by its name. */
export async function findShippedScenario(name: string): Promise<Scenario | undefined> {
  const shipped = shippedScenarios.find((candidate) => candidate.name === name)
  return shipped && loadShippedScenario(shipped)
}

function toValue(document: Document.Parsed, source: string): unknown {
  try {
    // Throws for exponential aliases, which could expand a small file to a huge value.
    return document.toJS()
  } catch (error) {
    throw new ScenarioError([
      `(${source}): ${truncateForMessage((error as Error).message.replace(/\.$/, ''))}.`,
    ])
  }
}

async function extend(
  written: object,
  { find, names, advice }: ScenarioFinder,
  place: string,
): Promise<unknown> {
  if (!('extends' in written)) return written
  const { extends: name, ...fields } = written
  const base = typeof name === 'string' ? await find(name) : undefined
  if (base !== undefined) return { ...base, ...fields }
  const problem =
    `(${place}): it is ${describeValue(name)}, but it must be the name of a scenario, such ` +
    `as ${names.join(', ')}.`
  throw new ScenarioError([advice === undefined ? problem : `${problem} ${advice}`])
}

/**
 * Adds `extends` to the allowed fields in an error message. A file may have this field, although it
 * is not part of the schema.
 */
function allowExtends(expected: string): string {
  return expected.replace('Allowed: ', 'Allowed: extends, ')
}

/**
 * Converts a path in the schema to a path in the file. If the file has a single item instead of a
 * list, the path in the file has no index 0.
 */
function toWrittenPath(value: unknown, path: readonly PropertyKey[]): PropertyKey[] {
  let inner = value
  return path.filter((key) => {
    if (typeof key === 'number' && !Array.isArray(inner)) return false
    inner = (inner as Record<PropertyKey, unknown> | null | undefined)?.[key]
    return true
  })
}

/** Returns the offset in the text of the value at a path, or of its nearest parent value. */
function findOffset(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as ParsedNode | undefined
    if (node?.range != null) return node.range[0]
  }
  return document.contents?.range[0] ?? 0
}

function toPosition(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `:${line}:${col}`
}
