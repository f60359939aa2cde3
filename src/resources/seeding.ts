import { busyHours, createAudience } from '../seed/audience.ts'
import type { Random } from '../world/random.ts'
import type { AnyTableDefinition } from '../data/tables.ts'
import type { Account } from '../world/tenancy/tenancy.table.ts'
import { findPartitionPoint } from '../lib/iterables.ts'
import { dayMs, parseIso, hourMs, getStartOfUtcDay } from '../lib/time.ts'
import type { Audience } from '../seed/audience.ts'
import type { Exchange, Persona } from '../seed/persona.ts'
import { SeedIds } from '../seed/seed-ids.ts'
import type { SeedTexts } from '../seed/seed-texts.ts'
import { tableDefinitions, tableNames } from './all-tables.ts'
import type { RecordOf, TableName, Tables } from './all-tables.ts'
import type { Fakers } from '../seed/faker.ts'
import { TextPicker } from '../seed/text-picker.ts'
import type { TextSources } from '../seed/texts.ts'

/** Seeded records, by table. */
export type Rows = { [Name in keyof Tables]: NonNullable<ReturnType<Tables[Name]['get']>>[] }

/** A record that can be changed during seeding. */
export type Mutable<Row> = { -readonly [Field in keyof Row]: Row[Field] }

/** State that all seeding steps share. */
interface SharedSeedState {
  /** The start of the clock, epoch ms. */
  now: number
  transcodingMs: number
  texts: SeedTexts
  common: Rows
  sharedFans: Map<number, RecordOf<'fans'>[]>
  ids: SeedIds
  /** The root of all random sources. */
  root: Random
  /** By account. */
  audiences: Map<number, Audience>
  /** Exchanges that each chat has already used, by account and fan. */
  heard: Map<string, Set<Exchange>>
  /** Long conversations that no chat contains yet. Each is used once. */
  conversations: Set<SeedTexts['conversations'][number]>
  fakers: Fakers
  /** Picks texts that accounts share, so that they repeat as few as possible. */
  picker: TextPicker
  /** The accounts of the scenario, with the sizes of their data. */
  accounts: readonly SizedAccount[]
  /** Taken usernames, in lower case. */
  usernames: Set<string>
  /**
   * Checks the memory limit before a number of rows are created.
   * @throws {MemoryLimitError}
   */
  requireRows: (count: number) => void
  /** Number of rows created so far. */
  rowCount: number
}

/**
 * The context of a seeding step. It provides random values, texts, the start time of the clock,
 * ids, and the rows of the account so far. Each step has a separate random source for each account.
 * So an additional random value in one step does not change the records of other steps, and
 * accounts can be seeded independently.
 */
export class SeedContext {
  /** The start of the clock, epoch ms. */
  readonly now: number
  readonly transcodingMs: number
  readonly texts: SeedTexts
  /**
   * The records of the account so far. In steps for organisations, the records of all
   * organisations.
   */
  readonly rows: Rows
  readonly #shared: SharedSeedState
  /**
   * The random source, or a function that creates it on first use. Creating it is slow, and many
   * steps need no random values for an account.
   */
  #random: Random | (() => Random)
  /** Index of the account in the scenario. */
  readonly #index: number
  #pickHour: (() => number | undefined) | undefined

  /** @internal Use `startSeeding` and `branch`. */
  constructor(
    shared: SharedSeedState,
    random: Random | (() => Random),
    { index, rows }: { index: number; rows: Rows },
  ) {
    const { now, transcodingMs, texts } = shared
    this.now = now
    this.transcodingMs = transcodingMs
    this.texts = texts
    this.rows = rows
    this.#random = random
    this.#shared = shared
    this.#index = index
  }

  /** The accounts of the scenario, with the sizes of their data. */
  get accounts(): readonly SizedAccount[] {
    return this.#shared.accounts
  }

  /** Index of the account in the scenario. */
  get index(): number {
    return this.#index
  }

  /** Records of the organisations, which are seeded before the accounts. */
  get common(): Rows {
    return this.#shared.common
  }

  /** Fans who subscribe to several accounts, by account. */
  get sharedFans(): Map<number, RecordOf<'fans'>[]> {
    return this.#shared.sharedFans
  }

  /** Returns the fans of an account so far, with the fans whom it shares with other accounts. */
  listFans(accountId: number): readonly RecordOf<'fans'>[] {
    return [...this.rows.fans, ...(this.sharedFans.get(accountId) ?? [])]
  }

  /** The loaded locales of faker. */
  get fakers(): Fakers {
    return this.#shared.fakers
  }

  /** Picks texts that accounts share, so that they repeat as few as possible. */
  get picker(): TextPicker {
    return this.#shared.picker
  }

  /** Long conversations that no chat contains yet. Remove those that are used. */
  get conversations(): Set<SeedTexts['conversations'][number]> {
    return this.#shared.conversations
  }

  /** The random source of the step. */
  get random(): Random {
    if (typeof this.#random === 'function') this.#random = this.#random()
    return this.#random
  }

  /**
   * Returns a seeding context with a separate random source. Use a branch such as
   * `seeding.branch('mood')` for a new field of existing records, so that other fields do not
   * change.
   */
  branch(...path: readonly (string | number)[]): SeedContext {
    return new SeedContext(this.#shared, () => this.random.branch(...path), {
      index: this.#index,
      rows: this.rows,
    })
  }

  /**
   * Returns a seeding context whose random sequence is the same in every step, so that several
   * steps get the same values.
   */
  alike(...path: readonly (string | number)[]): SeedContext {
    return new SeedContext(this.#shared, () => this.#shared.root.branch(...path), {
      index: this.#index,
      rows: this.rows,
    })
  }

  /** Returns the seeding context for an organisation. `index` is its position in the scenario. */
  atOrganisation(index: number): SeedContext {
    return new SeedContext(this.#shared, () => this.random, { index, rows: this.common })
  }

  /**
   * Returns the seeding context for an account, without records. `index` is its index in the
   * scenario. Its ids are separate from the ids of other accounts.
   */
  atAccount(index: number): SeedContext {
    return new SeedContext(this.#shared, () => this.random, { index, rows: createEmptyRows() })
  }

  /** Returns the exchanges that a fan's chat with an account has already used. */
  heardIn(accountId: number, fanId: number): Set<Exchange> {
    const { heard } = this.#shared
    const key = `${accountId} ${fanId}`
    const known = heard.get(key) ?? new Set<Exchange>()
    heard.set(key, known)
    return known
  }

  /** Returns the audience of an account. It is the same object in all steps. */
  getAudience({ account, persona, since }: Omit<AccountPlan, 'sizes'>): Audience {
    const { audiences, root, now } = this.#shared
    const known = audiences.get(account.id)
    if (known !== undefined) return known
    const audience = createAudience(root.branch('audience', account.id), persona, { since, now })
    audiences.set(account.id, audience)
    return audience
  }

  /** Returns a function that picks a random hour of the day by weight. */
  get pickHour(): () => number | undefined {
    return (this.#pickHour ??= createWeightedPicker(this.random, weightedHours))
  }

  /**
   * Returns a new id for a record. The id is larger than all previous ids of the account in this
   * table, with a realistic gap.
   */
  readonly nextId = (table: TableName): number => {
    const { firstId = 0 }: AnyTableDefinition = tableDefinitions[table]
    this.#shared.rowCount += 1
    this.#shared.requireRows(this.#shared.rowCount)
    return this.#shared.ids.next(table, firstId, this.#index)
  }

  /**
   * Returns a new id for a user who joined the platform at a given time, epoch ms. Ids increase
   * with the time of joining.
   */
  readonly nextUserId = (joinedAt: number): number => {
    this.#shared.rowCount += 1
    this.#shared.requireRows(this.#shared.rowCount)
    return this.#shared.ids.nextUser(joinedAt - this.now)
  }

  /** Reserves a username for a new user. Returns false if the username is taken. */
  readonly reserveUsername = (username: string): boolean => {
    const { usernames } = this.#shared
    const key = username.toLowerCase()
    if (usernames.has(key)) return false
    usernames.add(key)
    return true
  }

  /**
   * Checks the memory limit before more rows are created.
   * @throws {MemoryLimitError}
   */
  requireRoom(count: number): void {
    this.#shared.requireRows(this.#shared.rowCount + count)
  }
}

/** An account of the scenario, with the sizes of its data. */
export interface SizedAccount {
  id: number
  username: string
  data: object
}

/** An account to seed: its record, the sizes of its data, and its persona. */
export interface AccountPlan<Sizes = unknown> {
  account: Account
  sizes: Sizes
  persona: Persona
  /** Start of the account's history, epoch ms. */
  since: number
}

/**
 * An organisation to seed: its entry in the scenario, and the number of fans and the joining time
 * (epoch ms) of each account.
 */
export interface OrganisationPlan {
  id: number
  tags: readonly { name: string; color: string | null }[]
  accounts: readonly { id: number; fans: number; joinedAt: number }[]
}

/** Starts seeding a world with the given accounts. */
export function startSeeding(
  { random, texts }: TextSources,
  {
    accounts,
    ...shared
  }: Pick<SharedSeedState, 'accounts' | 'now' | 'transcodingMs' | 'fakers' | 'requireRows'>,
): SeedContext {
  const common = createEmptyRows()
  const ids = new SeedIds(random.branch('ids'), accounts.length)
  const whole = {
    ...shared,
    accounts,
    texts,
    common,
    ids,
    root: random,
    audiences: new Map(),
    heard: new Map(),
    conversations: new Set(shuffle(random.branch('conversations'), texts.conversations)),
    picker: new TextPicker(random.branch('texts'), shared.fakers),
    usernames: new Set(accounts.map(({ username }) => username.toLowerCase())),
    sharedFans: new Map(),
    rowCount: 0,
  }
  return new SeedContext(whole, random, { index: 0, rows: common })
}

function createEmptyRows(): Rows {
  return Object.fromEntries(tableNames.map((name) => [name, []])) as unknown as Rows
}

/**
 * Minimum and maximum length of an account's history, days. Accounts younger than the maximum have
 * a shorter history.
 */
const historyDays = [710, 730] as const
/** Time between the day when an account joins the platform and its first data. */
const settlingMs = 5 * hourMs

/**
 * Returns the start of an account's history, epoch ms: soon after the account joined, but at most
 * two years ago.
 */
export function getHistoryStart(
  seeding: SeedContext,
  { id, joinDate }: Pick<Account, 'id' | 'joinDate'>,
): number {
  const { random } = seeding.branch('history', id)
  const [least, most] = historyDays
  const first = seeding.now - random.integer(least * dayMs, most * dayMs)
  return Math.max(first, parseIso(joinDate) + settlingMs)
}

/** The hours of a UTC day, with weights. */
const weightedHours = busyHours.map((weight, hour) => [hour, weight] as const)

/** Picks a random time between two times. Evenings and weekends are more likely. */
export function pickTimeBetween(
  { random, pickHour }: SeedContext,
  from: number,
  to: number,
): number {
  if (to <= from) return from
  let time = from
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const day = getStartOfUtcDay(from + Math.floor(random.next() * (to - from)))
    time = day + (pickHour() ?? 0) * 3_600_000 + random.integer(0, 3_599_999)
    // 1 January 1970 was a Thursday.
    const weekday = (day / dayMs + 4) % 7
    const isWeekend = weekday === 0 || weekday === 6
    if (time >= from && time < to && (isWeekend || random.chance(0.8))) return time
  }
  return time >= from && time < to ? time : from + Math.floor(random.next() * (to - from))
}

/** Returns the time a number of days before the start of the clock, epoch ms. */
export function getTimeDaysAgo({ now }: SeedContext, days: number): number {
  return now - days * dayMs
}

/**
 * Appends rows to an array.
 * @note `push(...rows)` fails with hundreds of thousands of rows, because each row becomes an
 * argument.
 */
export function appendRows<Row>(rows: Row[], added: readonly Row[]): void {
  for (let index = 0; index < added.length; index += 1) rows.push(added[index] as Row)
}

/** Returns the items in a random order. */
export function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const shuffled = [...items]
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index)
    ;[shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item]
  }
  return shuffled
}

/** Counts the numbers that are at most the limit. The numbers must be sorted in ascending order. */
export function countValuesUpTo(numbers: Float64Array, limit: number): number {
  return findPartitionPoint(numbers, (value) => value > limit)
}

/**
 * Creates a function that picks random items by weight. Adds up the weights and builds a lookup
 * table only once, so that many calls are fast even for a long list.
 */
export function createWeightedPicker<Item>(
  random: Random,
  items: readonly (readonly [Item, number])[],
): () => Item | undefined {
  let sum = 0
  const sums = Float64Array.from(items, ([, weight]) => (sum += weight))
  const firsts = Uint32Array.from(items, (_, part) =>
    countValuesUpTo(sums, (part / items.length) * sum),
  )
  return () => {
    const point = random.next()
    let index = firsts[Math.floor(point * items.length)] ?? 0
    while ((sums[index] ?? Infinity) <= point * sum) index += 1
    return items[index]?.[0]
  }
}
