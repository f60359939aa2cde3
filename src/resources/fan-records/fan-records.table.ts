import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { defineTable } from '../../data/define-table.ts'

/**
 * The organisation's private notes about one fan of one account. They are not stored on the
 * platform.
 */
export const FanRecord = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  name: z.string().nullable().default(null),
  note: z.string().nullable().default(null),
  timezone: z.string().nullable().default(null),
  birthday: z.string().nullable().default(null),
  city: z.string().nullable().default(null),
}))
export type FanRecord = Readonly<z.infer<typeof FanRecord>>

export const fanRecords = defineTable({
  schema: FanRecord,
  references: { accountId: 'accounts' },
  indexes: {},
})
