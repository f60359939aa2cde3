import { Option } from 'commander'
import type { z } from 'zod'
import { SandboxError } from '../errors.ts'

/** A flag of the command line. */
export interface Flag {
  usage: string
  schema: z.ZodType
  /** Converts the text before the schema checks it. @default no conversion */
  read?: (text: string) => unknown
  /** True if the flag can be repeated. Its schema then checks the list. */
  isList?: boolean
  help: string
  standard?: string
}

/** The values of flags. A flag that was not given is absent. */
export type Parsed<Flags extends Record<string, Flag>> = {
  [Name in keyof Flags]?: z.output<Flags[Name]['schema']>
}
/** Converts the flags to options of commander. Their values stay texts. */
export function toOptions(flags: Readonly<Record<string, Flag>>): Option[] {
  return Object.values(flags).map(({ usage, help, standard, isList }) => {
    const option = new Option(
      usage,
      standard === undefined ? help : `${help} Default: ${standard}.`,
    )
    // Commander would treat --no-guesses as the negation of --guesses.
    option.negate = false
    if (isList === true) option.argParser<string[]>((text, others = []) => [...others, text])
    return option
  })
}

/**
 * Parses the texts of the flags.
 * @throws {SandboxError} naming the flag, the value and what is allowed
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
  { usage, schema, read = (value) => value }: Flag,
  text: string | boolean | string[],
): unknown {
  const result = schema.safeParse(typeof text === 'string' ? read(text) : text)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const refused = Array.isArray(text) ? text[Number(issue?.path[0] ?? 0)] : text
  throw new SandboxError(
    `Failed to read ${usage.split(' ', 1)[0]} (${JSON.stringify(refused)}): ` +
      `${issue === undefined ? 'it is not allowed' : expectation(issue)}. See --help.`,
  )
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${issue.expected === 'int' ? 'an integer' : `a ${issue.expected}`}`
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return issue.origin === 'string'
        ? 'it must not be empty'
        : `it must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `it must be at most ${issue.maximum}`
    default:
      return issue.message.replace(/^must/, 'it must')
  }
}
