import type { JsonFragment } from '../../lib/json-fragment.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, getStartOfUtcDay, toIsoTime, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import { getAttachedMedia } from '../vault/vault.ts'

/** A series of active UTC days, with counts of what the creator did on these days. */
export interface Streak {
  /** The first day, as the number of days since 1 January 1970. */
  id: number
  startDate: PlatformTime
  endDate: PlatformTime
  /** True if activity today would extend the streak. */
  isActive: boolean
  /** Number of active days. */
  daysCount: number
  postsCount: number
  storiesCount: number
  chatsCount: number
  /** Seconds. */
  streamsDuration: number
  /** Number of inactive days within the streak. A single inactive day does not end a streak. */
  frozenDays: PlatformTime[]
}

/**
 * Maximum number of days from one active day to the next. One inactive day does not end a streak,
 * but two in a row do.
 */
const maxStepMs = 2 * dayMs

/**
 * Lists the account's streaks that overlap the window, newest first. A streak has at least two
 * days.
 */
export function listStreaks(
  world: World,
  account: Account,
  { start, end }: Span,
): JsonFragment<Streak>[] {
  const last = Math.min(end, world.clock.now())
  return listStreaksUntilNow(world, account)
    .filter((days) => (days[0] ?? 0) <= last && (days.at(-1) ?? 0) >= getStartOfUtcDay(start))
    .map((days) => world.json(toStreak, days, account))
    .toReversed()
}

/**
 * Returns the longest streak so far. If several streaks are equally long, returns the newest of
 * them. Null if there are no streaks.
 */
export function findTopStreak(world: World, account: Account): JsonFragment<Streak> | null {
  let top: readonly number[] | undefined
  for (const days of listStreaksUntilNow(world, account))
    if (top === undefined || days.length >= top.length) top = days
  return top === undefined ? null : world.json(toStreak, top, account)
}

/** Returns the active days of each streak, oldest first, as the start of each day in epoch ms. */
function listStreaksUntilNow(world: World, account: Account): readonly (readonly number[])[] {
  const now = world.clock.now()
  return world
    .cached(listActiveStreaks, account)
    .map((days) =>
      (days.at(-1) ?? 0) <= now
        ? days
        : days.slice(
            0,
            findPartitionPoint(days, (day) => day > now),
          ),
    )
    .filter(({ length }) => length > 1)
}

function listActiveStreaks(world: World, account: Account): readonly (readonly number[])[] {
  const days = new Set(
    [listPostDays, listStoryDays, listChatDays].flatMap((daysOf) => world.cached(daysOf, account)),
  )
  const runs: number[][] = []
  for (const day of [...days].toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && day - (run.at(-1) ?? 0) <= maxStepMs) run.push(day)
    else runs.push([day])
  }
  return runs
}

function toStreak(world: World, days: readonly number[], account: Account): Streak {
  const first = days[0] ?? 0
  const last = days.at(-1) ?? first
  const [from, before] = [toIsoTime(first), toIsoTime(last + dayMs)]
  const { posts, stories, messages } = world.db
  const frozen = days
    .filter((day, place) => place > 0 && day - (days[place - 1] ?? day) === maxStepMs)
    .map((day) => toPlatformTime(day - dayMs))
  const streamSeconds = world.cached(createStreamCounter, account)
  return {
    id: first / dayMs,
    startDate: toPlatformTime(first),
    endDate: toPlatformTime(last),
    isActive: !world.clock.hasReached(last + maxStepMs + dayMs),
    daysCount: days.length,
    postsCount: countBetween(
      posts.in('published', account.id),
      ({ postedAt }) => postedAt,
      from,
      before,
    ),
    storiesCount: countBetween(
      stories.in('byAccount', account.id),
      ({ createdAt }) => createdAt,
      from,
      before,
    ),
    chatsCount: countBetween(
      messages.in('direct', account.id),
      ({ createdAt }) => createdAt,
      from,
      before,
    ),
    streamsDuration: Math.round(streamSeconds(before) - streamSeconds(from)),
    frozenDays: frozen,
  }
}

function listPostDays(world: World, { id }: Account): readonly number[] {
  return listDays(world.db.posts.in('published', id), ({ postedAt }) => postedAt)
}

function listStoryDays(world: World, { id }: Account): readonly number[] {
  return listDays(world.db.stories.in('byAccount', id), ({ createdAt }) => createdAt)
}

/** Returns the days with messages to individual fans. */
function listChatDays(world: World, { id }: Account): readonly number[] {
  return listDays(world.db.messages.in('direct', id), ({ createdAt }) => createdAt)
}

/**
 * Returns the days that have at least one row, newest first. The rows must be sorted newest first,
 * because each day is found with a binary search.
 */
function listDays<Row>(rows: SortedList<Row>, time: (row: Row) => string): number[] {
  const days: number[] = []
  for (let row = rows.at(0); row !== undefined;) {
    const day = getStartOfUtcDay(parseIso(time(row)))
    const start = toIsoTime(day)
    days.push(day)
    row = rows.first((other) => time(other) < start)
  }
  return days
}

/** Counts the rows in [from, to). The list must be sorted newest first. */
function countBetween<Row>(
  rows: SortedList<Row>,
  time: (row: Row) => string,
  from: string,
  before: string,
): number {
  return (
    rows.findPartitionPoint((row) => time(row) < from) -
    rows.findPartitionPoint((row) => time(row) < before)
  )
}

/**
 * Returns a function that computes the total length of the streams saved before a time, in seconds.
 */
function createStreamCounter(world: World, account: Account): (before: string) => number {
  const streams = world.db.posts.list('streams', account.id).toReversed()
  const sums = [0]
  for (const post of streams)
    sums.push(
      getAttachedMedia(world, post).reduce((sum, { duration }) => sum + duration, sums.at(-1) ?? 0),
    )
  return (before) => sums[findPartitionPoint(streams, ({ postedAt }) => postedAt >= before)] ?? 0
}
