import { z } from 'zod'
import { check } from '../../control/check.ts'

const Listening = z.string().min(1).max(255)
const HostName = z.string().regex(/^(?:[\w.-]{1,253}|[\da-f:.]{2,45})$/i, {
  error: 'must be a name or an IP address, without a port',
})

const Origin = z
  .string()
  .regex(/^(?:null|[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@*]{1,260}\/?)$/i, {
    error: 'must be an origin such as https://app.example.test, or null',
  })
  .transform(toOrigin)

/**
 * Names and origins that a server answers. The flags of the command line take their schema and help
 * from here.
 */
export const SiteOptions = z.strictObject({
  hosts: z
    .array(Listening)
    .readonly()
    .default([])
    .describe(
      'The names and addresses that the server listens on. With one that is not loopback, it ' +
        'answers to every IP address.',
    ),
  allowHosts: z
    .array(HostName)
    .readonly()
    .default([])
    .describe('Another name that the server answers to, such as that of a container.'),
  allowOrigins: z
    .array(Origin)
    .readonly()
    .default([])
    .describe(
      'An origin whose pages may call the API, such as https://app.example.test, or null. ' +
        'Loopback origins always may.',
    ),
  cors: z
    .boolean()
    .default(true)
    .describe(
      'Let pages of admitted origins read the answers of the API: false sends no CORS ' +
        'headers.',
    ),
  controlToken: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A token that clients of the control plane must send as Authorization: Bearer TOKEN.',
    ),
})
export type SiteOptions = z.input<typeof SiteOptions>

/** Options with defaults. */
export type ResolvedSiteOptions = z.output<typeof SiteOptions>

/**
 * Checks the options of a server and fills in the defaults.
 * @throws {SandboxError} that names the option, the value and what is allowed.
 */
export function parseSiteOptions(options: SiteOptions): ResolvedSiteOptions {
  return check(SiteOptions, options, { verb: 'create the server' })
}

/** Writes an origin as browsers send it: in lower case, without a default port. */
function toOrigin(text: string): string {
  const plain = text.toLowerCase().replace(/\/$/, '')
  return /^https?:/.test(plain) ? new URL(plain).origin : plain
}
