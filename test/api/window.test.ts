import { expect, it } from 'vitest'
import { readWindow, thirtyDays } from '../../src/api/lists/windows.ts'

const read = (now: string, query = {}, defaults = {}) => {
  const { start_date, end_date, start, end } = readWindow(query, Date.parse(now), defaults)
  return [start_date, end_date, new Date(start).toISOString(), new Date(end).toISOString()]
}

it.each([
  ['the two years up to today', '2026-10-01T12:00:00Z', {}, '2024-10-01', '2026-10-01'],
  ['two years before a leap day', '2024-02-29T00:00:00Z', {}, '2022-03-01', '2024-02-29'],
  ['thirty days', '2026-10-01T23:59:59.999Z', thirtyDays, '2026-09-01', '2026-10-01'],
])('defaults to %s, in whole days', (_what, now, defaults, first, last) => {
  expect(read(now, {}, defaults)).toEqual([
    first,
    last,
    `${first}T00:00:00.000Z`,
    `${last}T23:59:59.999Z`,
  ])
  expect(read(now, { start_date: first, end_date: last })).toEqual(read(now, {}, defaults))
})
