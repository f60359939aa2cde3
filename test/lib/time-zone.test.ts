import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTimeZone, createZoneCalendar } from '../../src/lib/time-zone.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Beirut',
  'Atlantic/Azores',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
]

it('accepts only the names of the IANA database', () => {
  for (const zone of zones) expect([zone, isTimeZone(zone)]).toEqual([zone, true])
  for (const zone of ['', 'Mars/Olympus', '+02:00', '../etc/passwd', ' UTC', 'constructor'])
    expect([zone, isTimeZone(zone)]).toEqual([zone, false])
})

it('starts a day at its first millisecond, even if the clocks change at midnight', () => {
  const utc = (zone: string, day: string) =>
    new Date(createZoneCalendar(zone).getDayStart(day)).toISOString()
  expect(utc('Europe/Berlin', '2026-03-29')).toBe('2026-03-28T23:00:00.000Z')
  expect(utc('Asia/Kolkata', '2026-10-01')).toBe('2026-09-30T18:30:00.000Z')
  // In Santiago and Beirut, the first day of summer time starts at 01:00.
  expect(utc('America/Santiago', '2026-09-06')).toBe('2026-09-06T04:00:00.000Z')
  expect(utc('Asia/Beirut', '2026-03-29')).toBe('2026-03-28T22:00:00.000Z')
})

it('assigns each time to exactly one day', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2040, 0) }),
      (name, instant) => {
        const zone = createZoneCalendar(name)
        const day = zone.getDay(instant)
        expect(zone.getDayStart(day)).toBeLessThanOrEqual(instant)
        expect(zone.getDayEnd(day)).toBeGreaterThanOrEqual(instant)
        expect(zone.getDay(zone.getDayStart(day) - 1)).not.toBe(day)
        expect(zone.getDayStart(zone.getDay(zone.getDayEnd(day) + 1))).toBe(zone.getDayEnd(day) + 1)
      },
    ),
    { numRuns: 300 },
  )
})
