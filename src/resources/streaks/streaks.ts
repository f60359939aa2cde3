import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { dayMs, fromIso, startOfDay, toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { mediaOf } from '../posts/view.ts'

/** A run of UTC days on which the creator did something, with what they did. */
export interface Streak {
  /** The day that it began on, counted from 1970. */
  id: number
  startDate: string
  endDate: string
  /** Whether it can still be prolonged. */
  isActive: boolean
  /** How many of its days were not frozen. */
  daysCount: number
  postsCount: number
  storiesCount: number
  chatsCount: number
  /** Seconds. */
  streamsDuration: number
  /** The single days without activity that it went on over. */
  frozenDays: string[]
}

/** Tells when something was done: a list kept newest first, and the time of its rows. */
interface Doings {
  /** The time of the first thing done at or after that instant. */
  next: (from: string) => string | undefined
  /** The time of the last thing done before that instant. */
  previous: (before: string) => string | undefined
  count: (from: string, before: string) => number
}

/** A streak survives a day without activity, not two in a row. */
const longestStep = 2 * dayMs

/** The account's streaks of which a day lies in the window (epoch ms, both ends inclusive), newest first. A day alone is none. */
export function listStreaks(world: World, account: Account, { start, end }: { start: number; end: number }): Streak[] {
  const doings = doingsOf(world, account)
  const now = world.clock.now()
  const last = Math.min(end, now)
  const streaks: Streak[] = []
  let day = nextDay(doings, firstDay(doings, startOfDay(start)))
  while (day !== undefined && day <= last) {
    const days = [day]
    let next = nextDay(doings, day + dayMs)
    while (next !== undefined && next <= now && next - (days.at(-1) ?? day) <= longestStep) {
      days.push(next)
      next = nextDay(doings, next + dayMs)
    }
    if (days.length > 1 && (days.at(-1) ?? day) >= startOfDay(start)) streaks.push(toStreak(world, account, doings, days))
    day = next
  }
  return streaks.toReversed()
}

/** The longest streak of the window; of several the newest; null when there is none. */
export function topStreak(world: World, account: Account, window: { start: number; end: number }): Streak | null {
  let top: Streak | null = null
  for (const streak of listStreaks(world, account, window)) if (top === null || streak.daysCount > top.daysCount) top = streak
  return top
}

function toStreak(world: World, account: Account, doings: ReturnType<typeof doingsOf>, days: readonly number[]): Streak {
  const [first = 0, last = first] = [days[0], days.at(-1)]
  const [from, before] = [toIso(first), toIso(last + dayMs)]
  const frozen = days.filter((day, place) => place > 0 && day - (days[place - 1] ?? day) === longestStep).map((day) => toIso(day - dayMs))
  return {
    id: first / dayMs,
    startDate: from,
    endDate: toIso(last),
    isActive: startOfDay(world.clock.now()) - last <= longestStep,
    daysCount: days.length,
    postsCount: doings.posts.count(from, before),
    storiesCount: doings.stories.count(from, before),
    chatsCount: doings.chats.count(from, before),
    streamsDuration: Math.round(streamed(world, account, from, before)),
    frozenDays: frozen,
  }
}

function doingsOf(world: World, account: Account) {
  return {
    posts: toDoings(world.db.posts.in('published', account.id), (post) => post.postedAt),
    stories: toDoings(world.db.stories.in('byAccount', account.id), (story) => story.createdAt),
    chats: toDoings(world.db.messages.in('direct', account.id), (message) => message.createdAt),
  }
}

function toDoings<Row>(rows: SortedList<Row>, time: (row: Row) => string): Doings {
  const since = (instant: string) => rows.rank((row) => time(row) < instant)
  const timeAt = (rank: number) => {
    const row = rows.at(rank)
    return row === undefined ? undefined : time(row)
  }
  return {
    next: (from) => timeAt(since(from) - 1),
    previous: (before) => timeAt(since(before)),
    count: (from, before) => since(from) - since(before),
  }
}

/** The first day with activity at or after that one; undefined when there is none. */
function nextDay({ posts, stories, chats }: Record<'posts' | 'stories' | 'chats', Doings>, day: number): number | undefined {
  const from = toIso(day)
  const times = [posts, stories, chats].flatMap((doings) => doings.next(from) ?? [])
  return times.length === 0 ? undefined : startOfDay(Math.min(...times.map(fromIso)))
}

/** Goes back from a day to where the streak that runs into it began. */
function firstDay({ posts, stories, chats }: Record<'posts' | 'stories' | 'chats', Doings>, day: number): number {
  for (let first = day; ;) {
    const before = toIso(first)
    const times = [posts, stories, chats].flatMap((doings) => doings.previous(before) ?? [])
    const previous = times.length === 0 ? -Infinity : startOfDay(Math.max(...times.map(fromIso)))
    if (first - previous > longestStep) return first
    first = previous
  }
}

/** How long the saved streams of that time are together, seconds. */
function streamed(world: World, account: Account, from: string, before: string): number {
  const streams = world.db.posts.in('streams', account.id)
  const rows = streams.slice(
    streams.rank((post) => post.postedAt < before),
    streams.rank((post) => post.postedAt < from),
  )
  return rows.flatMap((post) => mediaOf(world, post)).reduce((sum, { duration }) => sum + duration, 0)
}
