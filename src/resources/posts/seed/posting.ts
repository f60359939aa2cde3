import type { VisitorSpike } from '../../../seed/audience.ts'
import type { AccountPlan, SeedContext } from '../../../seed/seeding.ts'
import type { Random } from '../../../world/random.ts'
import type { AccountSizes } from '../../accounts/sizes.ts'
import type { CommentSizes } from '../../comments/sizes.ts'
import type { LabelSizes } from '../../labels/sizes.ts'
import type { FanCounter } from '../../subscribers/fan-counter.ts'
import type { CaptionWriter } from '../caption.ts'
import type { PostSizes } from '../sizes.ts'
import type { MediaPool } from './media-pool.ts'

export type PostsPlan = AccountPlan<PostSizes & AccountSizes & LabelSizes & CommentSizes>

/** Context for creating the posts of an account. */
export interface PostingContext {
  seeding: SeedContext
  plan: PostsPlan
  mediaPool: MediaPool
  nextCursor: (time: number) => string
  crowd: FanCounter
  /** Labels of the account. Some labels have a topic. */
  labels: readonly { id: number; topics: readonly string[] | undefined }[]
  /** Random source for the views and likes of posts. */
  figures: Random
  /** Random source for the topics of posts. */
  topics: Random
  writer: CaptionWriter
  /** The clock start, ISO. */
  startedAt: string
}

/** Plan of a post to create. `index` is its position among the account's posts, oldest first. */
export interface PostPlan {
  /** Publication time, epoch ms. */
  time: number
  index: number
  /** Cause of the traffic spike that this post starts, if any. */
  spike: VisitorSpike['cause'] | undefined
}
