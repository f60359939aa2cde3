import { useLoadedData, useStore } from '../../shared/hooks.ts'
import { formatRecordName, tableOfKind } from '../shared/records.ts'
import type { Changes, DataPage } from '../../shared/types.ts'

/** Maximum number of records whose names are loaded for a list of changes. */
const maxLoaded = 40
/** Minimum interval between loads, ms. */
const followMs = 1_000

/** Names of records, by `toKey`. */
type Names = ReadonlyMap<string, string>

/** Returns the table that a field such as `lastMessageId` refers to. */
export function getFieldTable(field: string): string | undefined {
  const words = field.replace(/Id$/, '').split(/(?=[A-Z])/)
  const kinds = words.map((_, index) => words.slice(index).join('_').toLowerCase())
  return field.endsWith('Id')
    ? kinds.map((kind) => tableOfKind[kind]).find((table) => table !== undefined)
    : undefined
}

/**
 * Returns a function that names the records in a list of changes. Added and removed records are in
 * the list, and the first others are loaded.
 */
export function useNames(
  tables: Changes['tables'],
): (table: string, id: unknown) => string | undefined {
  const { api } = useStore()
  const listed = new Map<string, string>()
  for (const { table, added, removed } of tables)
    for (const record of [...added.records, ...removed.records] as Record<string, unknown>[])
      note(listed, table, record)
  const missing = [...new Set(tables.flatMap(listReferences))]
    .filter((key) => !listed.has(key))
    .slice(0, maxLoaded)
  const { data: loaded = noNames } = useLoadedData(
    async () => {
      const names = new Map<string, string>()
      const load = async (key: string) => {
        const [table = '', id] = key.split(' ')
        const { items } = await api.get<DataPage>(`data/${table}`, { id, limit: 1 })
        for (const record of items as readonly Record<string, unknown>[]) note(names, table, record)
      }
      await Promise.all(missing.map((key) => load(key).catch(() => {}))) // The id is shown.
      return names
    },
    missing.join(),
    followMs,
  )
  return (table, id) => listed.get(toKey(table, id)) ?? loaded.get(toKey(table, id))
}

/** Lists the changed records of a table, and the records that their changed fields refer to. */
function listReferences({ table, changed }: Changes['tables'][number]): readonly string[] {
  return changed.records.flatMap(({ id, fields }) => [
    toKey(table, id),
    ...fields.flatMap(({ field, before, after }) => {
      const other = getFieldTable(field)
      const ids = [before, after].filter((value) => typeof value === 'number')
      return other === undefined ? [] : ids.map((value) => toKey(other, value))
    }),
  ])
}

/** Adds the name of a record, if it has a name besides its id. */
function note(names: Map<string, string>, table: string, record: Record<string, unknown>): void {
  const id = String(record['id'])
  const name = formatRecordName(record)
  if (name !== id) names.set(toKey(table, id), name.slice(0, -` (${id})`.length))
}

function toKey(table: string, id: unknown): string {
  return `${table} ${String(id)}`
}

const noNames: Names = new Map()
