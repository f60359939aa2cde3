import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { findBuiltInListId, listDerivedLists } from './built-in-lists.ts'

export const vaultInvariants: readonly Invariant<World>[] = [
  { name: 'built-in vault lists match the use of media', check: findMisplaced },
]

function findMisplaced(world: World): string[] {
  return findViolations(world.db.vaultMedia.all(), ({ id, accountId, listIds }) =>
    listDerivedLists(world, id).flatMap(([type, isShown]) => {
      const listId = findBuiltInListId(world, accountId, type)
      if (listId === undefined || listIds.includes(listId) === isShown) return []
      return isShown
        ? [`The media item ${id} is not in the list ${type}.`]
        : [`The media item ${id} is in the list ${type}, but no record of that kind uses it.`]
    }),
  )
}
