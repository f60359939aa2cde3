import type { AnyTableDefinition } from '../data/tables.ts'
import { fromIso, parseInstant, toIso } from '../lib/time.ts'
import { tableDefinitions } from '../resources/all-tables.ts'
import type { Scenario } from './schema.ts'

/**
 * Moves a scenario to another clock start, epoch ms. Its records and the times of its timeline move
 * by the same amount.
 */
export function moveScenario(scenario: Scenario, start: number): Scenario {
  const byMs = start - fromIso(scenario.now)
  if (byMs === 0) return scenario
  return {
    ...scenario,
    now: toIso(start),
    records: Object.fromEntries(
      Object.entries(scenario.records).map(([table, rows]) => [
        table,
        rows?.map((row) => moveRow(row, table, byMs)),
      ]),
    ),
    timeline: moveInstants(scenario.timeline, byMs),
  }
}

function moveRow<Row extends object>(row: Row, table: string, byMs: number): Row {
  const { epochSeconds = [] } =
    (tableDefinitions as Readonly<Record<string, AnyTableDefinition>>)[table] ?? {}
  const moved = moveInstants(row, byMs)
  const fields = epochSeconds.map((field) => [
    field,
    moveEpoch((row as Readonly<Record<string, unknown>>)[field], byMs),
  ])
  return { ...moved, ...Object.fromEntries(fields) }
}

/** Moves every text in a value that consists of an instant. */
function moveInstants<Value>(value: Value, byMs: number): Value {
  if (typeof value === 'string') return moveText(value, byMs) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => moveInstants(item, byMs)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, moveInstants(inner, byMs)]),
  ) as Value
}

const shortestInstant = 'YYYY-MM-DDTHH:MM:SSZ'.length

function moveText(text: string, byMs: number): string {
  const instant = text.length < shortestInstant ? undefined : parseInstant(text)
  return instant === undefined ? text : toIso(instant + byMs)
}

/** Moves epoch seconds: an integer, or a text with six decimals. */
function moveEpoch(value: unknown, byMs: number): unknown {
  if (typeof value === 'number') return value + Math.round(byMs / 1000)
  if (typeof value !== 'string') return value
  const micros = BigInt(value.replace('.', '')) + BigInt(byMs) * 1000n
  return String(micros).replace(/\d{6}$/, '.$&')
}
