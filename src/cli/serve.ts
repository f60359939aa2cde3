import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { Place, requireToken } from '../hosts/server/place.ts'
import { openPort } from '../hosts/server/port.ts'
import { readControlToken } from './control-token.ts'
import type { ServeFlags } from './flags.ts'
import type { Host } from './host.ts'
import type { ServeHooks } from './serving.ts'

/**
 * How long the open port answers before loading the rest takes the process, ms: who waits for it
 * asks again and again.
 */
const greetingMs = 5

/**
 * Serves a sandbox until SIGTERM, SIGINT or SIGHUP. The port is open at once: what answers there is
 * loaded and seeded behind it.
 * @throws {SandboxError} when the flags do not fit together, or the address or the state file
 * cannot be had.
 */
export async function serve(
  flags: ServeFlags,
  host: Host,
  hooks: ServeHooks = {},
): Promise<Sandbox> {
  const place = Place.parse({ port: flags.port, host: flags.host })
  const controlToken = readControlToken(flags)
  requireToken(place.host, controlToken)
  requireAudit(flags)
  const port = await openPort(place)
  await new Promise((resolve) => setTimeout(resolve, greetingMs))
  try {
    const { serveFrom } = await import('./serving.ts')
    return await serveFrom({ flags, controlToken, port }, host, hooks)
  } catch (error) {
    await port.close()
    throw error
  }
}

function requireAudit({ audit = false, failOn }: Pick<ServeFlags, 'audit' | 'failOn'>): void {
  if (failOn !== undefined && !audit)
    throw new SandboxError(
      `Failed to serve with --fail-on ${failOn}: it goes with --audit. Give both.`,
    )
}
