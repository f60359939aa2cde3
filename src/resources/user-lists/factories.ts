import { fillPlaceholders } from '../../lib/text.ts'
import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { resolveAccountId, resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { listCustomLists, isListMember, toMemberKey } from './user-lists.ts'

/** Fills in missing fields of user lists. By default, a list comes last in the account's order. */
const userListFactory = defineFactory({
  name: 'userList',
  table: 'userLists',
  after: ['account'],
  time: 'createdAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const order = (listCustomLists(context.world, accountId).at(-1)?.order ?? 0) + 1
    const name = fillPlaceholders(createTextSources(context).texts.lists.numbered, {
      NUMBER: String(order),
    })
    return { accountId, name, order, createdAt: context.iso, updatedAt: context.iso }
  },
})

/** Fills in missing fields of the members of user lists. */
const userListMemberFactory = defineFactory({
  name: 'userListMember',
  table: 'userListMembers',
  after: ['userList', 'subscription'],
  time: 'addedAt',
  complete(given, context) {
    const { world } = context
    const accountId =
      given.listId === undefined
        ? resolveAccountId(context, { ...given, fanId: given.userId })
        : context.accountId(given)
    const listId =
      given.listId ??
      context.only(
        'listId',
        listCustomLists(world, accountId),
        `list of users of the account ${accountId}`,
      )
    const userId =
      given.userId ??
      resolveAccountAndFan(
        context,
        { accountId },
        ({ fanId }) => !isListMember(world, listId, fanId),
      ).fanId
    return { id: toMemberKey(listId, userId), accountId, listId, userId, addedAt: context.iso }
  },
})

export const userListsFactories = [userListFactory, userListMemberFactory] as const
