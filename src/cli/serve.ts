import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { Place, requireControlToken } from '../hosts/server/network-exposure.ts'
import { openPort } from '../hosts/server/port.ts'
import { readControlToken } from './control-token.ts'
import type { ServeFlags } from './flags.ts'
import type { Host } from './host.ts'
import { requireStdinPipe } from './parent-process.ts'
import type { ServeHooks } from './serve-on-port.ts'

/**
 * Delay before loading blocks the process, ms. During the delay, the server responds to clients
 * that are already waiting.
 */
const firstAnswersMs = 5

/**
 * Serves a sandbox until SIGTERM, SIGINT or SIGHUP. Opens the port before it loads and seeds data.
 * @throws {SandboxError} if the flags conflict, or if the address or the state file is not
 * available
 */
export async function serve(
  flags: ServeFlags,
  host: Host,
  hooks: ServeHooks = {},
): Promise<Sandbox> {
  const place = Place.parse({ port: flags.port, host: flags.host })
  const controlToken = readControlToken(flags)
  requireControlToken(place.host, controlToken)
  requireAudit(flags)
  if (flags.exitWithParent === true) requireStdinPipe()
  const port = await openPort(place)
  await new Promise((resolve) => setTimeout(resolve, firstAnswersMs))
  try {
    const { serveOnPort } = await import('./serve-on-port.ts')
    return await serveOnPort({ flags, controlToken, port }, host, hooks)
  } catch (error) {
    await port.close()
    throw error
  }
}

function requireAudit({ audit = false, failOn }: Pick<ServeFlags, 'audit' | 'failOn'>): void {
  if (failOn !== undefined && !audit)
    throw new SandboxError(
      `Failed to serve with --fail-on ${failOn}: it needs --audit. Add --audit.`,
    )
}
