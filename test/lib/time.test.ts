import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRfc3339, parseTime, toIsoTime, toUtcDateTime } from '../../src/lib/time.ts'

const now = Date.parse('2026-10-01T09:30:00Z')
const iso = (epochMs: number | undefined) =>
  epochMs === undefined ? undefined : new Date(epochMs).toISOString()

it.each([
  ['2026-09-22', '2026-09-22T00:00:00.000Z', '2026-09-22T23:59:59.999Z'],
  ['2026-09-22 10:11:12', '2026-09-22T10:11:12.000Z', '2026-09-22T10:11:12.000Z'],
  ['2026-09-22T10:11:12Z', '2026-09-22T10:11:12.000Z', '2026-09-22T10:11:12.000Z'],
  ['2026-09-22T12:11:12+02:00', '2026-09-22T10:11:12.000Z', '2026-09-22T10:11:12.000Z'],
  ['2026-09-22T10:11:12.0Z', '2026-09-22T10:11:12.000Z', '2026-09-22T10:11:12.000Z'],
  ['2026-09-22T10:11:12.345+02:00', '2026-09-22T08:11:12.345Z', '2026-09-22T08:11:12.345Z'],
  ['now', '2026-10-01T09:30:00.000Z', '2026-10-01T09:30:00.000Z'],
  ['-7d', '2026-09-24T09:30:00.000Z', '2026-09-24T09:30:00.000Z'],
  ['-1 day', '2026-09-30T09:30:00.000Z', '2026-09-30T09:30:00.000Z'],
  ['-12h', '2026-09-30T21:30:00.000Z', '2026-09-30T21:30:00.000Z'],
  ['-3 hours', '2026-10-01T06:30:00.000Z', '2026-10-01T06:30:00.000Z'],
  ['-2 weeks', '2026-09-17T09:30:00.000Z', '2026-09-17T09:30:00.000Z'],
  ['-1w', '2026-09-24T09:30:00.000Z', '2026-09-24T09:30:00.000Z'],
])('parses %j as a lower and as an upper bound', (text, lower, upper) => {
  expect(iso(parseTime(text, { now }))).toBe(lower)
  expect(iso(parseTime(text, { now, edge: 'end' }))).toBe(upper)
})

it.each([
  '',
  'yesterday',
  '7d',
  '-d',
  '-7',
  '-1m',
  '+1d',
  '2026-13-01',
  '2026-02-30',
  '2026-1-1',
  '2026-01-01T00:00',
  '2026-01-01T10:00:00',
  '2026-01-01T24:00:00Z',
  '2026-01-01 25:00:00',
  '2026-01-01T00:00:00+25:00',
  '-999999999w',
  '1759310000',
])('rejects %j', (text) => {
  expect(parseTime(text, { now })).toBeUndefined()
})

it.each([
  ['-99999999d', '0000-01-01T00:00:00.000Z'],
  ['0000-01-01T00:00:00+23:59', '0000-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
])('parses %j as the first or last instant of years with four digits', (text, instant) => {
  expect(iso(parseTime(text, { now }))).toBe(instant)
})

it('accepts only times and days', () => {
  expect(iso(parseRfc3339('2026-10-01'))).toBe('2026-10-01T00:00:00.000Z')
  expect(parseRfc3339('now')).toBeUndefined()
  expect(parseRfc3339('2026-10-01 10:00:00')).toBeUndefined()
})

it('formats a time to the second, in the form used by filters', () => {
  expect(toUtcDateTime(now + 999)).toBe('2026-10-01 09:30:00')
  expect(parseTime(toUtcDateTime(now), { now: 0 })).toBe(now)
})

it('formats all times like the built-in function', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
      fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
      (any, usual) => {
        expect([toIsoTime(any), toIsoTime(usual)]).toEqual([
          new Date(any).toISOString(),
          new Date(usual).toISOString(),
        ])
      },
    ),
    { seed: 1, numRuns: 5000 },
  )
  for (const year of [1900, 2000, 2024, 2100])
    for (let day = 0; day <= 366; day += 1)
      expect(toIsoTime(Date.UTC(year, 0, day))).toBe(new Date(Date.UTC(year, 0, day)).toISOString())
})
