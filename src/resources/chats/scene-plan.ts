import type { Random } from '../../world/random.ts'
import { dayMs, fromIso, minuteMs } from '../../lib/time.ts'
import { offsetMs } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import { createRhythm } from '../posts/seed/rhythm.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { SceneKind } from './dialogue.ts'

/** A scene of a chat: when it begins (epoch ms), and what it is about. */
export interface PlannedScene {
  at: number
  kind: SceneKind
}

/** At which hours of the creator's day fans write, each with its weight. */
const fanHours = { 8: 2, 9: 2, 12: 3, 13: 2, 16: 2, 17: 4, 18: 4, 19: 6, 20: 7, 21: 7, 22: 4 }
/**
 * How often a fan says hello, congratulates, says that they are back, writes these days, ends with
 * something that nobody answers, and waits for an answer now.
 */
const chances = {
  welcome: 0.8,
  birthday: 0.35,
  back: 0.5,
  recent: 0.45,
  silence: 0.22,
  waiting: 0.6,
}
const kinds: readonly (readonly [SceneKind, number])[] = [
  ['talk', 60],
  ['sale', 36],
  ['quarrel', 2],
]
const linesPerScene = 3
const maxScenes = 400
const recentDays = 4
/** From which absence on a fan speaks of it. */
const awayMs = 7 * dayMs

/**
 * Draws the scenes of chats with the fans of one creator: in the time of their subscription until
 * `now`, epoch ms, oldest first.
 */
export function createScenePlan(random: Random, persona: Persona) {
  const birthdays = new Map<number, number>()
  const rhythm = createRhythm(random, { ...persona, posting: { days: {}, hours: fanHours } })
  return (
    { spans, subscribedAt }: Subscription,
    { now, maxLines }: { now: number; maxLines: number },
  ): PlannedScene[] => {
    const times = spans.map(({ from, until }) => ({
      from: fromIso(from),
      until: Math.min(fromIso(until), now),
    }))
    const scenes: PlannedScene[] = birthdaysIn(persona, times, birthdays)
      .filter(() => random.chance(chances.birthday))
      .map((at) => ({ at: at + random.integer(0, 600) * minuteMs, kind: 'birthday' }))
    if (random.chance(chances.welcome))
      scenes.push({
        at: fromIso(subscribedAt) + random.integer(2, 500) * minuteMs,
        kind: 'welcome',
      })
    for (const [place, { from }] of times.entries()) {
      const left = times[place - 1]?.until ?? Infinity
      if (from - left > awayMs && random.chance(chances.back))
        scenes.push({ at: from + random.integer(10, 2000) * minuteMs, kind: 'return' })
    }
    const latest = times.at(-1)
    if (latest !== undefined && latest.until === now && random.chance(chances.recent))
      scenes.push({
        at: now - Math.floor(random.next() * Math.min(recentDays * dayMs, now - latest.from)),
        kind: 'talk',
      })
    const wanted = Math.min(maxScenes, Math.max(1, Math.round(maxLines / linesPerScene)))
    const weighted = times.map((time) => [time, Math.max(1, time.until - time.from)] as const)
    while (scenes.length < wanted) {
      const { from, until } = random.weighted(weighted)
      scenes.push({ at: rhythm(from, Math.max(from + 1, until)), kind: random.weighted(kinds) })
    }
    scenes.sort((a, b) => a.at - b.at)
    // Who quarrels has talked before.
    for (const scene of scenes.slice(0, 2)) if (scene.kind === 'quarrel') scene.kind = 'talk'
    const end = scenes.at(-1)
    if (
      end !== undefined &&
      end.kind === 'talk' &&
      random.chance(end.at > now - recentDays * dayMs ? chances.waiting : chances.silence)
    )
      end.kind = 'silence'
    return scenes
  }
}

/**
 * The creator's birthdays, at nine in the morning, in spans of time. It keeps in `known` when it is
 * nine UTC on that of a year.
 */
function birthdaysIn(
  persona: Persona,
  spans: readonly { from: number; until: number }[],
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
      const at = utc - offsetMs(persona, from)
      if (at >= from && at < until) days.push(at)
    }
  }
  return days
}
