import { Digest } from '../lib/digest.ts'
import { version } from '../generated/version.ts'
import type { ResolvedOptions } from './options.ts'
import type { ActiveScenario } from './active-scenario.ts'

/**
 * Computes a digest of everything that determines a scenario's data and responses, as 16
 * hexadecimal digits. Comparing digests shows if a server's replicas have the same configuration.
 * Keys are excluded, because the digest is public. The base URL is excluded, because it does not
 * affect the data.
 */
export function computeDigest(options: ResolvedOptions, { source, world }: ActiveScenario): string {
  const { clock, rate, data, bodyLimit, documentedOnly, noGuesses, overlaid } = options
  const { seed, start, transcodingMs } = world.options
  const digest = new Digest()
  const answers = { clock, rate, data, bodyLimit, documentedOnly, noGuesses }
  digest.add({ version, source, seed, start, transcodingMs, ...answers })
  if (overlaid.routes !== undefined) digest.add(overlaid.routes.overlays)
  return digest.text
}
