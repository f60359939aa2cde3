import { z } from 'zod'
import { SandboxError } from '../../errors.ts'
import { getDefaultApiKey } from '../../api/api-keys.ts'
import type { Log } from '../../lib/log.ts'
import { isLoopbackHost } from '../../lib/url.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/**
 * Options for a server's address, port and metrics. The command's flags use these schemas and
 * descriptions.
 */
export const Place = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(4010)
    .describe('The port to listen on. 0 selects a free port.'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. An address other than loopback requires a control token.'),
  metrics: z
    .boolean()
    .default(false)
    .describe(
      'Serve Prometheus metrics at /_sandbox/metrics: request counts, durations, worlds ' +
        'and memory (docs/scale.md). Requires the package prom-client.',
    ),
})
export type Place = z.output<typeof Place>

/**
 * Requires a control token if other machines can reach the control plane.
 *
 * @throws {SandboxError} if the token is missing
 */
export function requireControlToken(host: string, controlToken: string | undefined): void {
  if (controlToken !== undefined || isLoopbackHost(host)) return
  throw new SandboxError(
    `Failed to serve on ${host}: its control plane would be open to the network. Set a control ` +
      'token (--control-token-env, --control-token, controlToken).',
  )
}

type State = ReturnType<Sandbox['control']['state']>
export type KeyRecord = Pick<State['keys'][number], 'key' | 'role'>

/** Warns about guessable API keys if other machines can reach the server. */
export function warnAboutSeededKeys({ control }: Sandbox, host: string, log: Log): void {
  if (isLoopbackHost(host) || !control.state().keys.some(isSeededKey)) return
  log(
    'Warning: the API keys are derived from their roles, so other machines can guess them. Use ' +
      "random keys (--keys random, --keys-file FILE, keys: 'random').",
    'note',
  )
}

/** True if a key is its role's seeded key. */
export function isSeededKey({ key, role }: KeyRecord): boolean {
  return key === getDefaultApiKey(role)
}
