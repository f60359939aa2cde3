import type { RequestListener } from 'node:http'
import { SandboxError } from '../../errors.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'

/**
 * Lets the control plane of a sandbox tell what a server counts, and returns what counts a request.
 * Who wants that installs the library, which nobody else loads. @throws {SandboxError} without it
 */
export async function loadMetrics(served: ServedSandbox): Promise<RequestListener> {
  const { createMetrics } = await import('./metrics.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SandboxError(
      'Failed to count for the metrics: prom-client is not installed. Install it: npm install ' +
        'prom-client.',
      {
        cause: error,
      },
    )
  })
  const { observe, write } = createMetrics(served)
  served.writeMetrics = write
  return observe
}
