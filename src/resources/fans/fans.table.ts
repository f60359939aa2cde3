import { z } from 'zod'
import { ascending, defineTable } from '../../data/define-table.ts'

/** A user of the platform who follows creators. */
export const Fan = z.lazy(() =>
  z.object({
    id: z.int(),
    name: z.string(),
    username: z.string(),
    /** Null for a user without one. */
    avatar: z.string().nullable(),
    /** The price of a subscription to this user, who may be a creator too; 0 otherwise. */
    subscribePrice: z.number().default(0),
    lastSeen: z.iso.datetime(),
    /** True if the fan hides when they were last seen. */
    hidesLastSeen: z.boolean().optional(),
    /** False once the profile is closed; absent before. */
    isActive: z.boolean().optional(),
  }),
)
export type Fan = Readonly<z.infer<typeof Fan>>

export const fans = defineTable({
  schema: Fan,
  firstId: 218_000_000,
  indexes: {
    byUsername: {
      group: (fan) => fan.username.toLowerCase(),
      order: ascending((fan) => fan.id),
    },
  },
})

/**
 * The key of a fan on an account, such as `310240117:218000005`: the group in indexes, or the id of
 * the record.
 */
export function fanKey(accountId: number, fanId: number): string {
  return `${accountId}:${fanId}`
}
