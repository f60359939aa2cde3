import { Digest } from '../lib/digest.ts'
import { version } from '../generated/version.ts'
import type { ResolvedOptions } from './options.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/**
 * A digest of all that the seeded state of a loaded and its answers follow from, 16 hexadecimal
 * digits: replicas of a server compare it. The keys are left out, for everybody may read it, and
 * the base address, which does not change what a world holds.
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
