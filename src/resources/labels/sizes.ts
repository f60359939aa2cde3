import { z } from 'zod'
import { size } from '../../engine/sizes.ts'
import type { SizesOf } from '../../engine/sizes.ts'

/** The settings of a scenario for the post labels of an account. */
export const labelSizes = {
  labels: size(() => z.array(z.string().max(200)).max(10_000).describe('Names of post labels.'), []),
}
export type LabelSizes = SizesOf<typeof labelSizes>
