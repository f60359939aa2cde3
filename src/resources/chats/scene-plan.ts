import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, hourMs, minuteMs } from '../../lib/time.ts'
import { createPhraseContext, getUtcOffsetMs } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { createPostTimePicker } from '../posts/seed/post-times.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { SceneKind } from './dialogue-lines.ts'
import { fitsTime } from '../../seed/exchange.ts'
import type { Exchange } from '../../seed/exchange.ts'
import { deriveBirthDate } from './fan-habits.ts'
import type { FanHabits } from './fan-habits.ts'

/** A story: several exchanges that take place some days apart. */
type Story = SeedTexts['dialogues']['arcs'][number]

/** A period in which a fan is subscribed without a pause, epoch ms. */
interface Stay {
  from: number
  until: number
}

/** A scene of a chat: its start time, epoch ms, and its subject. */
export interface PlannedScene {
  at: number
  kind: SceneKind
  /** The exchange of a story. If set, the scene plays this exchange instead of `kind`. */
  part?: string
  /** True if the scene begins soon after the previous one ends. */
  isContinued?: boolean
}

/** The chat to plan: its fan, its end time, and its approximate length. */
export interface ChatPlan {
  now: number
  most: number
  /** True if the fan may buy offers. */
  canBuy: boolean
  /** True for a long chat that continues for months. */
  isLong: boolean
  life: FanHabits
  /** True if a story is consistent with the data of the fan. */
  canTell: (story: Story) => boolean
}

/**
 * Probabilities of scenes: greeting, birthday wishes to the creator or the fan, a message on a
 * holiday, return after an absence, recent activity, another scene in the same hour, a last message
 * without a reply, and a message that is still waiting for a reply.
 */
const chances = {
  welcome: 0.8,
  birthday: 0.35,
  fanBirthday: { long: 1, short: 0.3 },
  holiday: { long: 0.4, short: 0.06 },
  back: 0.5,
  recent: 0.45,
  continued: 0.62,
  silence: 0.22,
  waiting: 0.6,
}

/** Kinds of scenes in chats with buyers and with other fans, with weights. */
const kinds = {
  buyer: [
    ['talk', 35],
    ['sale', 75],
    ['reaction', 13],
    ['checkin', 9],
    ['memory', 7],
    ['gift', 11],
    ['quarrel', 1],
  ],
  other: [
    ['talk', 56],
    ['sale', 10],
    ['reaction', 22],
    ['checkin', 8],
    ['gift', 9],
    ['quarrel', 2],
  ],
} as const satisfies Record<string, readonly (readonly [SceneKind, number])[]>

/** Kinds of scenes that begin soon after another one, with weights. */
const continuedKinds = {
  buyer: [
    ['talk', 62],
    ['sale', 40],
  ],
  other: [
    ['talk', 90],
    ['sale', 10],
  ],
} as const satisfies Record<string, readonly (readonly [SceneKind, number])[]>
/** Maximum number of scenes that follow another one without a pause. */
const maxContinued = 4

const linesPerScene = { long: 2.95, short: 3.1 }
const maxScenes = 400
const recentDays = 4
/** Fans mention an absence only if it was at least this long. */
const awayMs = 7 * dayMs
/** A long chat has one story per this number of scenes, and at most `maxStories`. */
const scenesPerStory = 14
const maxStories = 4
/** Range of days between exchanges of a story that does not specify another one. */
const storyGap = { least: 2, most: 9 }
/** There are no other scenes for this time before an exchange of a story. */
const beforePartMs = 16 * hourMs
/** Maximum number of attempts to find days for a story. */
const storyDraws = 6
/** Holidays on which many fans write, as month and day. */
const holidays = [
  [12, 24],
  [12, 31],
  [2, 14],
  [10, 31],
] as const

/**
 * Creates a function that plans the scenes of chats with a creator's fans, oldest first. Scenes
 * take place while the fan is subscribed, and before `now` (epoch ms). The stories are distributed
 * over `longChats` chats.
 */
export function createScenePlanner(
  random: Random,
  {
    persona,
    arcs,
    parse,
    longChats,
  }: {
    persona: Persona
    arcs: readonly Story[]
    parse: (written: string) => Exchange
    longChats: number
  },
) {
  const birthdays = new Map<number, number>()
  const untold = new Set(arcs)
  let left = longChats
  const rhythms = new Map<string, ReturnType<typeof createPostTimePicker>>()
  /**
   * Returns the daily writing pattern of a fan. Fans with the same time zone and waking hours share
   * a pattern.
   */
  const rhythmOf = ({ place, hours }: FanHabits) => {
    const key = `${place.utcOffset} ${place.summerTime} ${place.awake.from}`
    const known = rhythms.get(key)
    if (known !== undefined) return known
    const rhythm = createPostTimePicker(random, { ...place, posting: { days: {}, hours } })
    rhythms.set(key, rhythm)
    return rhythm
  }
  return (
    fan: Subscription,
    { now, most, canBuy, isLong, life, canTell }: ChatPlan,
  ): PlannedScene[] => {
    const rhythm = rhythmOf(life)
    const times = listStays(fan, now)
    const weighted = times.map((time) => [time, Math.max(1, time.until - time.from)] as const)
    const draw = () => {
      const { from, until } = random.pickWeighted(weighted)
      return rhythm(from, Math.max(from + 1, until))
    }
    let scenes = planOccasions(random, { persona, birthdays, fan, times, isLong })
    const latest = times.at(-1)
    if (latest?.until === now && random.chance(isLong ? 1 : chances.recent))
      scenes.push({
        at: now - Math.floor(random.next() * Math.min(recentDays * dayMs, now - latest.from)),
        kind: 'talk',
      })
    const wanted = Math.min(
      maxScenes,
      Math.max(1, Math.round(most / (isLong ? linesPerScene.long : linesPerScene.short))),
    )
    if (isLong) {
      // Each story is told only once, so the stories are distributed over the chats.
      const share = Math.ceil(untold.size / Math.max(1, left))
      left -= 1
      const most = Math.min(share, maxStories, Math.floor(wanted / scenesPerStory))
      let told = 0
      for (const story of untold) {
        if (told >= most) break
        if (!canTell(story)) continue
        const parts = planStoryTimes(random, story.map(parse), { draw, times, place: life.place })
        if (parts.length === 0) continue
        untold.delete(story)
        for (const [index, at] of parts.entries())
          scenes.push({ at, kind: 'talk', part: story[index] ?? '' })
        told += 1
      }
    }
    while (scenes.length < wanted) {
      const at = draw()
      scenes.push({ at, kind: random.pickWeighted(canBuy ? kinds.buyer : kinds.other) })
      for (let more = maxContinued; more > 0 && random.chance(chances.continued); more -= 1)
        scenes.push({
          at,
          kind: random.pickWeighted(canBuy ? continuedKinds.buyer : continuedKinds.other),
          isContinued: true,
        })
    }
    const told = scenes.filter(({ part }) => part !== undefined)
    // Other scenes would delay an exchange of a story, which has its day.
    const isInTheWay = (scene: PlannedScene) =>
      scene.part === undefined &&
      told.some(({ at }) => at >= scene.at && at - scene.at < beforePartMs)
    scenes = scenes.filter((scene) => !isInTheWay(scene)).sort((a, b) => a.at - b.at)
    // A chat must not begin with a quarrel, and usually begins with a greeting.
    for (const scene of scenes.slice(0, 2)) if (scene.kind === 'quarrel') scene.kind = 'talk'
    const [first] = scenes
    if (first?.kind === 'talk' && first.part === undefined) first.kind = 'welcome'
    const end = scenes.at(-1)
    if (end?.kind === 'talk' && end.part === undefined) {
      const isRecent = end.at > now - recentDays * dayMs
      if (random.chance(isRecent ? chances.waiting : chances.silence)) end.kind = 'silence'
    }
    return scenes
  }
}

/** Returns the periods in which a fan was subscribed without a pause. */
function listStays({ spans }: Subscription, now: number): Stay[] {
  const stays: Stay[] = []
  for (const { from, until } of spans) {
    const [start, end] = [parseIso(from), Math.min(parseIso(until), now)]
    const before = stays.at(-1)
    if (before?.until === start) before.until = end
    else if (start < now) stays.push({ from: start, until: end })
  }
  return stays
}

/**
 * Returns the occasions on which a fan writes: subscription, renewal and the creator's birthday.
 */
function planOccasions(
  random: Random,
  {
    persona,
    birthdays,
    fan,
    times,
    isLong,
  }: {
    persona: Persona
    birthdays: Map<number, number>
    fan: Subscription
    times: readonly Stay[]
    isLong: boolean
  },
): PlannedScene[] {
  const scenes: PlannedScene[] = listCreatorBirthdays(persona, times, birthdays)
    .filter(() => random.chance(chances.birthday))
    .map((at) => ({ at: at + random.integer(0, 10 * hourMs), kind: 'birthday' }))
  const length = isLong ? 'long' : 'short'
  const { month, day } = deriveBirthDate(fan.fanId)
  for (const at of listDates(month, day, times))
    if (random.chance(chances.fanBirthday[length]))
      scenes.push({ at: at + random.integer(0, 8 * hourMs), kind: 'fanBirthday' })
  for (const [month, day] of holidays)
    for (const at of listDates(month, day, times))
      if (random.chance(chances.holiday[length]))
        scenes.push({ at: at + random.integer(0, 8 * hourMs), kind: 'holiday' })
  if (random.chance(chances.welcome))
    scenes.push({
      at: parseIso(fan.subscribedAt) + random.integer(90_000, 500 * minuteMs),
      kind: 'welcome',
    })
  for (const [place, { from }] of times.entries()) {
    const left = times[place - 1]?.until ?? Infinity
    if (from - left > awayMs && random.chance(chances.back))
      scenes.push({ at: from + random.integer(10 * minuteMs, 2000 * minuteMs), kind: 'return' })
  }
  return scenes
}

/** Returns the times of a day of the year in these periods, at nine in the morning UTC. */
function listDates(month: number, day: number, spans: readonly Stay[]): number[] {
  const days: number[] = []
  for (const { from, until } of spans) {
    const last = new Date(until).getUTCFullYear()
    for (let year = new Date(from).getUTCFullYear(); year <= last; year += 1) {
      const at = Date.UTC(year, month - 1, day, 9)
      if (at >= from && at < until) days.push(at)
    }
  }
  return days
}

/**
 * Plans the times of the exchanges of a story, with the days between them and on days that they
 * require. Empty if it does not fit into the fan's `times`.
 */
function planStoryTimes(
  random: Random,
  parts: readonly Exchange[],
  { draw, times, place }: { draw: () => number; times: readonly Stay[]; place: FanHabits['place'] },
): number[] {
  const [first] = parts
  if (first === undefined) return []
  for (let draws = storyDraws; draws > 0; draws -= 1) {
    const from = draw()
    const until = times.find((stay) => from >= stay.from && from < stay.until)?.until ?? from
    const starts = listFittingDays(first, { least: 0, most: 6 }, { after: from, place })
    for (const start of starts) {
      const planned = [start]
      for (const part of parts.slice(1)) {
        const after = planned.at(-1) ?? start
        const fitting = listFittingDays(part, part.gap ?? storyGap, { after, place })
        if (fitting.length > 0)
          planned.push(shiftWithinDay(random, part, random.pick(fitting), place))
      }
      if (planned.length === parts.length && (planned.at(-1) ?? until) < until) return planned
    }
  }
  return []
}

/** Moves an exchange by up to two hours, unless it would not be possible then. */
function shiftWithinDay(
  random: Random,
  exchange: Exchange,
  at: number,
  place: FanHabits['place'],
): number {
  const shifted = at + random.integer(-2 * hourMs, 2 * hourMs)
  return fitsTime(exchange, createPhraseContext(place, shifted)) ? shifted : at
}

/** Returns the times at which an exchange is possible, some days after another one. */
function listFittingDays(
  exchange: Exchange,
  { least, most }: { least: number; most: number },
  { after, place }: { after: number; place: FanHabits['place'] },
): number[] {
  const fitting: number[] = []
  for (let days = least; days <= most; days += 1) {
    const at = after + days * dayMs
    if (fitsTime(exchange, createPhraseContext(place, at))) fitting.push(at)
  }
  return fitting
}

/**
 * Returns the creator's birthdays in these periods, at nine in the morning. `known` caches the
 * birthday of each year at 9:00 UTC.
 */
function listCreatorBirthdays(
  persona: Persona,
  spans: readonly Stay[],
  known: Map<number, number>,
): number[] {
  const { birthday } = persona
  const days: number[] = []
  if (birthday === undefined) return days
  for (const { from, until } of spans) {
    const last = new Date(until).getUTCFullYear()
    for (let year = new Date(from).getUTCFullYear(); year <= last; year += 1) {
      const utc = known.get(year) ?? Date.parse(`${year}-${birthday}T09:00:00.000Z`)
      known.set(year, utc)
      const at = utc - getUtcOffsetMs(persona, from)
      if (at >= from && at < until) days.push(at)
    }
  }
  return days
}
