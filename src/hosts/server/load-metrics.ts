import type { RequestListener } from 'node:http'
import { isMissingPackage } from '../../lib/file-errors.ts'
import { SandboxError } from '../../errors.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'

/**
 * Loads prom-client, adds metrics to the control plane, and returns the listener that counts
 * requests.
 *
 * @throws {SandboxError} if prom-client is not installed
 */
export async function addMetrics(served: ServedSandbox): Promise<RequestListener> {
  const { createMetrics } = await import('./metrics.ts').catch((error: unknown) => {
    if (!isMissingPackage(error)) throw error
    throw new SandboxError(
      'Failed to start the metrics: prom-client is not installed. Install it with npm install ' +
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
