import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable } from '../../data/define-table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A custom label of an account's posts. */
export const PostLabel = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  name: z.string(),
  /** True while the platform is removing the label from posts. */
  isClearInProgress: z.boolean().default(false),
}))
export type PostLabel = Readonly<z.infer<typeof PostLabel>>

export const postLabels = defineTable({
  schema: PostLabel,
  references: { accountId: 'accounts' },
  firstId: 41_000,
  indexes: {
    byAccount: { group: (label) => label.accountId, order: compareAscending((label) => label.id) },
  },
})

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
