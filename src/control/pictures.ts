import { parsePicturePath, publicHost } from '../world/public-files.ts'
import { listReferences } from '../data/references.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'
import { getTableReferences } from '../resources/references.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'

/**
 * Finds a picture for each record: the record's own picture, or the picture of the first referenced
 * record that has one. The URLs are relative to the control plane, which serves pictures without a
 * token because they are part of this package.
 */
export function findPictures(
  world: World,
  table: TableName,
  records: readonly object[],
): Record<string, string> {
  const found = records.map(
    (record) => [String((record as { id: Id }).id), findPicture(world, table, record)] as const,
  )
  return Object.fromEntries(
    found.flatMap(([id, picture]) => (picture === undefined ? [] : [[id, picture]])),
  )
}

function findPicture(world: World, table: TableName, record: object): string | undefined {
  const own = findOwnPicture(record)
  if (own !== undefined) return own
  const named = listReferences(record, getTableReferences(table)).flatMap(({ tables, id }) =>
    // Skips references to accounts, because almost every record has one.
    tables.includes('accounts')
      ? []
      : tables.flatMap((name) => findOwnPicture(getTable(world.db, name).get(id)) ?? []),
  )
  return named.find((picture) => picture.startsWith('media/')) ?? named[0]
}

function findOwnPicture(record: object | undefined): string | undefined {
  const { asset, avatar } = (record ?? {}) as { asset?: unknown; avatar?: unknown }
  if (typeof asset === 'string') return `media/${encodeURIComponent(asset)}/thumb`
  if (typeof avatar !== 'string' || !avatar.startsWith(`${publicHost}/`)) return undefined
  const user = parsePicturePath(avatar.slice(publicHost.length))
  return user && `files/${user.userId}/avatar_c50.svg`
}
