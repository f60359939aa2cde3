import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareAscending, defineTable, recordTime } from '../../data/define-table.ts'

/** A user of the platform who follows creators. */
export const Fan = lazyObject(() => ({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  /** Null if the user has no picture. */
  avatar: z.string().nullable(),
  /** Subscription price if the user is also a creator, otherwise 0. */
  subscribePrice: z.number().default(0),
  lastSeen: recordTime,
  /** True if the fan does not show when they were last seen. */
  hidesLastSeen: z.boolean().optional(),
  /** False if the profile is closed. Absent otherwise. */
  isActive: z.boolean().optional(),
  /** True if the user deleted their profile. Only their id is left. Absent otherwise. */
  isDeleted: z.boolean().optional(),
}))
export type Fan = Readonly<z.infer<typeof Fan>>

export const fans = defineTable({
  schema: Fan,
  firstId: 218_000_000,
  indexes: {
    /** Without deleted users, whom no username finds. */
    byUsername: {
      group: (fan) => (fan.isDeleted === true ? null : fan.username.toLowerCase()),
      order: compareAscending((fan) => fan.id),
    },
    /** Deleted users by id. */
    deleted: {
      group: (fan) => (fan.isDeleted === true ? fan.id : null),
      order: compareAscending((fan) => fan.id),
    },
  },
})

/** Returns the fields of a user who deleted their profile. */
export function createDeletedFields(id: number): Omit<Fan, 'id' | 'lastSeen'> {
  return {
    name: '',
    username: `u${id}`,
    avatar: null,
    subscribePrice: 0,
    hidesLastSeen: true,
    isActive: false,
    isDeleted: true,
  }
}

/**
 * The key of a fan on an account, such as `310240117:218000005`. Used in indexes and as a record
 * id.
 */
export function toFanKey(accountId: number, fanId: number): string {
  return `${accountId}:${fanId}`
}
