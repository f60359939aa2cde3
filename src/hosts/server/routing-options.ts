import { z } from 'zod'
import { checkInput } from '../../api/check-input.ts'

const Listening = z.string().min(1).max(255)
const HostName = z.string().regex(/^(?:[\w.-]{1,253}|[\da-f:.]{2,45})$/i, {
  error: 'it must be a host name or an IP address, without a port',
})

const Origin = z
  .string()
  .regex(/^(?:null|[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@*]{1,260}\/?)$/i, {
    error: 'it must be an origin such as https://app.example.test, or null',
  })
  .transform(toOrigin)

/**
 * Options for the hosts and origins that a server accepts. The command's flags use these schemas
 * and descriptions.
 */
export const SiteOptions = z.strictObject({
  hosts: z
    .array(Listening)
    .readonly()
    .default([])
    .describe(
      'The names and addresses that the server listens on. If one of them is not a loopback ' +
        'address, the Host header may contain any IP address.',
    ),
  allowHosts: z
    .array(HostName)
    .readonly()
    .default([])
    .describe('An additional host name that the server accepts, such as the name of a container.'),
  allowOrigins: z
    .array(Origin)
    .readonly()
    .default([])
    .describe(
      'An additional origin whose pages may call the API, such as https://app.example.test, or ' +
        'null. Loopback origins are always allowed.',
    ),
  cors: z
    .boolean()
    .default(true)
    .describe('Send CORS headers, so pages of allowed origins can read the responses of the API.'),
  controlToken: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The token that clients of the control plane must send as Authorization: Bearer TOKEN.',
    ),
})
export type SiteOptions = z.input<typeof SiteOptions>

/** Server options with defaults filled in. */
export type ResolvedRoutingOptions = z.output<typeof SiteOptions>

/**
 * Validates the server options and fills in defaults.
 *
 * @throws {SandboxError} that names the option, the value and the allowed values
 */
export function parseRoutingOptions(options: SiteOptions): ResolvedRoutingOptions {
  return checkInput(SiteOptions, options, { verb: 'create the server' })
}

/** Normalises an origin to the form that browsers send: lower case, without a default port. */
function toOrigin(text: string): string {
  const plain = text.toLowerCase().replace(/\/$/, '')
  return /^https?:/.test(plain) ? new URL(plain).origin : plain
}
