import { expect, it } from 'vitest'
import type { IndexDefinition } from '../../src/data/table-index.ts'
import { getTable } from '../../src/data/tables.ts'
import { createSandbox } from '../../src/index.ts'
import { tableDefinitions, tableNames } from '../../src/resources/all-tables.ts'
import type { TableName } from '../../src/resources/all-tables.ts'

interface AnyRow {
  id: number | string
}

const { db, ready } = createSandbox({ scenario: 'agency' })
await ready

const indexesOf = (name: TableName) =>
  Object.entries(tableDefinitions[name].indexes) as unknown as [string, IndexDefinition<AnyRow>][]
/** Fields that identify a row, in addition to its id. */
const identities = ['id', 'fanId', 'userId', 'listId', 'linkId', 'number', 'date', 'day']
const twinOf = (row: AnyRow) =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      !identities.includes(field) ? value : typeof value === 'number' ? value + 1 : `${value}0`,
    ]),
  ) as unknown as AnyRow

it.each(tableNames.filter((name) => getTable(db, name).size > 0))(
  'orders any two rows of %s, so that no order depends on insertion',
  (name) => {
    const row = getTable(db, name).all()[0] as unknown as AnyRow
    const twin = twinOf(row)
    expect(
      indexesOf(name)
        .filter(([, { order }]) => order(row, twin) === 0)
        .map(([index]) => index),
    ).toEqual([])
  },
)
