import { z } from 'zod'
import { Warnings } from '../audit/warnings.ts'
import { check, show } from '../control/check.ts'
import { whenGiven } from '../lib/when-given.ts'
import type { Conditions } from '../world/world-options.ts'
import { CredentialForms } from '../lib/credentials.ts'
import type { LiveKeyOptions } from '../lib/credentials.ts'
import { cut, SandboxError } from '../errors.ts'
import { AccountData, Scenario } from '../scenario/schema.ts'
import { OverlayRoutes } from './overlay-routes.ts'
import { defaultScenario, optionFields } from './option-fields.ts'

/**
 * The options of a sandbox. Types, defaults, checks and the help of the command line all come from
 * this schema.
 */
export const SandboxOptions = z.strictObject({
  scenario: z
    .union([z.string().max(200), Scenario], {
      error: 'it must be the name of a shipped scenario, or a scenario as an object',
    })
    .default(defaultScenario)
    .describe('The name of a shipped scenario, or a scenario of your own.'),
  library: z
    .array(Scenario)
    .max(1000)
    .optional()
    .describe('Scenarios that can be loaded by their names, besides the shipped ones.'),
  data: whenGiven(() => AccountData.unwrap().partial()).describe(
    'Sizes that replace those of every account of the scenario.',
  ),
  ...optionFields,
})
export type SandboxOptions = z.input<typeof SandboxOptions>

/** Options with every default filled in, and state that all worlds of the sandbox share. */
export type ResolvedOptions = z.output<typeof SandboxOptions> & {
  conditions: Conditions
  /** The routes with overlays. */
  overlaid: OverlayRoutes
  /** The mistakes of clients that were warned of. */
  warnings: Warnings
  /** True if the clock starts now unless `now` or the scenario gives a start. */
  beginsNow: boolean
}

/**
 * Checks options and fills in the defaults. @throws {SandboxError} that names the option, the value
 * and what is allowed.
 */
export function parseOptions(options: object): ResolvedOptions {
  const { scenario, rate } = (options ?? {}) as { scenario?: unknown; rate?: unknown }
  if (typeof scenario === 'object' && scenario !== null && 'extends' in scenario) {
    throw new SandboxError(
      `Failed to create the sandbox (scenario.extends: ${show(scenario.extends)}): only YAML ` +
        `can extend another scenario. ` +
        'Load it with sandbox.control.loadScenario({ yaml }).',
    )
  }
  const resolved = check(SandboxOptions, options, { verb: 'create the sandbox' })
  if (rate !== undefined && resolved.clock === 'frozen') {
    throw new SandboxError(
      `Failed to create the sandbox (rate: ${resolved.rate}): the clock is frozen, and has no ` +
        `rate. ` +
        "Give clock: 'running' too, or a rate to sandbox.clock.run.",
    )
  }
  refuseLiveKeys(options, resolved)
  return {
    ...resolved,
    conditions: {},
    overlaid: new OverlayRoutes(resolved.overlay),
    warnings: new Warnings(),
    beginsNow: false,
  }
}

/** Refuses keys of a live service. The message does not repeat the key. */
function refuseLiveKeys({ keys }: { keys?: unknown }, resolved: LiveKeyOptions): void {
  if (typeof keys !== 'object' || keys === null) return
  const credentials = new CredentialForms(resolved)
  for (const [role, key] of Object.entries(keys))
    if (credentials.refuses(String(key)))
      throw new SandboxError(
        `Failed to create the sandbox (keys.${cut(role, 80)}): it looks like the key of a live ` +
          `service. Give another key, or allowLiveLookingKeys: true.`,
      )
}
