import { z } from 'zod'
import { Warnings } from '../audit/warnings.ts'
import { checkInput } from '../api/check-input.ts'
import { createOptionalSchema } from '../lib/schema-parts.ts'
import type { Conditions } from '../world/world-options.ts'
import { CredentialPatterns } from '../lib/credentials.ts'
import type { LiveKeyOptions } from '../lib/credentials.ts'
import { truncateForMessage, SandboxError } from '../errors.ts'
import type { ExtendedScenario } from '../generated/inputs.ts'
import { isScenarioPath } from '../scenario/prepare.ts'
import { AccountData, Scenario } from '../scenario/schema.ts'
import { OverlayRoutes } from './overlay-routes.ts'
import { defaultScenario, optionFields } from './option-fields.ts'

/**
 * Options of a sandbox. This schema defines their types, defaults, validation and command-line
 * help.
 */
export const SandboxOptions = z.strictObject({
  scenario: z
    .union([z.string().max(4096), Scenario], {
      error:
        'it must be the name of a shipped scenario, the path of a YAML file, or a scenario as ' +
        'an object',
    })
    .default(defaultScenario)
    .describe(
      'The name of a shipped scenario, the path of a YAML file, or your own scenario as an ' +
        'object, which may extend another one. Files are read before `ready` (Node.js only).',
    ),
  library: z
    .array(Scenario)
    .max(1000)
    .optional()
    .describe('Scenarios that can be loaded by name, in addition to the shipped scenarios.'),
  data: createOptionalSchema(() => AccountData.unwrap().partial()).describe(
    'Number of records of each kind to generate for each account of the scenario.',
  ),
  ...optionFields,
})
export type SandboxOptions = Omit<z.input<typeof SandboxOptions>, 'scenario'> & {
  scenario?: z.input<typeof SandboxOptions.shape.scenario> | ExtendedScenario
}

/** Options with all defaults filled in, and the state that all worlds of the sandbox share. */
export type ResolvedOptions = z.output<typeof SandboxOptions> & {
  conditions: Conditions
  /** A scenario that must be read before it can be loaded. It replaces `scenario`. */
  unread: string | ExtendedScenario | undefined
  /** Routes with overlays applied. */
  overlaid: OverlayRoutes
  /** The warnings about client mistakes that have already been logged. */
  warnings: Warnings
  /** True if the clock starts at the current time, unless `now` or the scenario sets a start. */
  beginsNow: boolean
  /** True if a story that is loaded later waits at its start, unless `cue` is false. */
  cuesStories?: boolean | undefined
}

/**
 * Validates options and fills in defaults.
 *
 * @throws {SandboxError} that names the option, the value and the allowed values
 */
export function parseOptions(options: object): ResolvedOptions {
  const { scenario, rate } = (options ?? {}) as { scenario?: unknown; rate?: unknown }
  const extended = isExtended(scenario) ? scenario : undefined
  const resolved = checkInput(
    SandboxOptions,
    // Validates a scenario that extends another one only after the other one has been loaded.
    extended === undefined ? options : { ...options, scenario: undefined },
    { verb: 'create the sandbox' },
  )
  if (rate !== undefined && resolved.clock === 'frozen') {
    throw new SandboxError(
      `Failed to create the sandbox (rate: ${resolved.rate}): the clock is frozen, so the rate ` +
        `has no effect. Add clock: 'running', or pass the rate to sandbox.clock.run.`,
    )
  }
  rejectLiveKeys(options, resolved)
  const { scenario: name } = resolved
  return {
    ...resolved,
    unread: extended ?? (typeof name === 'string' && isScenarioPath(name) ? name : undefined),
    conditions: {},
    overlaid: new OverlayRoutes(resolved.overlay),
    warnings: new Warnings(),
    beginsNow: false,
  }
}

function isExtended(scenario: unknown): scenario is ExtendedScenario {
  return typeof scenario === 'object' && scenario !== null && 'extends' in scenario
}

/** Rejects keys that look like production keys. The error message does not contain the key. */
function rejectLiveKeys({ keys }: { keys?: unknown }, resolved: LiveKeyOptions): void {
  if (typeof keys !== 'object' || keys === null) return
  const credentials = new CredentialPatterns(resolved)
  for (const [role, key] of Object.entries(keys))
    if (credentials.refuses(String(key)))
      throw new SandboxError(
        `Failed to create the sandbox (keys.${truncateForMessage(role, 80)}): it looks like a key of a live ` +
          'service. Use another key, or set allowLiveLookingKeys: true.',
      )
}
