import type { Sandbox } from 'creator-api-sandbox'
import { createHash } from 'node:crypto'
import type { Exchange } from './exchange.ts'

export type Row = Record<string, unknown> & { id: number | string }

export function listTables(sandbox: Sandbox): string[] {
  return Object.keys(sandbox.db)
}

/** Returns all rows of a table, sorted by id, or an empty list if the table does not exist. */
export function listRows(sandbox: Sandbox, table: string): readonly Row[] {
  const tables = sandbox.db as unknown as Record<string, { all: () => readonly Row[] } | undefined>
  return tables[table]?.all() ?? []
}

/** Reads the rows of all tables. Returns one exchange per table. */
export function readAllTables(sandbox: Sandbox): Exchange[] {
  return listTables(sandbox).map((table) => readTable(sandbox, table))
}

export function readTable(sandbox: Sandbox, table: string): Exchange {
  const rows = listRows(sandbox, table)
  const hash = createHash('sha1')
  for (const row of rows) hash.update(hashRow(row))
  return {
    request: `table ${table}`,
    status: 0,
    headers: {},
    sum: hash.digest('hex'),
    get body() {
      return JSON.stringify(rows)
    },
  }
}

/** Caches SHA-1 hashes of rows, because forks share most of their rows. */
const sums = new WeakMap<Row, string>()

function hashRow(row: Row): string {
  const known = sums.get(row)
  if (known !== undefined) return known
  const sum = createHash('sha1').update(JSON.stringify(row)).digest('hex')
  if (Object.isFrozen(row)) sums.set(row, sum)
  return sum
}

/** Selects evenly distributed items from a list, including the first and the last. */
export function sampleEvenly<Item>(list: readonly Item[], most: number): Item[] {
  if (list.length <= most) return [...list]
  if (most === 1) return list.slice(0, 1)
  const step = (list.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => list[Math.round(index * step)]!)
}
