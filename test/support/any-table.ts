import type { Sandbox } from 'creator-api-sandbox'

/** A record of any table. */
export interface AnyRow {
  readonly id: number | string
  readonly accountId?: number
}

/** The public methods of a table, for records of any type. */
export interface AnyTable {
  all: () => readonly AnyRow[]
  where: (match: object) => readonly AnyRow[]
  insert: (values: object) => AnyRow
  update: (id: AnyRow['id'], values: object) => AnyRow
  remove: (id: AnyRow['id']) => AnyRow | undefined
}

export function getAnyTable({ db }: Sandbox, name: string): AnyTable {
  return (db as unknown as Record<string, AnyTable>)[name] as AnyTable
}
