import { Digest } from '../lib/digest.ts'
import { version } from '../generated/version.ts'
import type { ResolvedOptions } from './options.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/**
 * Computes a digest of everything that determines the data and answers of a scenario, 16
 * hexadecimal digits, to compare replicas of a server. It does not depend on the keys, because it
 * is public, nor on the base URL, which does not affect the data.
 */
export function digestOf(options: ResolvedOptions, { source, world }: LoadedScenario): string {
  const { clock, rate, data, bodyLimit, documentedOnly, noGuesses, overlaid } = options
  const { seed, start, transcodingMs } = world.options
  const digest = new Digest()
  digest.add({
    version,
    source,
    seed,
    start,
    transcodingMs,
    clock,
    rate,
    data,
    bodyLimit,
    documentedOnly,
    noGuesses,
  })
  if (overlaid.routes !== undefined) digest.add(overlaid.routes.overlays)
  return digest.text
}
