import type { Sandbox } from '../../src/index.ts'
import { measureChats } from './chats.ts'
import { measureHabits } from './habits.ts'
import type { Figures } from './measured.ts'
import { measureMoney } from './money.ts'

/**
 * A bound for seeded data, with its row in the report, a function that measures the value, and the
 * allowed range.
 */
export interface Bound {
  about: string
  what: string
  min: number
  max: number
}

/** A measured value and its bound, for an account or for the whole scenario. */
export interface Finding {
  bound: Bound
  /** The account, or an empty string for the whole scenario. */
  who: string
  value: number
}

/** The bounds by kind of value. They are measured for each account with enough data. */
const bounds: readonly Bound[] = [
  createBound('accounts', 'instants that two accounts share in payouts and posts', 0, 0),
  createBound('accounts', 'pairs of accounts with equal numbers of posts, fans or stories', 0, 0),
  createBound('accounts', 'records before the account joined', 0, 0),
  createBound('replies', 'share after whole minutes', 0, 0.05),
  createBound('replies', 'longest tenth, as a multiple of the median', 6, 400),
  createBound('replies', 'share at night', 0, 0.03),
  createBound('media', 'paid messages that mention media that are not attached', 0, 0),
  createBound('media', 'mentioned lengths that differ from the media', 0, 0),
  createBound('media', 'longest video, seconds', 90, 600),
  createBound('media', 'different videos', 6, 100),
  createBound('spenders', 'share of the top 1 %', 0.15, 0.35),
  createBound('spenders', 'share of the top 5 %', 0.4, 0.6),
  createBound('spenders', 'Gini coefficient', 0.75, 0.9),
  createBound('spenders', 'fans who buy more than the subscription', 0.05, 0.3),
  createBound('tips', 'share above $20 with thanks within a day', 0.55, 1),
  createBound('tips', 'share of tips in chats with words of the fan', 0.4, 0.95),
  createBound('tips', 'on posts and in streams', 2, 80_000),
  createBound('tips', 'of odd amounts', 3, 10_000),
  createBound('fans write', 'share that begins in lower case', 0.3, 0.9),
  createBound('fans write', 'share with emoji', 0.08, 0.5),
  createBound('fans write', 'share with media or a GIF', 0.01, 0.12),
  createBound('fans write', 'share sent several in a row', 0.1, 0.6),
  createBound('fans write', 'share of one word', 0.02, 0.25),
  createBound('fans write', 'longest, characters', 150, 1000),
  createBound('inboxes', 'minimum of messages with the top twenty fans', 90, 450),
  createBound('inboxes', 'maximum of messages with a top fan', 100, 450),
  createBound('inboxes', 'share of exact duplicates, greetings aside', 0, 0.2),
  createBound('inboxes', 'share of the revenue from messages', 0.3, 0.6),
  createBound('prices', 'media with two prices on one day', 0, 0),
  createBound('prices', 'media whose price changed', 1, 1000),
  createBound('prices', 'maximum copies of a sentence of the creator', 1, 9),
  createBound('names', 'share of usernames with a noun of the dictionary', 0, 0.1),
  createBound('names', 'display names that contradict the name', 0, 0),
  createBound('renewals', 'free ones of a paid account', 0, 0),
  createBound('renewals', 'exactly at expiry', 0, 0),
  createBound('visitors', 'standard deviation of the share of guests by country, points', 1.5, 25),
  createBound('visitors', 'difference of the share of guests among accounts, points', 4, 60),
  createBound('comments', 'for each like', 0.01, 0.05),
  createBound('comments', 'maximum in one second', 0, 2),
  createBound('posts', 'share with tips', 0.01, 0.05),
  createBound('continuity', 'counts that go backwards', 0, 0),
  createBound('continuity', 'repeated texts of mass messages', 0, 0),
  createBound('refunds', 'share of payments', 0.005, 0.02),
  createBound('weekdays', 'weekend against other days', 0.8, 1.25),
  createBound('notes', 'share of top fans with a note', 0.5, 1),
  createBound('notes', 'top fans with a custom name', 2, 20),
  createBound('ids', 'neighbours of different accounts', 0.2, 1),
  createBound('ids', 'rank correlation with the day of joining', 0.1, 0.9),
]

function createBound(about: string, what: string, least: number, most: number): Bound {
  return { about, what, min: least, max: most }
}

/** Measures a sandbox and returns a finding for each bound. */
export async function measureBounds(sandbox: Sandbox): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = (who: string, figures: Figures) => {
    for (const [name, value] of Object.entries(figures)) {
      const found = bounds.find(({ about, what }) => `${about}: ${what}` === name)
      if (found === undefined)
        throw new Error(`Failed to check the data: the figure ${name} has no bounds.`)
      findings.push({ bound: found, who, value })
    }
  }
  for (const measure of [measureMoney, measureChats, measureHabits])
    for (const { who, figures } of await measure(sandbox)) add(who, figures)
  return findings
}

/** True if a finding is within its bound. */
export function isWithinBound({ bound: { min: least, max: most }, value }: Finding): boolean {
  return value >= least && value <= most
}

/** Converts the findings to table rows, each with the measured and the allowed range of a bound. */
export function toBoundsTable(findings: readonly Finding[]): string[][] {
  const write = (value: number) =>
    Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1)
  return bounds.map((each) => {
    const values = findings.filter(({ bound: own }) => own === each).map(({ value }) => value)
    const range =
      values.length === 0
        ? ''
        : [...new Set([Math.min(...values), Math.max(...values)])].map(write).join(' to ')
    return [each.about, each.what, `${write(each.min)} to ${write(each.max)}`, range]
  })
}
