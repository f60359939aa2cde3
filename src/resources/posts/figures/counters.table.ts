import { z } from 'zod'
import { defineTable } from '../../../data/define-table.ts'
import { FeedCounters } from '../schemas.ts'

/**
 * Counts of posts and media items in an account's feed, and of posts in each archive bucket. The id
 * is the id of the account.
 */
export const PostCounters = z.lazy(() => FeedCounters.unwrap().extend({ id: z.int() }))
export type PostCounters = Readonly<z.infer<typeof PostCounters>>

export const postCounters = defineTable({
  schema: PostCounters,
  derived: 'rebuilt',
  indexes: {},
})
