import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for media and vault lists. */
export const vaultSizes = {
  vaultMedia: defineSize(
    () => count.describe('Number of media in the vault, of all four types.'),
    0,
  ),
  vaultLists: defineSize(
    () =>
      z
        .union([z.array(z.string().max(200)).max(10_000), count])
        .describe(
          'Names of custom vault lists, or the number of lists to create. With a number, the ' +
            'persona supplies the names.',
        ),
    [],
  ),
}
export type VaultSizes = SizeValues<typeof vaultSizes>
