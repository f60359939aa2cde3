import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for the post labels of an account. */
export const labelSizes = {
  labels: defineSize(
    () =>
      z
        .union([z.array(z.string().max(200)).max(10_000), count.max(10_000)])
        .describe(
          'Names of post labels, or the number of labels to create. With a number, the persona ' +
            'supplies the names and the topics of the labelled posts.',
        ),
    [],
  ),
}
export type LabelSizes = SizeValues<typeof labelSizes>
