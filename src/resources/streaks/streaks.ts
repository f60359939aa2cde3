import { rowsInSpan } from '../../engine/rows-in-span.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { dayMs, fromIso, startOfDay, toIso, toPlatformTime } from '../../engine/time.ts'
import type { PlatformTime } from '../../engine/time.ts'
import type { Span } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { mediaOf } from '../vault/vault.ts'

/** A run of UTC days with activity, and how much the creator did on them. */
export interface Streak {
  /** Its first day, counted in days from 1 January 1970. */
  id: number
  startDate: PlatformTime
  endDate: PlatformTime
  /** Whether activity today would still prolong it. */
  isActive: boolean
  /** How many of its days have activity. */
  daysCount: number
  postsCount: number
  storiesCount: number
  chatsCount: number
  /** Seconds. */
  streamsDuration: number
  /** The single days without activity in it. */
  frozenDays: PlatformTime[]
}

/** When an account did one kind of thing, such as publishing posts. All instants are ISO texts. */
interface Activity {
  /** The first time at or after that instant. */
  next: (from: string) => string | undefined
  /** The last time before that instant. */
  previous: (before: string) => string | undefined
  /** How often it was done from one instant to before another. */
  count: (from: string, before: string) => number
}

/** What keeps a streak alive. */
type Activities = Record<'posts' | 'stories' | 'chats', Activity>

/** The longest step from one day with activity to the next: a streak survives one day without activity, but not two in a row. */
const longestStep = 2 * dayMs

/** Lists the account's streaks with a day in the window, newest first. A single day is no streak. */
export function listStreaks(world: World, account: Account, { start, end }: Span): Streak[] {
  const activities = activitiesOf(world, account)
  const now = world.clock.now()
  const last = Math.min(end, now)
  const streaks: Streak[] = []
  let day = nextDay(activities, firstDay(activities, startOfDay(start)))
  while (day !== undefined && day <= last) {
    const days = [day]
    let next = nextDay(activities, day + dayMs)
    while (next !== undefined && next <= now && next - (days.at(-1) ?? day) <= longestStep) {
      days.push(next)
      next = nextDay(activities, next + dayMs)
    }
    if (days.length > 1 && (days.at(-1) ?? day) >= startOfDay(start)) streaks.push(toStreak(world, account, activities, days))
    day = next
  }
  return streaks.toReversed()
}

/** The longest streak of all time, the newest of several; null when there is none. */
export function topStreak(world: World, account: Account): Streak | null {
  let top: Streak | null = null
  for (const streak of listStreaks(world, account, { start: 0, end: world.clock.now() }))
    if (top === null || streak.daysCount > top.daysCount) top = streak
  return top
}

function toStreak(world: World, account: Account, activities: Activities, days: readonly number[]): Streak {
  const first = days[0] ?? 0
  const last = days.at(-1) ?? first
  const [from, before] = [toIso(first), toIso(last + dayMs)]
  const frozen = days
    .filter((day, place) => place > 0 && day - (days[place - 1] ?? day) === longestStep)
    .map((day) => toPlatformTime(day - dayMs))
  return {
    id: first / dayMs,
    startDate: toPlatformTime(first),
    endDate: toPlatformTime(last),
    isActive: startOfDay(world.clock.now()) - last <= longestStep,
    daysCount: days.length,
    postsCount: activities.posts.count(from, before),
    storiesCount: activities.stories.count(from, before),
    chatsCount: activities.chats.count(from, before),
    streamsDuration: Math.round(streamSeconds(world, account, { start: first, end: last + dayMs - 1 })),
    frozenDays: frozen,
  }
}

function activitiesOf(world: World, account: Account): Activities {
  return {
    posts: toActivity(world.db.posts.in('published', account.id), (post) => post.postedAt),
    stories: toActivity(world.db.stories.in('byAccount', account.id), (story) => story.createdAt),
    chats: toActivity(world.db.messages.in('direct', account.id), (message) => message.createdAt),
  }
}

function toActivity<Row>(rows: SortedList<Row>, time: (row: Row) => string): Activity {
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

/** The first day with activity, from that day on; undefined when there is none. */
function nextDay({ posts, stories, chats }: Activities, day: number): number | undefined {
  const from = toIso(day)
  const times = [posts, stories, chats].flatMap((activity) => activity.next(from) ?? [])
  return times.length === 0 ? undefined : startOfDay(Math.min(...times.map(fromIso)))
}

/** The first day of the streak that runs into that day; the day itself when none does. */
function firstDay({ posts, stories, chats }: Activities, day: number): number {
  for (let first = day; ;) {
    const before = toIso(first)
    const times = [posts, stories, chats].flatMap((activity) => activity.previous(before) ?? [])
    const previous = times.length === 0 ? -Infinity : startOfDay(Math.max(...times.map(fromIso)))
    if (first - previous > longestStep) return first
    first = previous
  }
}

/** How long the saved streams of the span are together. */
function streamSeconds(world: World, account: Account, span: Span): number {
  return rowsInSpan(world.db.posts.in('streams', account.id), span, (post) => post.postedAt)
    .flatMap((post) => mediaOf(world, post))
    .reduce((sum, { duration }) => sum + duration, 0)
}
