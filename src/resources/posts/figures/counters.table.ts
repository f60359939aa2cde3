import { z } from 'zod'
import { defineTable } from '../../../data/define-table.ts'
import { FeedCounters } from '../schemas.ts'

/**
 * How many posts and media items the feed of an account has, and how many posts each archive
 * bucket. The id is the account's.
 */
export const PostCounters = z.lazy(() => FeedCounters.unwrap().extend({ id: z.int() }))
export type PostCounters = Readonly<z.infer<typeof PostCounters>>

export const postCounters = defineTable({
  schema: PostCounters,
  derived: 'rebuilt',
  indexes: {},
})
