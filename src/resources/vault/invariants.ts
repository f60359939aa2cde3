import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { findBuiltInListId, listDerivedLists } from './built-in-lists.ts'

export const vaultInvariants: readonly Invariant<World>[] = [
  { name: 'built-in vault lists match the use of media', check: findMisplaced },
  { name: 'accounts use only media of their own vault', check: findForeignUse },
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

/** Finds media from fans that are in a vault list, or in a post, story or message of the creator. */
function findForeignUse({ db }: World): string[] {
  const uses = [
    ['posts', db.posts],
    ['stories', db.stories],
    ['messages', db.messages],
    ['massMessages', db.massMessages],
  ] as const
  return findViolations(db.vaultMedia.all(), ({ id, senderId, listIds }) => {
    if (senderId === undefined) return []
    const places = uses.filter(([, table]) => table.in('byMedia', id).size > 0)
    return [
      ...places.map(([name]) => `The media item ${id} is in ${name}, but a fan sent it.`),
      ...listIds.map((list) => `The media item ${id} is in the list ${list}, but a fan sent it.`),
    ]
  })
}
