import { z } from 'zod'
import { show } from '../control/check.ts'
import type { Log } from '../lib/log.ts'
import { momentForms, readStart } from '../world/real-time.ts'
import type { MomentInput } from '../world/real-time.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import { whenGiven } from '../lib/when-given.ts'
import { SandboxError } from '../errors.ts'
import { createKeyMaker } from '../scenario/keys.ts'
import { isOverlayChoice } from './overlay-routes.ts'
import type { OverlayChoice } from './overlay-routes.ts'

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2_000)
  .transform((url) => `${new URL(url).origin}${new URL(url).pathname}`.replace(/(?<!\/)\/+$/, ''))

/** Maximum number of roles in a list of keys. */
const maxKeys = 1000

/** API keys by role. Each must be valid in a header, and no two roles share a key. */
export const KeyList = z
  .record(
    z.string().min(1).max(100),
    z
      .string()
      .regex(/^[^\s\p{Cc}]{1,200}$/u, { error: 'must be 1 to 200 characters without spaces' })
      .meta({ maxLength: 200 }),
  )
  .refine((keys) => Object.keys(keys).length <= maxKeys, {
    error: `must have at most ${maxKeys} keys`,
  })
  .meta({ maxProperties: maxKeys })
  .refine((keys) => new Set(Object.values(keys)).size === Object.keys(keys).length, {
    error: 'must have another key for each role',
  })

/** The default scenario of a sandbox. */
export const defaultScenario = 'agency'

/**
 * The options of a sandbox, without those about parts of a scenario. The command parses its flags
 * with them, and so avoids loading the schemas of all resources.
 */
export const optionFields = {
  baseUrl: BaseUrl.prefault('http://127.0.0.1:4010').describe(
    'The URL that clients use. Media links begin with it.',
  ),
  seed: z
    .int()
    .optional()
    .describe(
      'Random seed. The same seed and clock start give the same bytes. Default: the ' +
        "scenario's.",
    ),
  now: z
    .custom<MomentInput>((given) => readStart(given) !== undefined, {
      error: `must be ${momentForms}`,
    })
    .transform((given) => readStart(given) ?? 0)
    .optional()
    .describe(
      "The clock's start: now (the UTC minute), today (00:00 UTC), RFC 3339 or epoch ms. " +
        "Default: the scenario's.",
    ),
  clock: z
    .enum(['frozen', 'running'])
    .default('frozen')
    .describe('frozen: time stands until it is moved. running: it runs.'),
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
    .transform(createKeyMaker)
    .describe('The source of the API keys. Keys that a scenario contains always apply.'),
  liveKeyPrefixes: z
    .array(
      z
        .string()
        .regex(/^[!-~]{1,100}$/, { error: 'must be 1 to 100 visible ASCII characters' })
        .max(100),
    )
    .max(100)
    .default([])
    .describe(
      'More prefixes of keys that look live, besides those such as acme_live_ and acme_prod_. A key ' +
        'that looks live is refused and masked (docs/security.md).',
    ),
  allowLiveLookingKeys: z.boolean().default(false).describe('Accept keys that look live.'),
  documentedOnly: z
    .boolean()
    .default(false)
    .describe(
      'Leave out the routes that the reference does not document: they answer 404. Also leave out ' +
        'the fields of a vault media item that it does not show.',
    ),
  noGuesses: z
    .boolean()
    .default(false)
    .describe('Leave out the routes that are inferred only by analogy: they answer 404.'),
  overlay: z
    .custom<OverlayChoice>(isOverlayChoice, {
      error:
        'must be the path of a YAML file, an object with routes, up to 20 of them in a list, or ' +
        'what readOverlay gives',
    })
    .optional()
    .describe(
      'Differences of the live service from the sandbox (docs/overlays.md): a YAML ' +
        'file by its path, an object, or several in ' +
        'order, which are read before `ready`, or the result of readOverlay. Default: no overlay.',
    ),
  variation: whenGiven(() => VariationChoice).describe(
    'Varies answers within the contract (docs/variation.md). Default: no variation.',
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
    .describe('Maximum size of a request body, bytes. A larger one gets 413.'),
  maxMemory: z
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe(
      'The memory that the sandbox may use with all its worlds, MB as it counts them ' +
        '(docs/security.md). Default: no limit.',
    ),
  maxWorlds: z
    .int()
    .min(0)
    .max(100_000)
    .default(256)
    .describe(
      'Maximum number of isolated worlds. Beyond it, a world that was unused for five minutes ' +
        'is dropped; without one, the request gets 503.',
    ),
  warn: z
    .boolean()
    .default(false)
    .describe(
      'Write a line with console.warn the first time that a rule of the audit finds an error or a ' +
        'warning on a route (docs/audit.md), at most 20.',
    ),
  realTime: z
    .custom<() => number>((value) => typeof value === 'function' && Number.isFinite(value()), {
      error: 'must be a function that returns epoch ms, such as Date.now',
    })
    .optional()
    .describe(
      'Reads real time, epoch ms, so that the journal shows when requests came and how long they ' +
        'took. Default: it shows neither. ' +
        'It also measures how long a world is unused. Without it, the clock of the machine does.',
    ),
  log: z
    .custom<Log>((value) => typeof value === 'function', { error: 'must be a function' })
    .optional()
    .describe(
      "Receives errors of the sandbox itself (with 'error') and other messages, " +
        "such as unknown paths ('note'). Default: no log.",
    ),
}

/**
 * Checks a base URL that is set later, and removes its trailing slash.
 * @throws {SandboxError} that names the value and what is allowed.
 */
export function parseBaseUrl(value: unknown): string {
  const result = BaseUrl.safeParse(value)
  if (result.success) return result.data
  const problem = result.error.issues[0]?.message ?? 'is not allowed'
  throw new SandboxError(
    `Failed to set the base URL (${show(value)}): it ${problem}. Give one such as ` +
      `http://127.0.0.1:3000/api.`,
  )
}
