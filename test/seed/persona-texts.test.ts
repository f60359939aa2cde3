import { expect, it } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import { deriveLanguage } from '../../src/resources/fans/names.ts'
import { createRandomFan } from '../../src/resources/fans/new-fan.ts'
import {
  delayUntilAwake,
  moveBeforeBedtime,
  createPhraseContext,
  getUtcOffsetMs,
} from '../../src/seed/phrase-context.ts'
import { PhrasePicker } from '../../src/seed/phrases.ts'
import { createCaptions, expectVariedCaptions } from '../support/captions.ts'

const names = Object.keys(shippedPersonas)
const hourMs = 3_600_000
const utc = { utcOffset: 0, summerTime: 'none' } as const

it.each(names)('writes varied captions of %s', async (name) => {
  expectVariedCaptions(await createCaptions(name, 7), 3)
})

it('writes captions that fit the day, the season and the media', () => {
  const speaker = new PhrasePicker(new Random(1), { words: {} })
  const phrases = [
    '(winter, mon) Ice on a Monday',
    '(summer) Heat',
    '(!summer, video) A film',
    '(evening) Late',
  ]
  const say = (time: string, ...conditions: string[]) => {
    const context = createPhraseContext(utc, Date.parse(time), conditions)
    return new Set(Array.from({ length: 30 }, () => speaker.say(phrases, context)))
  }
  expect(say('2026-01-05T09:00:00Z')).toEqual(new Set(['Ice on a Monday']))
  expect(say('2026-07-05T20:00:00Z')).toEqual(new Set(['Heat', 'Late']))
  expect(say('2026-01-06T09:00:00Z', 'video')).toEqual(new Set(['A film']))
  expect(say('2026-01-06T09:00:00Z')).toEqual(new Set([undefined]))
})

it('fills in words, alternatives, ranges and the day', () => {
  const speaker = new PhrasePicker(new Random(1), { words: { dish: ['soup', 'stew'] } })
  const text = speaker.say(
    ['{Dish} and {other dish}, {10-20/5} times on {weekday}, {dish}'],
    createPhraseContext(utc, Date.parse('2026-01-05T09:00:00Z')),
  )
  expect(text).toMatch(/^(Soup and stew|Stew and soup), (10|15|20) times on Monday, (soup|stew)$/)
})

it("respects daylight saving time and the creators' sleep", () => {
  const berlin = { utcOffset: 1, summerTime: 'europe', awake: { from: 7, until: 23 } } as const
  const hours = (time: string) => getUtcOffsetMs(berlin, Date.parse(time)) / hourMs
  expect([
    hours('2026-03-29T00:59:59Z'),
    hours('2026-03-29T01:30:00Z'),
    hours('2026-10-25T02:00:00Z'),
  ]).toEqual([1, 2, 1])
  const austin = { utcOffset: -6, summerTime: 'america' } as const
  expect(
    ['2026-03-07T12:00:00Z', '2026-03-09T12:00:00Z', '2026-11-02T12:00:00Z'].map(
      (time) => getUtcOffsetMs(austin, Date.parse(time)) / hourMs,
    ),
  ).toEqual([-6, -5, -6])
  const noon = Date.parse('2026-01-05T11:00:00Z')
  expect(delayUntilAwake(berlin, noon)).toBe(noon)
  for (const asleep of ['2026-01-06T00:30:00Z', '2026-01-06T03:00:00Z']) {
    const at = delayUntilAwake(berlin, Date.parse(asleep))
    expect(new Date(at).toISOString()).toMatch(/^2026-01-06T0[5-9]:/)
    const before = moveBeforeBedtime(berlin, Date.parse(asleep), 1)
    expect(new Date(before).toISOString()).toMatch(/^2026-01-05T(19|2[0-3]):/)
  }
  // People go to bed and get up at different times each day.
  const awakeAt = (time: string) =>
    Array.from({ length: 60 }, (_, day) => Date.parse(time) + day * 24 * hourMs).filter(
      (at) => delayUntilAwake(berlin, at) === at,
    ).length
  for (const edge of ['2026-01-05T06:00:00Z', '2026-01-05T22:00:00Z']) {
    expect(awakeAt(edge)).toBeGreaterThan(5)
    expect(awakeAt(edge)).toBeLessThan(55)
  }
})

it('gives fans names from many countries, and a different language to 10 % of them', () => {
  const random = new Random(5)
  const fans = Array.from({ length: 2000 }, (_, place) =>
    createRandomFan(
      { random, texts: { ...seedTexts, personas: {} } },
      { id: () => 218_000_000 + place * 7, lastSeen: () => '', reserve: () => true },
    ),
  )
  const share = (isOne: (fan: (typeof fans)[number]) => boolean) =>
    fans.filter(isOne).length / fans.length
  expect(share(({ name }) => /[^ -~]/.test(name))).toBeGreaterThan(0.05)
  expect(
    share(({ name }) => /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(name)),
  ).toBeGreaterThan(0.01)
  expect(share(({ name }) => !name.includes(' '))).toBeGreaterThan(0.1)
  expect(fans.filter(({ username }) => !/^[a-z\d._]+$/.test(username))).toEqual([])
  const foreign = share(({ id }) => deriveLanguage(seedTexts, id) !== 'en')
  expect(foreign).toBeGreaterThan(0.04)
  expect(foreign).toBeLessThan(0.15)
})
