import { createUnknownIdError } from '../../api/action.ts'
import { filterItems, takePage } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createInputError, SandboxError } from '../../errors.ts'
import type { Post } from '../posts/posts.table.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { toStateKey } from '../subscribers/subscriptions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { World } from '../world.ts'
import { z } from 'zod'

/** A row is picked from at most this many of the newest rows. */
const maxCandidates = 20

/** Selects the fan for an action. */
interface FanChoice {
  /** Id of a fan of the account. If omitted, a random subscriber is picked. */
  fan_id?: number | undefined
  /** Returns true for subscribers that may be picked. */
  accepts?: (subscription: Subscription) => boolean
  /** Returns true for subscribers that are picked first. */
  prefers?: (subscription: Subscription) => boolean
}

/**
 * Returns the fan in the input of an action, or picks a random active subscriber.
 * @throws {SandboxError} if the given fan is unknown, blocked or deleted, or if there is no
 * subscriber to pick
 */
export function chooseFan(
  world: World,
  account: Account,
  { fan_id, accepts = () => true, prefers = accepts }: FanChoice,
): Subscription {
  if (fan_id === undefined) {
    const running = world.db.subscriptions.in('byActivity', toStateKey(account.id, 'active'))
    const fan = pickRow(world, running, prefers) ?? pickRow(world, running, accepts)
    if (fan === undefined)
      throw createMissingRecordError(
        account,
        running.size === 0
          ? 'fan with a running subscription: add one with subscriber.new'
          : 'suitable fan',
      )
    return fan
  }
  const subscription = findSubscription(world, account.id, fan_id)
  if (subscription === undefined)
    throw createUnknownIdError(
      { field: 'fan_id', id: fan_id, thing: `fan of ${account.username}` },
      world.db.subscriptions
        .in('listed', account.id)
        .slice(0, 11)
        .map(({ fanId }) => ({ id: fanId })),
    )
  if (subscription.isBlocked)
    throw createInputError(
      { fan_id },
      `but ${account.username} has blocked that fan. Choose another fan.`,
    )
  if (subscription.isDeleted === true)
    throw createInputError(
      { fan_id },
      'but that user has deleted their profile. Choose another fan.',
    )
  return subscription
}

/**
 * Returns the published post in the input of an action, or picks one of the newest posts that
 * `accepts` allows. `what` describes the post in error messages.
 * @throws {SandboxError} if there is no such post
 */
export function choosePost(
  world: World,
  account: Account,
  {
    post_id,
    what = 'published post',
    accepts = () => true,
  }: { post_id?: number | undefined; what?: string; accepts?: (post: Post) => boolean },
): Post {
  const published = world.db.posts.in('published', account.id)
  if (post_id === undefined) {
    const post = pickRecentRow(world, published, (each) => each.bucket === null && accepts(each))
    if (post === undefined)
      throw createMissingRecordError(account, `${what}. Create one with post.publish`)
    return post
  }
  const post = world.db.posts.get(post_id)
  if (post?.accountId !== account.id || post.status !== 'published')
    throw createUnknownIdError(
      { field: 'post_id', id: post_id, thing: `published post of ${account.username}` },
      published.slice(0, 11),
    )
  if (!accepts(post)) throw createInputError({ post_id }, `but that is not a ${what}.`)
  return post
}

/** Picks one of the newest rows that `accepts` allows. Undefined if there is no such row. */
export function pickRecentRow<Row>(
  world: World,
  rows: SortedList<Row>,
  accepts: (row: Row) => boolean,
): Row | undefined {
  const candidates = takePage(filterItems(rows.walk(0), accepts), {
    offset: 0,
    limit: maxCandidates,
  })
  return candidates.length === 0 ? undefined : world.random.pick(candidates)
}

/**
 * Finds a row that `accepts` allows, starting at a random index and continuing at the beginning
 * after the last row. Undefined if no row is allowed.
 */
export function pickRow<Row>(
  world: World,
  rows: SortedList<Row>,
  accepts: (row: Row) => boolean = () => true,
): Row | undefined {
  if (rows.size === 0) return undefined
  const start = world.random.integer(0, rows.size - 1)
  for (const row of rows.walk(start)) if (accepts(row)) return row
  for (const row of rows.walk(0)) if (accepts(row)) return row
  return undefined
}

/** Creates an error such as `anna has no tracking link: create one through the API.` */
export function createMissingRecordError(account: Account, what: string): SandboxError {
  return new SandboxError(`${account.username} has no ${what}.`)
}

/** Returns the display name of a fan. */
export function getFanName(world: World, fanId: number): string {
  const { name = '' } = world.db.fans.get(fanId) ?? {}
  return name === '' ? `Fan ${fanId}` : name
}

/** Input field for the id of a fan of the account. */
export const fanId = z
  .int()
  .optional()
  .describe(
    'The user id of a fan of the account. Blocked and deleted fans are not accepted. Default: a ' +
      'random fan with a running subscription.',
  )

/** Input field for the id of a published post. */
export const postId = z
  .int()
  .optional()
  .describe(
    'The id of a published post of the account. Default: one of the newest posts, chosen at ' +
      'random.',
  )

/** Input field for the status of a payment. */
export const status = z
  .enum(['done', 'loading'])
  .default('done')
  .describe('loading: the payment is pending until transaction.settle completes it.')
