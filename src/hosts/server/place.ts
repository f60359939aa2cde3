import { z } from 'zod'
import { SandboxError } from '../../errors.ts'

/**
 * Address, port and metrics of a server. The flags of the command line take their schema and help
 * from here.
 */
export const Place = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(4010)
    .describe('The port to listen on; 0 picks a free one.'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. Any other than a loopback one needs a control token.'),
  metrics: z
    .boolean()
    .default(false)
    .describe(
      'Count requests, times, worlds and memory, for Prometheus, at /_sandbox/metrics ' +
        '(docs/scale.md). Needs prom-client installed.',
    ),
})
export type Place = z.output<typeof Place>

/**
 * Requires a control token if other machines can reach the control plane. @throws {SandboxError}
 * without one
 */
export function requireToken(host: string, controlToken: string | undefined): void {
  if (controlToken !== undefined || isLoopback(host)) return
  throw new SandboxError(
    `Failed to serve on ${host}: its control plane would be open to the network. Give a control ` +
      `token too (--control-token-env, --control-token, controlToken).`,
  )
}

/** True if only this machine can reach a server on that host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
