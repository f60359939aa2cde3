import { z } from 'zod'
import { defineTable } from '../../engine/store/table.ts'
import { FeedCounters } from './schemas.ts'

/** How many posts and media items an account has: posts and media of the feed, and posts in each archive bucket. The id is the account's. */
export const PostCounters = FeedCounters.extend({ id: z.int() })
export type PostCounters = Readonly<z.infer<typeof PostCounters>>

export const postCounters = defineTable({ schema: PostCounters, derived: 'rebuilt', indexes: {} })
