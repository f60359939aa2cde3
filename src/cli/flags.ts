import { durationForms, parseDuration } from '../lib/time.ts'
import { z } from 'zod'
import { auditFormats, severities } from '../audit/rule.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import { defaultScenario, optionFields } from '../sandbox/option-fields.ts'
import { SiteOptions } from '../hosts/server/routing-options.ts'
import { Place } from '../hosts/server/network-exposure.ts'
import { parseNumber } from './parse-flags.ts'
import type { Flag, Parsed } from './parse-flags.ts'

const { clock } = optionFields
const { allowHosts, allowOrigins } = SiteOptions.shape
const { port, host, metrics } = Place.shape

/** The name of an environment variable that contains a secret. */
const variableName = z
  .string()
  .regex(/^\w{1,200}$/, { error: 'it must be the name of a variable, not its value' })

/** Default memory limit of a server, MB. */
export const defaultMaxMemory = 512

/** Flags of `serve`. Their schemas and descriptions come from the sandbox options. */
export const serveFlags = {
  port: fromOption('--port <number>', port),
  host: fromOption('--host <address>', host),
  scenario: {
    usage: '--scenario <name|file>',
    schema: z.string().min(1),
    help: 'The name of a shipped scenario, or the path of your own YAML file.',
    standard: defaultScenario,
  },
  seed: fromOption('--seed <number>', optionFields.seed),
  now: {
    usage: '--now <time>',
    schema: optionFields.now.unwrap(),
    read: parseNumber,
    help: 'The start time of the clock: now (the current UTC minute), today (00:00 UTC), RFC 3339 or epoch ms. Default: the start time in the scenario if it has a timeline or an anchor, otherwise now.',
  },
  clock: {
    usage: '--clock <mode>',
    schema: clock,
    help: `${describe(clock)} One of ${clock.unwrap().options.join(', ')}.`,
    standard: 'running',
  },
  rate: fromOption('--rate <number>', optionFields.rate),
  baseUrl: {
    usage: '--base-url <url>',
    schema: optionFields.baseUrl,
    help: `${describe(optionFields.baseUrl)} Default: http://HOST:PORT.`,
  },
  scenarios: {
    usage: '--scenarios <folder>',
    schema: z.string().min(1),
    help: 'A folder with your own scenarios. You can load the YAML files in this folder by name.',
  },
  allowHost: fromListOption('--allow-host <name>', allowHosts),
  allowOrigin: fromListOption('--allow-origin <origin>', allowOrigins),
  noCors: {
    usage: '--no-cors',
    schema: z.boolean(),
    help: 'Send no CORS headers, so pages of other origins cannot read the responses.',
  },
  keys: {
    usage: '--keys <kind>',
    schema: z.enum(['seeded', 'random']),
    help:
      'The kind of API keys. Seeded keys are the same in every run. Random keys cannot be ' +
      'guessed.',
    standard: 'seeded',
  },
  keysFile: {
    usage: '--keys-file <file>',
    schema: z.string().min(1),
    help:
      'Read the API keys from this JSON file, with a key for each role. If the file does not ' +
      'exist, it is created with random keys.',
  },
  liveKeyPrefix: fromListOption('--live-key-prefix <text>', optionFields.liveKeyPrefixes),
  allowLiveLookingKeys: fromOption('--allow-live-looking-keys', optionFields.allowLiveLookingKeys),
  onlyDocumented: fromOption('--only-documented', optionFields.documentedOnly),
  noGuesses: fromOption('--no-guesses', optionFields.noGuesses),
  overlay: {
    usage: '--overlay <file>',
    schema: z.array(z.string().min(1)).max(20),
    isList: true,
    help:
      'A YAML file that describes how the live service differs from the sandbox ' +
      '(docs/verify.md), such as the output of verify or watch. Can be repeated.',
  },
  journalSize: fromOption('--journal-size <number>', optionFields.journalSize),
  maxMemory: {
    usage: '--max-memory <MB>',
    schema: optionFields.maxMemory,
    read: parseNumber,
    help:
      'Maximum memory of the server and all its worlds, in MB. At the limit, it rejects requests ' +
      'that need memory (docs/security.md).',
    standard: String(defaultMaxMemory),
  },
  maxWorlds: fromOption('--max-worlds <number>', optionFields.maxWorlds),
  variation: {
    usage: '--variation <seed[:names]>',
    schema: VariationChoice,
    read: readVariation,
    help:
      'Vary responses within the contract, with a seed. Names select variations, such as ' +
      '7:large-ids,time-forms (docs/variation.md). Default: all variations.',
  },
  state: {
    usage: '--state <place>',
    schema: z.string().min(1),
    help:
      'Save all worlds in a folder, or in Redis or Valkey (redis://HOST:PORT/DB), so they ' +
      'survive a restart. If you start a server with the same --state again, it continues with ' +
      'the same scenario, seed and start. If the process is killed, at most the writes of the ' +
      'last 500 ms are lost. After SIGTERM, SIGINT or SIGHUP, nothing is lost (docs/server.md).',
  },
  stateReset: {
    usage: '--state-reset',
    schema: z.boolean(),
    help: 'Remove the saved state if its scenario, seed or start differs from the flags.',
  },
  statePrefix: {
    usage: '--state-prefix <text>',
    schema: z.string().regex(/^[\w:.-]{1,100}$/, {
      error: 'must have 1 to 100 letters, digits and the characters _ : . -',
    }),
    help: 'The prefix of all keys in Redis. Servers with different prefixes do not share worlds.',
    standard: 'creator-api-sandbox',
  },
  statePasswordEnv: {
    usage: '--state-password-env <name>',
    schema: variableName,
    help: 'The name of the environment variable that contains the Redis password.',
  },
  worldTtl: {
    usage: '--world-ttl <duration>',
    schema: z.number({ error: `must be a duration such as ${durationForms}` }).min(1),
    read: (text: string) => parseDuration(text) ?? text,
    help:
      'Remove isolated worlds that have not been used for this duration, such as 7d. ' +
      'Requires --state.',
  },
  controlToken: {
    usage: '--control-token <token>',
    schema: z.string().min(1),
    help: 'Require this token on the control plane, as Authorization: Bearer TOKEN.',
  },
  controlTokenEnv: {
    usage: '--control-token-env <name>',
    schema: variableName,
    help:
      'The name of the environment variable that contains the control token. This is safer ' +
      'than --control-token, because other users of the machine can read command line arguments.',
  },
  metrics: fromOption('--metrics', metrics),
  audit: {
    usage: '--audit',
    schema: z.boolean(),
    help:
      'When the server stops, print client mistakes and what they cost (docs/audit.md), ' +
      'based on the last --journal-size requests.',
  },
  failOn: {
    usage: '--fail-on <severity>',
    schema: z.enum(severities),
    help:
      'With --audit: exit with 1 if there is a finding of this severity or higher (error, ' +
      'warning or hint).',
  },
  exitWithParent: {
    usage: '--exit-with-parent',
    schema: z.boolean(),
    help: 'Stop when stdin closes, which happens when the parent process ends. Stdin must be a pipe.',
  },
  noWarnings: {
    usage: '--no-warnings',
    schema: z.boolean(),
    help:
      'Do not print client mistakes while the server runs. By default, the first one of each ' +
      'kind on each route is printed, at most 20 (docs/audit.md).',
  },
  quiet: {
    usage: '--quiet',
    schema: z.boolean(),
    help: 'Print only the base URL, and warnings and errors of the server itself.',
  },
} as const satisfies Record<string, Flag>

/** `7`, or `7:large-ids,time-forms`. */
function readVariation(text: string): unknown {
  const [seed = '', ...names] = text.split(/[:,]/)
  return { seed: parseNumber(seed), ...(names.length === 0 ? {} : { only: names }) }
}

/** Flags that `replay` accepts but `serve` does not. */
export const replayFlags = {
  speed: {
    usage: '--speed <number>',
    schema: z.number().min(0.1).max(1000),
    help: 'Story seconds per real second, 0.1 to 1000.',
    standard: '1',
  },
  from: {
    usage: '--from <place>',
    schema: z.string().min(1),
    help: "Where to start: a chapter, '2m' after the start of the story, or an RFC 3339 time.",
  },
  until: {
    usage: '--until <place>',
    schema: z.string().min(1),
    help: 'Where to stop, in the same formats as --from. Default: the end.',
  },
  loop: { usage: '--loop', schema: z.boolean(), help: 'Restart the story when it ends.' },
  paused: {
    usage: '--paused',
    schema: z.boolean(),
    help:
      'Wait until you press play in the console or send POST /_sandbox/replay. Stories that are ' +
      'loaded later wait too.',
  },
} as const satisfies Record<string, Flag>

/** Flag that `record` accepts but `serve` does not. */
export const recordFlags = {
  out: {
    usage: '--out <file>',
    schema: z.string().min(1),
    help: 'The scenario file to write. Required.',
  },
} as const satisfies Record<string, Flag>

/** Flag that `validate` accepts in addition to the scenario folder. */
export const validateFlags = {
  deep: {
    usage: '--deep',
    schema: z.boolean(),
    help: 'After each step of the story, also check that the records are consistent.',
  },
} as const satisfies Record<string, Flag>

const liveFlag = {
  usage: '--live <url>',
  schema: z.string().min(1).max(2_000),
  help: 'The URL of the live service, with https unless it is on this machine. Required.',
}
const enumsFlag = {
  usage: '--enums',
  schema: z.boolean(),
  help: 'Also report enum values that the sandbox does not know.',
}

/** The flags of `verify`. */
export const verifyFlags = {
  live: liveFlag,
  keyEnv: {
    usage: '--key-env <name>',
    schema: variableName,
    help:
      'The name of the environment variable that contains the API key. Default: a prompt ' +
      'without echo.',
  },
  account: {
    usage: '--account <id>',
    schema: z.string().regex(/^\d{1,20}$/),
    help: 'The account to send requests for. Default: the first account of the service.',
  },
  routes: {
    usage: '--routes <glob>',
    schema: z.string().min(1).max(500),
    help: 'Ids of the routes to compare, with * as a wildcard. Default: all read-only routes.',
  },
  credits: {
    usage: '--credits <number>',
    schema: z.int().min(1).max(100_000),
    help: 'Maximum credits to spend.',
    standard: '100',
  },
  enums: enumsFlag,
  overlay: serveFlags.overlay,
  report: {
    usage: '--report <file>',
    schema: z.string().min(1),
    help:
      'Write the results to this Markdown file. A later run with the same file continues ' +
      'where this run stopped.',
  },
  out: {
    usage: '--out <file>',
    schema: z.string().min(1),
    help: 'Write an overlay to this YAML file, which makes the sandbox behave like the service.',
  },
} as const satisfies Record<string, Flag>

/** The flags of `watch`. */
export const watchFlags = {
  live: liveFlag,
  port: { ...serveFlags.port, standard: '4011' },
  enums: enumsFlag,
  overlay: serveFlags.overlay,
  out: verifyFlags.out,
} as const satisfies Record<string, Flag>

/** Flags of `audit`, except the flags that select the recording. */
export const auditFlags = {
  format: {
    usage: '--format <form>',
    schema: z.enum(auditFormats),
    help: 'Output format: text, json or markdown.',
    standard: 'text',
  },
  failOn: {
    ...serveFlags.failOn,
    help: 'Exit with 1 if there is a finding of this severity or higher (error, warning or hint).',
  },
} as const satisfies Record<string, Flag>

export type ServeFlags = Parsed<typeof serveFlags>
export type VerifyFlags = Parsed<typeof verifyFlags>
export type WatchFlags = Parsed<typeof watchFlags>
export type ValidateFlags = Pick<ServeFlags, 'scenarios' | 'maxMemory'> &
  Parsed<typeof validateFlags>
export type AuditFlags = Pick<ServeFlags, 'scenarios' | 'maxMemory'> & Parsed<typeof auditFlags>
export type ReplayFlags = Omit<ServeFlags, 'scenario' | StateFlag> & Parsed<typeof replayFlags>
export type RecordFlags = Omit<ServeFlags, StateFlag> & Parsed<typeof recordFlags>

/** Flags that are available only for commands that save worlds. */
type StateFlag = 'state' | 'stateReset' | 'statePrefix' | 'statePasswordEnv' | 'worldTtl'

/** Creates a flag with the schema, the description and the default of an option. */
function fromOption<Schema extends z.ZodType>(usage: string, schema: Schema) {
  const standard = schema.safeParse(undefined).data
  const isShown = typeof standard === 'number' || typeof standard === 'string'
  return {
    usage,
    schema,
    help: describe(schema),
    ...(isShown ? { standard: String(standard) } : {}),
  }
}

/** Creates a flag that can be repeated, for an option that is a list. */
function fromListOption<Schema extends z.ZodType>(usage: string, schema: z.ZodDefault<Schema>) {
  const help = `${describe(schema)} Can be repeated.`
  return { usage, schema: schema.unwrap(), isList: true, help }
}

function describe(schema: z.ZodType): string {
  return schema.description ?? ''
}
