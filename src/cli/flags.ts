import { Option } from 'commander'
import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import { SandboxOptions } from '../options.ts'

/** A flag of the command line: how it is written, how its text is read, and what the help says. */
interface Flag {
  usage: string
  schema: z.ZodType
  /** Turns the text into what the schema checks. @default the text itself */
  read?: (text: string) => unknown
  help: string
  standard?: string
}

const { scenario, seed, now, clock, rate, baseUrl, documentedOnly } = SandboxOptions.shape
const number = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

/** The flags of `serve`. Those that are options of a sandbox take their rules and their help from there. */
export const serveFlags = {
  port: { usage: '--port <number>', schema: z.int().min(0).max(65_535), read: number, help: 'The port to listen on; 0 picks a free one.', standard: '4010' },
  host: { usage: '--host <address>', schema: z.string().min(1), help: 'The address to listen on; other than a loopback one needs --control-token.', standard: '127.0.0.1' },
  scenario: { usage: '--scenario <name|file>', schema: z.string().min(1), help: `${describe(scenario)} Your own: a YAML file.`, standard: String(scenario.parse(undefined)) },
  seed: { usage: '--seed <number>', schema: seed, read: number, help: describe(seed) },
  now: { usage: '--now <instant>', schema: now, help: describe(now) },
  clock: { usage: '--clock <mode>', schema: clock, help: `${describe(clock)} One of ${clock.unwrap().options.join(', ')}.`, standard: 'running' },
  rate: { usage: '--rate <number>', schema: rate, read: number, help: describe(rate), standard: String(rate.parse(undefined)) },
  baseUrl: { usage: '--base-url <url>', schema: baseUrl, help: `${describe(baseUrl)} Default: http://HOST:PORT.` },
  documentedOnly: { usage: '--documented-only', schema: z.boolean(), help: describe(documentedOnly) },
  state: { usage: '--state <file>', schema: z.string().min(1), help: 'Keep the world in this file across restarts.' },
  controlToken: { usage: '--control-token <token>', schema: z.string().min(1), help: 'Ask for this token on the control plane, as Authorization: Bearer TOKEN.' },
  quiet: { usage: '--quiet', schema: z.boolean(), help: 'Print the base address and errors, nothing else.' },
} as const satisfies Record<string, Flag>

/** What the flags said; a flag that was not given is absent. */
export type ServeFlags = { [Name in keyof typeof serveFlags]?: z.output<(typeof serveFlags)[Name]['schema']> }

/** The flags for commander, which reads no values itself. */
export function toOptions(flags: Readonly<Record<string, Flag>>): Option[] {
  return Object.values(flags).map(({ usage, help, standard }) => new Option(usage, standard === undefined ? help : `${help} Default: ${standard}.`))
}

/** Checks the texts of the flags. @throws {SandboxError} that names the flag, the value and what is allowed. */
export function parseFlags(texts: Readonly<Record<string, string | boolean>>): ServeFlags {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseFlag(serveFlags[name as keyof typeof serveFlags], text)]))
}

function parseFlag({ usage, schema, read = (value) => value }: Flag, text: string | boolean): unknown {
  const result = schema.safeParse(typeof text === 'string' ? read(text) : text)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new SandboxError(`Failed to read ${usage.split(' ', 1)[0]} (${JSON.stringify(text)}): ${issue === undefined ? 'it is not allowed' : expectation(issue)}. See --help.`)
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${issue.expected === 'int' ? 'an integer' : `a ${issue.expected}`}`
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return issue.origin === 'string' ? 'it must not be empty' : `it must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `it must be at most ${issue.maximum}`
    default:
      return issue.message.replace(/^must/, 'it must')
  }
}

function describe(schema: z.ZodType): string {
  return schema.description ?? ''
}
