import { expect, it } from 'vitest'
import { Random } from '../../src/world/random.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import {
  createNameSource,
  deriveLanguage,
  createRandomFan,
} from '../../src/resources/fans/names.ts'
import { Fakers } from '../../src/seed/faker.ts'
import { delayUntilAwake, moveBeforeBedtime, getUtcOffsetMs } from '../../src/seed/local-time.ts'

const hourMs = 3_600_000

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

it('gives fans names from many countries, and a different language to 10 % of them', async () => {
  const locales = seedTexts.countries.flatMap((country) => country.locales)
  const name = createNameSource(seedTexts, await Fakers.load(locales, 0))
  const random = new Random(5)
  const fans = Array.from({ length: 2000 }, (_, place) =>
    createRandomFan(
      { random, texts: seedTexts },
      { id: () => 218_000_000 + place * 7, lastSeen: () => '', reserve: () => true, name },
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
