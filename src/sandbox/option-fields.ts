import { z } from 'zod'
import type { Log } from '../lib/log.ts'
import { momentForms, parseClockStart } from '../world/real-time.ts'
import type { MomentInput } from '../world/real-time.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import { createOptionalSchema } from '../lib/schema-parts.ts'
import { describeValue, SandboxError } from '../errors.ts'
import { createKeySource } from '../api/api-keys.ts'
import { isOverlayOption } from './overlay-routes.ts'
import type { OverlayChoice } from './overlay-routes.ts'

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_000)
  .transform((url) => `${new URL(url).origin}${new URL(url).pathname}`.replace(/(?<!\/)\/+$/, ''))

/** Maximum number of roles in a key list. */
const maxKeys = 1000

/** API keys by role. Each key must be unique and valid in a header. */
export const KeyList = z
  .record(
    z.string().min(1).max(100),
    z
      .string()
      .regex(/^[^\s\p{Cc}]{1,200}$/u, { error: 'must have 1 to 200 characters, without spaces' })
      .meta({ maxLength: 200 }),
  )
  .refine((keys) => Object.keys(keys).length <= maxKeys, {
    error: `must have at most ${maxKeys} keys`,
  })
  .meta({ maxProperties: maxKeys })
  .refine((keys) => new Set(Object.values(keys)).size === Object.keys(keys).length, {
    error: 'must have a different key for each role',
  })

/** The default scenario of a sandbox. */
export const defaultScenario = 'agency'

/**
 * Options of a sandbox that do not need scenario schemas. The command reads its flags from them
 * without loading the schemas of all resources.
 */
export const optionFields = {
  baseUrl: BaseUrl.prefault('http://127.0.0.1:4010').describe(
    'The URL that clients use. Media links start with this URL.',
  ),
  seed: z
    .int()
    .optional()
    .describe(
      'Random seed. The same seed and start always produce the same data. Default: the seed of ' +
        'the scenario.',
    ),
  now: z
    .custom<MomentInput>((given) => parseClockStart(given) !== undefined, {
      error: `must be ${momentForms}`,
    })
    .transform((given) => parseClockStart(given) ?? 0)
    .optional()
    .describe(
      'The start time of the clock: now (the current UTC minute), today (00:00 UTC), RFC 3339 or ' +
        'epoch ms. Default: the start time in the scenario.',
    ),
  clock: z
    .enum(['frozen', 'running'])
    .default('frozen')
    .describe('frozen: the time changes only if you move it. running: the clock runs.'),
  rate: z
    .number()
    .positive()
    .max(1_000_000)
    .default(1)
    .describe('Sandbox seconds per real second while the clock runs.'),
  keys: z
    .union([z.enum(['seeded', 'random']), KeyList], {
      error: "it must be 'seeded', 'random', or an object with a key for each role",
    })
    .default('seeded')
    .transform(createKeySource)
    .describe('The kind of API keys. Keys in a scenario always take priority.'),
  liveKeyPrefixes: z
    .array(
      z
        .string()
        .regex(/^[!-~]{1,100}$/, { error: 'must have 1 to 100 visible ASCII characters' })
        .max(100),
    )
    .max(100)
    .default([])
    .describe(
      'Additional prefixes of live keys. Keys such as acme_live_… and acme_prod_… always count ' +
        'as live. Live keys are rejected and masked (docs/security.md).',
    ),
  allowLiveLookingKeys: z
    .boolean()
    .default(false)
    .describe('Accept API keys that look like keys of the live service.'),
  documentedOnly: z
    .boolean()
    .default(false)
    .describe(
      'Serve only the routes that the reference documents. Other routes return 404. Vault media ' +
        'then have only the documented fields.',
    ),
  noGuesses: z
    .boolean()
    .default(false)
    .describe('Do not serve routes that are inferred by analogy. These routes return 404.'),
  overlay: z
    .custom<OverlayChoice>(isOverlayOption, {
      error:
        'must be the path of a YAML file, an object with routes, a list of up to 20 of these, ' +
        'or the result of readOverlay',
    })
    .optional()
    .describe(
      'Differences between the live service and the sandbox (docs/verify.md): the path of a ' +
        'YAML file, an object, a list of these in order, or the result of readOverlay. Files ' +
        'are read before `ready`. Default: no overlay.',
    ),
  variation: createOptionalSchema(() => VariationChoice).describe(
    'Vary responses within the contract (docs/variation.md). Default: no variation.',
  ),
  journalSize: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(1000)
    .describe('Maximum number of requests in the journal.'),
  bodyLimit: z
    .int()
    .min(1)
    .max(64 * 1024 * 1024)
    .default(1024 * 1024)
    .describe('Maximum size of a request body, in bytes. Larger bodies get 413.'),
  maxMemory: z
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe(
      'Maximum memory of the sandbox and all its worlds in MB, as counted by the sandbox ' +
        '(docs/security.md). Default: no limit.',
    ),
  maxWorlds: z
    .int()
    .min(0)
    .max(100_000)
    .default(256)
    .describe(
      'Maximum number of isolated worlds. At the limit, the sandbox drops a world that has been ' +
        'unused for five minutes. If all worlds were used within that time, the request gets 503.',
    ),
  warn: z
    .boolean()
    .default(false)
    .describe(
      'Call console.warn when an audit rule finds its first error or warning on a route ' +
        '(docs/audit.md), at most 20 times.',
    ),
  realTime: z
    .custom<() => number>((value) => typeof value === 'function' && Number.isFinite(value()), {
      error: 'must be a function that returns epoch ms, such as Date.now',
    })
    .optional()
    .describe(
      'Returns the real time, epoch ms. If this function is set, the journal shows when requests ' +
        "arrived and how long they took, and worlds' idle time is measured with this function. " +
        'Default: the journal omits real times, and idle time is measured with the system clock.',
    ),
  log: z
    .custom<Log>((value) => typeof value === 'function', { error: 'must be a function' })
    .optional()
    .describe(
      "Called with errors of the sandbox itself (level 'error') and other messages, such as " +
        "unknown paths (level 'note'). Default: no log.",
    ),
}

/**
 * Validates a base URL and removes its trailing slash.
 *
 * @throws {SandboxError} that names the value and the allowed values
 */
export function parseBaseUrl(value: unknown): string {
  const result = BaseUrl.safeParse(value)
  if (result.success) return result.data
  const problem = result.error.issues[0]?.message ?? 'is not allowed'
  throw new SandboxError(
    `Failed to set the base URL (${describeValue(value)}): it ${problem}. Use a URL such as ` +
      'http://127.0.0.1:3000/api.',
  )
}
