import { Digest } from '../lib/digest.ts'
import { version } from '../generated/version.ts'
import type { ResolvedOptions } from './options.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/**
 * Computes a digest of all that determines the data and answers of a scenario, 16 hexadecimal
 * digits. Replicas of a server compare it. It contains no keys, because everyone may read it, and
 * not the base URL, which does not change the data.
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
