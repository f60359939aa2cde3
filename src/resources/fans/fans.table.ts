import { z } from 'zod'
import { ascending, defineTable } from '../../engine/store/table.ts'

/** A user of the platform who follows creators. */
export const Fan = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string(),
  /** What following this user costs, should they be a creator too. */
  subscribePrice: z.number(),
  lastSeen: z.iso.datetime(),
})
export type Fan = Readonly<z.infer<typeof Fan>>

export const fans = defineTable({
  schema: Fan,
  firstId: 218_000_000,
  indexes: { byUsername: { group: (fan) => fan.username.toLowerCase(), order: ascending((fan) => fan.id) } },
})

/** The group of one fan on one account, in every index that has such groups. */
export function fanKey(accountId: number, fanId: number): string {
  return `${accountId}:${fanId}`
}
