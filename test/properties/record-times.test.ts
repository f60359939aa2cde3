import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { factories } from '../../src/resources/factories.ts'
import { tableDefinitions } from '../../src/resources/all-tables.ts'
import { getAnyTable } from '../support/any-table.ts'
import type { AnyRow } from '../support/any-table.ts'
import { createFreshSandbox } from '../support/client.ts'
import { makeRecordInEachTable } from '../support/make-records.ts'
import { getRunOptions } from '../support/run-options.ts'

type Respell = (iso: string) => string

const minuteMs = 60_000
const shift = (iso: string, minutes: number) =>
  new Date(Date.parse(iso) + minutes * minuteMs).toISOString().slice(0, -1)

/** Other spellings of the same instant. */
const respellings: readonly Respell[] = [
  (iso) => iso.replace('.000Z', 'Z'),
  (iso) => iso.replace(/0{1,2}Z$/, 'Z'),
  (iso) => iso.replace('Z', '000Z'),
  (iso) => iso.replace('Z', '999999Z'),
  (iso) => iso.replace('Z', '+00:00'),
  (iso) => `${shift(iso, 120)}+02:00`,
  (iso) => `${shift(iso, -330)}-05:30`,
  (iso) => `${shift(iso, 840).replace('.000', '')}+14:00`,
]
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)

/** Applies a function to all times in a JSON value. */
function mapTimes<Value>(value: Value, change: Respell): Value {
  if (isTime(value)) return change(value) as Value
  if (Array.isArray(value)) return value.map((item) => mapTimes(item as unknown, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, item]) =>
      item === undefined ? [] : [[field, mapTimes(item as unknown, change)]],
    ),
  ) as Value
}

const toWholeSecond: Respell = (iso) => iso.replace(/\d{3}Z$/, '000Z')

/** The tables with times that are not derived from other tables. */
const stored = Object.entries(tableDefinitions).flatMap(([name, definition]) =>
  'derived' in definition ? [] : [name],
)
const anyTable = fc.constantFrom(...stored)
const respell = fc.constantFrom(...respellings)
/** Sets milliseconds to zero in half of the records, because people omit them. */
const round = fc.constantFrom(toWholeSecond, (iso: string) => iso)
const place = fc.nat({ max: 1_000_000 })

async function createWithAllRecords(): Promise<Sandbox> {
  const sandbox = await createFreshSandbox('solo')
  makeRecordInEachTable(sandbox)
  return sandbox
}

it('stores one spelling of a time on insert and update, and finds it by any spelling', async () => {
  const base = await createWithAllRecords()
  const timed = new Set<string>()
  await fc.assert(
    fc.property(anyTable, place, respell, round, (name, at, spell, toRound) => {
      const sandbox = base.fork()
      const table = getAnyTable(sandbox, name)
      const rows = table.all()
      const before = rows[at % rows.length]
      fc.pre(before !== undefined)
      const { id, ...fields } = mapTimes(before!, toRound)
      const row = table.update(id, fields)
      const respelled = mapTimes(row, spell)
      if (JSON.stringify(respelled) === JSON.stringify(row)) return
      timed.add(name)
      const times = Object.entries(respelled).filter(([field]) =>
        isTime(row[field as keyof AnyRow]),
      )
      for (const [field, time] of times)
        expect(table.where({ [field]: time }).map((found) => found.id)).toContain(id)
      for (const [field, time] of times) expect(table.update(id, { [field]: time })).toBe(row)
      expect(table.update(id, respelled)).toEqual(row)
      const other =
        typeof id === 'number'
          ? 8_000_000_000_000
          : id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      fc.pre(table.where({ id: other }).length === 0)
      expect(table.insert({ ...respelled, id: other })).toEqual({ ...row, id: other })
    }),
    getRunOptions(200, 2000),
  )
  expect(timed.size).toBeGreaterThan(25)
})

it('makes the same records from any spelling of their creation time', async () => {
  const base = await createWithAllRecords()
  const kinds = factories.kinds.flatMap(({ name, table }) => {
    const row = getAnyTable(base, table).all()[0]
    const times = Object.entries(row ?? {}).filter(([, value]) => isTime(value))
    return row !== undefined && times.length > 0
      ? [{ name, row, fields: Object.fromEntries(times) }]
      : []
  })
  await fc.assert(
    fc.property(fc.constantFrom(...kinds), respell, (kind, spell) => {
      const make = (times: object) => {
        const sandbox = base.fork()
        const makers = sandbox.make as unknown as Record<string, (fields: object) => AnyRow>
        const { accountId, fanId, chatId, postId, listId } = kind.row as unknown as Record<
          string,
          unknown
        >
        const references = { accountId, fanId, chatId, postId, listId }
        const given = Object.fromEntries(
          Object.entries(references).filter(([, value]) => typeof value === 'number'),
        )
        try {
          makers[kind.name]?.({ ...given, ...times })
        } catch (error) {
          return String(error)
        }
        return Object.entries(sandbox.db).map(([name, table]) => [name, table.all()])
      }
      const times = mapTimes(kind.fields, toWholeSecond)
      expect(make(mapTimes(times, spell))).toEqual(make(times))
    }),
    getRunOptions(30, 300),
  )
})

it('restores the same records from any spelling of the times in a snapshot', async () => {
  const sandbox = await createWithAllRecords()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as { tables: object }
  const rowsOf = ({ db }: Sandbox) =>
    Object.entries(db).map(([name, table]) => [name, table.all()] as const)
  await fc.assert(
    fc.asyncProperty(respell, async (spell) => {
      fc.pre(!spell('2026-09-01T10:00:00.123Z').includes('999999'))
      const other = await createFreshSandbox('empty')
      await other.restore({ ...snapshot, tables: mapTimes(snapshot.tables, spell) })
      expect(rowsOf(other)).toEqual(rowsOf(sandbox))
    }),
    getRunOptions(3, 20),
  )
})
