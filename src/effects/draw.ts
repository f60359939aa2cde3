import { unknown } from '../engine/action.ts'
import { takePage } from '../engine/store/sorted-list.ts'
import type { SortedList } from '../engine/store/sorted-list.ts'
import type { Account } from '../engine/tenancy/tenancy.table.ts'
import { SandboxError } from '../errors.ts'
import type { Post } from '../resources/posts/posts.table.ts'
import { subscriptionOf } from '../resources/subscribers/lookup.ts'
import { stateKey } from '../resources/subscribers/subscriptions.table.ts'
import type { Subscription } from '../resources/subscribers/subscriptions.table.ts'
import type { World } from '../world/world.ts'

/** How many of the newest candidates are drawn from. */
const mostCandidates = 20

/** The fan that an action names, as long as the account has not blocked them, or a drawn one of the running subscribers. */
export interface FanWanted {
  fan_id?: number | undefined
  /** Which of them may be drawn. */
  accepts?: (subscription: Subscription) => boolean
}

/** @throws {SandboxError} when the fan named is not the account's or is blocked, or none is there to be drawn. */
export function chooseFan(world: World, account: Account, { fan_id, accepts = () => true }: FanWanted): Subscription {
  if (fan_id === undefined) {
    const running = world.db.subscriptions.in('byActivity', stateKey(account.id, 'active'))
    const fan = drawFrom(world, running, accepts)
    if (fan === undefined)
      throw nothing(
        account,
        running.size === 0 ? 'fan whose subscription runs: let one come with subscriber.new' : 'fan left who could do that',
      )
    return fan
  }
  const subscription = subscriptionOf(world, account.id, fan_id)
  if (subscription === undefined)
    throw unknown(
      { field: 'fan_id', id: fan_id, thing: `fan of ${account.username}` },
      world.db.subscriptions
        .in('listed', account.id)
        .slice(0, 11)
        .map(({ fanId }) => ({ id: fanId })),
    )
  if (subscription.isBlocked) throw new SandboxError(`fan_id is ${fan_id}, but ${account.username} has blocked that fan. Name another.`)
  return subscription
}

/** A published post of the account: the one named, or a drawn one of the newest that fit. `what` says what is wanted. @throws {SandboxError} */
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
    const post = drawNewest(world, published, (each) => each.bucket === null && accepts(each))
    if (post === undefined) throw nothing(account, `${what}: make one with post.publish`)
    return post
  }
  const post = world.db.posts.get(post_id)
  if (post?.accountId !== account.id || post.status !== 'published')
    throw unknown({ field: 'post_id', id: post_id, thing: `published post of ${account.username}` }, published.slice(0, 11))
  if (!accepts(post)) throw new SandboxError(`post_id is ${post_id}, but that is no ${what}.`)
  return post
}

/** One of the newest rows that fit; undefined when there is none. */
export function drawNewest<Row>(world: World, rows: SortedList<Row>, accepts: (row: Row) => boolean): Row | undefined {
  const candidates = takePage(filtered(rows.walk(0), accepts), { offset: 0, limit: mostCandidates })
  return candidates.length === 0 ? undefined : world.random.pick(candidates)
}

/** Any row that fits, going on from a drawn place; undefined when there is none. */
export function drawFrom<Row>(world: World, rows: SortedList<Row>, accepts: (row: Row) => boolean = () => true): Row | undefined {
  if (rows.size === 0) return undefined
  const start = world.random.integer(0, rows.size - 1)
  const [after] = takePage(filtered(rows.walk(start), accepts), { offset: 0, limit: 1 })
  return after ?? takePage(filtered(rows.walk(0), accepts), { offset: 0, limit: 1 })[0]
}

/** The error of a world that lacks what an action is about. */
export function nothing(account: Account, what: string): SandboxError {
  return new SandboxError(`${account.username} has no ${what}.`)
}

/** What people call the fan. */
export function nameOf(world: World, fanId: number): string {
  return world.db.fans.get(fanId)?.name ?? `Fan ${fanId}`
}

function* filtered<Row>(rows: Iterable<Row>, accepts: (row: Row) => boolean): Generator<Row, void, void> {
  for (const row of rows) if (accepts(row)) yield row
}
