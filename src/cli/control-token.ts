import { SandboxError } from '../errors.ts'
import type { ServeFlags } from './flags.ts'

type TokenFlags = Pick<ServeFlags, 'controlToken' | 'controlTokenEnv'>

/**
 * Reads the control token from its flag or from the environment. Returns undefined if neither is
 * set.
 * @throws {SandboxError}
 */
export function readControlToken({
  controlToken,
  controlTokenEnv: name,
}: TokenFlags): string | undefined {
  if (name === undefined) return controlToken
  if (controlToken !== undefined)
    throw new SandboxError(
      'Failed to read the control token: --control-token and --control-token-env are both set. ' +
        'Use only one.',
    )
  const token = process.env[name]
  if (token !== undefined && token !== '') return token
  throw new SandboxError(
    `Failed to read the control token (--control-token-env ${name}): the environment variable ` +
      'is not set or empty. Set it to the secret token.',
  )
}

/**
 * Returns the control token header, quoted for a shell, or undefined without a token. A token from
 * the environment is not printed.
 */
export function formatTokenHeader({
  controlToken,
  controlTokenEnv,
}: TokenFlags): string | undefined {
  if (controlTokenEnv !== undefined) return `"Authorization: Bearer $${controlTokenEnv}"`
  return controlToken && `'Authorization: Bearer ${controlToken.replaceAll("'", String.raw`'\''`)}'`
}
