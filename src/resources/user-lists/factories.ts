import { fillIn } from '../../engine/text.ts'
import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'
import { accountOf, partiesOf } from '../subscribers/parties.ts'
import { customLists, isMember, memberKey } from './user-lists.ts'

/** Completes lists of users: the last of the account. */
const userListFactory = defineFactory({
  name: 'userList',
  table: 'userLists',
  after: ['account'],
  time: 'createdAt',
  complete(given, making) {
    const accountId = making.accountId(given)
    const order = (customLists(making.world, accountId).at(-1)?.order ?? 0) + 1
    const name = fillIn(wordsFor(making).texts.lists.numbered, { NUMBER: String(order) })
    return { accountId, name, order, createdAt: making.iso, updatedAt: making.iso }
  },
})

/** Completes the members of lists of users. */
const userListMemberFactory = defineFactory({
  name: 'userListMember',
  table: 'userListMembers',
  after: ['userList', 'subscription'],
  time: 'addedAt',
  complete(given, making) {
    const { world } = making
    const accountId =
      given.listId === undefined
        ? accountOf(making, { ...given, fanId: given.userId })
        : making.accountId(given)
    const listId =
      given.listId ??
      making.only(
        'listId',
        customLists(world, accountId),
        `list of users of the account ${accountId}`,
      )
    const userId =
      given.userId ??
      partiesOf(making, { accountId }, ({ fanId }) => !isMember(world, listId, fanId)).fanId
    return { id: memberKey(listId, userId), accountId, listId, userId, addedAt: making.iso }
  },
})

export const userListsFactories = [userListFactory, userListMemberFactory] as const
