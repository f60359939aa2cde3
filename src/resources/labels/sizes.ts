import { z } from 'zod'
import { size } from '../../engine/sizes.ts'
import type { SizesOf } from '../../engine/sizes.ts'

/** Which labels a scenario can ask for. */
export const labelSizes = {
  labels: size(() => z.array(z.string()).describe('Names of post labels.'), []),
}
export type LabelSizes = SizesOf<typeof labelSizes>
