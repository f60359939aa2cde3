import type { Spike } from '../../../seed/audience.ts'
import type { AccountPlan, Seeding } from '../../../seed/seeding.ts'
import type { Random } from '../../../world/random.ts'
import type { AccountSizes } from '../../accounts/sizes.ts'
import type { CommentSizes } from '../../comments/sizes.ts'
import type { LabelSizes } from '../../labels/sizes.ts'
import type { Crowd } from '../../subscribers/crowd.ts'
import type { CaptionWriter } from '../caption.ts'
import type { PostSizes } from '../sizes.ts'
import type { MediaPool } from './media-pool.ts'
import type { SeriesPart } from './series-plan.ts'

export type PostsPlan = AccountPlan<PostSizes & AccountSizes & LabelSizes & CommentSizes>

/** Shared by all posts of an account while they are made. */
export interface Posting {
  seeding: Seeding
  plan: PostsPlan
  mediaPool: MediaPool
  nextCursor: (time: number) => string
  crowd: Crowd
  /** The labels of the account, each with its topics if the creator named some. */
  labels: readonly { id: number; topics: readonly string[] | undefined }[]
  /** Draws the topics of the posts. */
  topics: Random
  writer: CaptionWriter
  /** The time on the clock. */
  startedAt: string
}

/** A post to make. `index` is its place among the account's posts, oldest first. */
export interface PostPlan {
  /** When it goes out, epoch ms. */
  time: number
  index: number
  /** The cause of a traffic spike, if the post has one. */
  spike: Spike['cause'] | undefined
  /** The part of a series that the post tells. */
  part: SeriesPart | undefined
}
