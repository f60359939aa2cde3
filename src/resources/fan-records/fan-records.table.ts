import { z } from 'zod'
import { defineTable } from '../../engine/store/table.ts'

/** The organisation's private notes about one fan of one account. The platform has none of them. */
export const FanRecord = z.object({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  timezone: z.string().nullable(),
  birthday: z.string().nullable(),
  city: z.string().nullable(),
})
export type FanRecord = Readonly<z.infer<typeof FanRecord>>

export const fanRecords = defineTable({ schema: FanRecord, indexes: {} })
