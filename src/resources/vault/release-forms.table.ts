import { z } from 'zod'
import { defineTable } from '../../data/define-table.ts'
import { ReleaseFormUser } from './schemas.ts'

/**
 * The consent of a person who appears in media. The person is another creator (partner) or a guest.
 */
export const ReleaseForm = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    name: z.string(),
    partnerSource: z.string().nullable().default(null),
    type: z.enum(['partner', 'guest']),
    user: ReleaseFormUser,
  }),
)
export type ReleaseForm = Readonly<z.infer<typeof ReleaseForm>>

export const releaseForms = defineTable({
  schema: ReleaseForm,
  references: { accountId: 'accounts' },
  firstId: 88_100,
  indexes: {},
})
