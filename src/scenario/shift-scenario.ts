import type { AnyTableDefinition } from '../data/tables.ts'
import { parseIso, parseTime, toIsoTime } from '../lib/time.ts'
import { tableDefinitions } from '../resources/all-tables.ts'
import type { Scenario } from './schema.ts'

/**
 * Moves a scenario to a different start time of the clock, epoch ms. All times in its records,
 * timeline and watched figures are shifted by the same amount.
 */
export function shiftScenario(scenario: Scenario, start: number): Scenario {
  const byMs = start - parseIso(scenario.now)
  if (byMs === 0) return scenario
  return {
    ...scenario,
    now: toIsoTime(start),
    records: Object.fromEntries(
      Object.entries(scenario.records).map(([table, rows]) => [
        table,
        rows?.map((row) => moveRow(row, table, byMs)),
      ]),
    ),
    timeline: moveTimes(scenario.timeline, byMs),
    watch: moveTimes(scenario.watch, byMs),
  }
}

function moveRow<Row extends object>(row: Row, table: string, byMs: number): Row {
  const { epochSeconds = [] } =
    (tableDefinitions as Readonly<Record<string, AnyTableDefinition>>)[table] ?? {}
  const moved = moveTimes(row, byMs)
  const fields = epochSeconds.map((field) => [
    field,
    moveEpoch((row as Readonly<Record<string, unknown>>)[field], byMs),
  ])
  return { ...moved, ...Object.fromEntries(fields) }
}

/** Shifts all RFC 3339 times in a value, and the dates in fields named `at`. */
function moveTimes<Value>(value: Value, byMs: number): Value {
  if (typeof value === 'string') return moveText(value, byMs) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => moveTimes(item, byMs)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      name === 'at' && typeof inner === 'string' && startsWithDate(inner)
        ? moveTime(inner, byMs)
        : moveTimes(inner, byMs),
    ]),
  ) as Value
}

/** True unless a time is relative, such as `+2h`, `-2d` or `now`. */
function startsWithDate(time: string): boolean {
  return /^\d{4}-/.test(time)
}

function moveText(text: string, byMs: number): string {
  return text.length < minTimeLength ? text : moveTime(text, byMs)
}

const minTimeLength = 'YYYY-MM-DDTHH:MM:SSZ'.length

/** Shifts a time in any form that does not depend on the clock. */
function moveTime(text: string, byMs: number): string {
  const time = parseTime(text, { now: 0 })
  return time === undefined ? text : toIsoTime(time + byMs)
}

/** Shifts a time in epoch seconds, which is an integer or a string with six decimals. */
function moveEpoch(value: unknown, byMs: number): unknown {
  if (typeof value === 'number') return value + Math.round(byMs / 1000)
  if (typeof value !== 'string') return value
  const micros = BigInt(value.replace('.', '')) + BigInt(byMs) * 1000n
  return String(micros).replace(/\d{6}$/, '.$&')
}
