import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'
import { builtInListId, shownIn } from './built-in-lists.ts'

/** What always holds of the vault. */
export const vaultInvariants: readonly Invariant<World>[] = [
  { name: 'media are in the built-in lists of what shows them', check: findMisplaced },
  { name: 'the lists that hold a media item can be looked up', check: findUnknownLists },
]

function* findMisplaced(world: World): Generator<string> {
  for (const { id, accountId, listIds } of world.db.vaultMedia.all()) {
    for (const [type, isShown] of shownIn(world, id)) {
      const listId = builtInListId(world, accountId, type)
      if (listId === undefined || listIds.includes(listId) === isShown) continue
      yield isShown
        ? `The media item ${id} is not in the list ${type}.`
        : `The media item ${id} is in the list ${type}, but nothing shows it there.`
    }
  }
}

function* findUnknownLists({ db }: World): Generator<string> {
  for (const { id, accountId, listIds } of db.vaultMedia.all()) {
    const unknown = listIds.find((listId) => db.vaultLists.get(listId)?.accountId !== accountId)
    if (unknown !== undefined) yield `The media item ${id} is in the list ${unknown}, which the account does not have.`
  }
}
