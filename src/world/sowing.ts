import type { Faker } from '@faker-js/faker'
import type { Random } from '../engine/random.ts'
import { partition } from '../engine/store/sorted-list.ts'
import type { Account } from '../engine/tenancy/tenancy.table.ts'
import { dayMs, startOfDay } from '../engine/time.ts'
import { namesOf } from '../resources/fans/new-fan.ts'
import type { NameLists } from '../resources/fans/new-fan.ts'
import type { AccountData } from '../scenario/schema.ts'
import type { SeedTexts } from './seed-texts.ts'
import { tableNames } from './tables.ts'
import type { Tables } from './tables.ts'

/** The records sown so far, by table. */
export type Rows = { [Name in keyof Tables]: NonNullable<ReturnType<Tables[Name]['get']>>[] }

/** What is sown with: chance, names, texts, the clock start, ids, and the rows so far. */
export interface Sower {
  random: Random
  faker: Faker
  /** The clock start, epoch ms. */
  now: number
  transcodingMs: number
  rows: Rows
  nextId: (table: keyof typeof firstIds) => number
  names: NameLists
  texts: SeedTexts
  /** An hour of the day, by how busy it is. */
  pickHour: () => number | undefined
}

/** One account on its way: its record and the sizes asked for. */
export interface Field {
  account: Account
  data: AccountData
}

/** Where the ids of each kind begin: as long as the platform's, and apart from one another. */
const firstIds = {
  posts: 1_204_000_000,
  comments: 3_310_000_000,
  postLabels: 41_000,
  fans: 218_000_000,
  subscriptions: 640_000_000,
  follows: 655_000_000,
  userLists: 1_020_000_000,
  vaultMedia: 3_845_000_000,
  vaultLists: 19_200_000,
  releaseForms: 88_100,
  trackingLinks: 2_410_000,
  trialLinks: 1_730_000,
  tags: 510,
  stories: 88_400_000,
  chats: 812_000_000,
  messages: 5_120_000_000,
  massMessages: 74_200_000,
  transactions: 704_310_000_000,
  notifications: 1_980_000_000,
  payouts: 7_120_000,
  referrals: 96_000,
  referralPayouts: 9_450_000,
} as const

/** Begins to sow. */
export function createSower({ random, faker, texts, now, transcodingMs }: Pick<Sower, 'random' | 'faker' | 'texts' | 'now' | 'transcodingMs'>): Sower {
  const lastIds: Record<string, number> = { ...firstIds }
  return {
    random,
    faker,
    now,
    transcodingMs,
    names: namesOf(faker),
    texts,
    pickHour: createPicker(random, hours),
    rows: Object.fromEntries(tableNames.map((name) => [name, []])) as unknown as Rows,
    nextId(table) {
      const id = (lastIds[table] ?? 0) + random.integer(1, 60)
      lastIds[table] = id
      return id
    },
  }
}

/** How busy the hours of a UTC day are: few at night, most in the evening. */
const hours = [3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 5, 5, 5, 6, 8, 10, 12, 13, 12, 9, 6].map((weight, hour) => [hour, weight] as const)

/** A moment between two others, more likely in the evening and on a weekend. */
export function momentBetween({ random, pickHour }: Sower, from: number, to: number): number {
  if (to <= from) return from
  let moment = from
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const day = startOfDay(from + Math.floor(random.next() * (to - from)))
    moment = day + (pickHour() ?? 0) * 3_600_000 + random.integer(0, 3_599_999)
    const weekday = (day / dayMs + 4) % 7 // 1 January 1970 was a Thursday
    const isWeekend = weekday === 0 || weekday === 6
    if (moment >= from && moment < to && (isWeekend || random.chance(0.8))) return moment
  }
  return Math.min(Math.max(moment, from), to - 1)
}

/** Epoch ms so many days before the clock start. */
export function daysAgo({ now }: Sower, days: number): number {
  return now - days * dayMs
}

/** The rows of the account that is being sown. They are the last ones, as accounts are sown one after the other. */
export function ownRows<Row extends { accountId: number }>(rows: readonly Row[], { account }: Pick<Field, 'account'>): Row[] {
  return rows.slice(rows.findLastIndex(({ accountId }) => accountId !== account.id) + 1)
}

/** Adds rows to others. @note `push(...rows)` fails from some hundred thousand rows on: they are arguments of a call. */
export function append<Row>(rows: Row[], added: readonly Row[]): void {
  for (const row of added) rows.push(row)
}

/** Picks by weights that were added up once: for many picks from a long list. */
export function createPicker<Item>(random: Random, items: readonly (readonly [Item, number])[]): () => Item | undefined {
  let sum = 0
  const sums = items.map(([, weight]) => (sum += weight))
  return () => {
    const point = random.next() * sum
    return items[partition(sums, (each) => each > point)]?.[0]
  }
}
