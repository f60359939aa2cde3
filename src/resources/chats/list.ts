import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { SortedList } from '../../data/sorted-list.ts'
import { filterItems } from '../../lib/iterables.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { listMemberIds } from '../user-lists/user-lists.ts'
import { toChatFilterKey, isShownInList, latestChatFirst } from './chats.table.ts'
import type { Chat, ChatFilter } from './chats.table.ts'
import { findChatWith } from './chats.ts'

/** Query parameters of the chat list. */
export interface ChatQuery extends PageQuery {
  order: 'recent' | 'old'
  filter?: ChatFilter
  /** Id of a user list. Only chats with its members are returned. */
  listId?: number
  /** Part of the fan's name, display name or username, case-insensitive. */
  text?: string
}

/** Returns one page of the account's shown chats, sorted by their latest message. */
export function readChats(world: World, account: Account, query: ChatQuery): ListPage<Chat> {
  const { order, filter, listId, text = '' } = query
  const shown = world.db.chats.in('shown', toChatFilterKey(account.id, filter))
  const rows =
    listId === undefined
      ? shown
      : listChatsWithMembers(world, account, {
          shown,
          members: listMemberIds(world, account, listId),
        })
  const backwards = order === 'old'
  if (text === '') return readPage(rows, query, { backwards })
  const matches = createChatFilter(world, text)
  return readIterablePage(
    filterItems(rows.walk(backwards ? rows.size - 1 : 0, backwards), matches),
    query,
  )
}

/**
 * Returns the shown chats with members of a user list. Iterates over the shorter of the two lists.
 */
function listChatsWithMembers(
  world: World,
  account: Account,
  { shown, members }: { shown: SortedList<Chat>; members: readonly number[] },
): SortedList<Chat> {
  if (members.length < shown.size) {
    const chats = members.flatMap((fanId) => findChatWith(world, account.id, fanId) ?? [])
    return SortedList.from(chats.filter(isShownInList), latestChatFirst)
  }
  const memberSet = new Set(members)
  return SortedList.from(
    shown.slice().filter((chat) => memberSet.has(chat.fanId)),
    latestChatFirst,
  )
}

/** Returns a predicate for chats with a fan whose name contains the text. */
function createChatFilter(world: World, text: string): (chat: Chat) => boolean {
  const hasText = (value: string | null | undefined) =>
    value != null && includesIgnoringCase(value, text)
  return (chat) => {
    const fan = world.db.fans.get(chat.fanId)
    const displayName = findSubscription(world, chat.accountId, chat.fanId)?.displayName
    return hasText(fan?.name) || hasText(fan?.username) || hasText(displayName)
  }
}
