import type { LineCounter, ParsedNode } from 'yaml'
import type { Document } from 'yaml'
import { expectation, show } from '../control/check.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { Scenario } from './schema.ts'

/** Finds the scenario that another one extends, by its name; undefined when there is none. */
export type FindScenario = (name: string) => Promise<Scenario | undefined>

/**
 * Reads a scenario from YAML; `source` names it in errors. With `extends: NAME` it begins as that scenario, and each field that it
 * has takes the place of that one's.
 *
 * @throws {SandboxError} that names the source, line and column, the path, the value, and what is allowed.
 */
export async function parseScenario(text: string, source: string, find: FindScenario = findShipped): Promise<Scenario> {
  const { parseDocument, LineCounter } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true })
  const [syntax] = document.errors
  if (syntax !== undefined) {
    const [problem = ''] = syntax.message.split('\n')
    throw new SandboxError(`Failed to read the scenario (${source}${at(lines, syntax.pos[0])}): ${problem.replace(/ at line \d+, column \d+/, '').replace(/[:.]$/, '')}.`)
  }
  const own = toValue(document, source)
  const value = await extend(own, { source, find, place: () => at(lines, offsetOf(document, ['extends'])) })
  const result = Scenario.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue === undefined) throw new SandboxError(`Failed to read the scenario (${source}): it does not fit.`)
  const path = toWritten(value, issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path)
  const received = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
  const where = path.length === 0 ? '' : `, at ${path.map(String).join('.')}`
  throw new SandboxError(`Failed to read the scenario (${source}${at(lines, offsetOf(document, path))}${where}): it is ${show(received)}, but ${expectation(issue, Scenario).replace(/^must/, 'it must')}.`)
}

/** Finds scenarios of a library by their names, and shipped ones. */
export function findIn(library: readonly Scenario[]): FindScenario {
  return async (name) => library.find((scenario) => scenario.name === name) ?? findShipped(name)
}

async function findShipped(name: string): Promise<Scenario | undefined> {
  const shipped = shippedScenarios.find((candidate) => candidate.name === name)
  return shipped && (await shipped.load()).default
}

function toValue(document: Document.Parsed, source: string): unknown {
  try {
    // Aliases that multiply one another are refused by the library: a small file must not become a large value.
    return document.toJS()
  } catch (error) {
    throw new SandboxError(`Failed to read the scenario (${source}): ${(error as Error).message.replace(/\.$/, '')}.`, { cause: error })
  }
}

async function extend(own: unknown, { source, find, place }: { source: string; find: FindScenario; place: () => string }): Promise<unknown> {
  if (typeof own !== 'object' || own === null || !('extends' in own)) return own
  const { extends: name, ...fields } = own
  const base = typeof name === 'string' ? await find(name) : undefined
  if (base !== undefined) return { ...base, ...fields }
  const names = shippedScenarios.map((scenario) => scenario.name).join(', ')
  throw new SandboxError(`Failed to read the scenario (${source}${place()}, at extends): it is ${show(name)}, but it must be the name of a scenario, such as ${names}.`)
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
