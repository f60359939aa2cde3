import { z } from 'zod'
import { compareAscending, defineTable } from '../../data/define-table.ts'

/** A custom label of an account's posts. */
export const PostLabel = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    name: z.string(),
    /** True while the platform is removing the label from posts. */
    isClearInProgress: z.boolean().default(false),
  }),
)
export type PostLabel = Readonly<z.infer<typeof PostLabel>>

export const postLabels = defineTable({
  schema: PostLabel,
  references: { accountId: 'accounts' },
  firstId: 41_000,
  indexes: {
    byAccount: { group: (label) => label.accountId, order: compareAscending((label) => label.id) },
  },
})
