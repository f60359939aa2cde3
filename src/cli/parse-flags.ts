import { Option } from 'commander'
import type { z } from 'zod'
import { SandboxError } from '../errors.ts'

/** A command-line flag. */
export interface Flag {
  usage: string
  schema: z.ZodType
  /**
   * Converts the string before the schema validates it.
   * @default `parseNumber` for a `<number>`, otherwise no conversion
   */
  read?: (text: string) => unknown
  /** True if the flag can be repeated. The schema then validates the list of all values. */
  isList?: boolean
  help: string
  standard?: string
}

/** Values of flags. Flags that are not set are omitted. */
export type Parsed<Flags extends Record<string, Flag>> = {
  [Name in keyof Flags]?: z.output<Flags[Name]['schema']>
}

/** Converts a number. Other texts stay as they are, and the schema rejects them. */
export function parseNumber(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Converts the flags to commander options whose values are not parsed. */
export function toCommanderOptions(flags: Readonly<Record<string, Flag>>): Option[] {
  return Object.values(flags).map(({ usage, help, standard, isList }) => {
    const option = new Option(
      usage,
      standard === undefined ? help : `${help} Default: ${standard}.`,
    )
    // Prevents commander from treating flags such as --no-guesses as negations.
    option.negate = false
    if (isList === true) option.argParser<string[]>((text, others = []) => [...others, text])
    return option
  })
}

/**
 * Parses the values of the flags.
 *
 * @throws {SandboxError} naming the flag, the value and the allowed values
 */
export function parseFlags<Flags extends Record<string, Flag>>(
  flags: Flags,
  texts: Readonly<Record<string, string | boolean | string[]>>,
): Parsed<Flags> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, parseFlag(flags[name] as Flag, text)]),
  ) as Parsed<Flags>
}

function parseFlag(
  { usage, schema, read = usage.endsWith('<number>') ? parseNumber : (value) => value }: Flag,
  text: string | boolean | string[],
): unknown {
  const value = typeof text === 'string' ? read(text) : text
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const reasons = result.error.issues.map((issue) => {
    // If the flag's value has several parts, the message names the invalid one.
    const part = Array.isArray(text) ? undefined : getPartAtPath(value, issue.path)
    return describeExpectation(issue, part === undefined ? 'it' : JSON.stringify(part))
  })
  const place = result.error.issues[0]?.path[0]
  const refused = Array.isArray(text) ? text[Number(place ?? 0)] : text
  throw new SandboxError(
    `Failed to read ${usage.split(' ', 1)[0]} (${JSON.stringify(refused)}): ` +
      `${reasons.join('; ')}. See --help.`,
  )
}

/** Returns the value at a path within a value, or undefined for an empty path. */
function getPartAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  if (path.length === 0) return undefined
  return path.reduce((part, key) => (part as Record<PropertyKey, unknown>)[key], value)
}

function describeExpectation(issue: z.core.$ZodIssue, what: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${what} must be ${issue.expected === 'int' ? 'an integer' : `a ${issue.expected}`}`
    case 'invalid_value':
      return `${what} must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return issue.origin === 'string'
        ? `${what} must not be empty`
        : `${what} must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `${what} must be at most ${issue.maximum}`
    default:
      return issue.message.replace(/^must/, `${what} must`)
  }
}
