import { pageOf, pageOfWalk } from '../../engine/paging.ts'
import type { PageOf, PageQuery } from '../../engine/paging.ts'
import { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toPlainText } from '../../engine/text.ts'
import type { World } from '../../world/world.ts'
import { subscriptionOf } from '../subscribers/lookup.ts'
import { memberIds } from '../user-lists/user-lists.ts'
import { chatShelf, isShown, latestChatFirst } from './chats.table.ts'
import type { Chat, ChatFilter } from './chats.table.ts'
import { chatWith } from './chats.ts'

/** What the chat list is asked for. */
export interface ChatQuery extends PageQuery {
  order: 'recent' | 'old'
  filter?: ChatFilter
  /** A user list whose members' chats are wanted. */
  listId?: number
  /** Case-insensitive part of the fan's name or username, or of the last message. */
  text?: string
}

/** One page of the account's chats that are not hidden, the latest message first or last. */
export function readChats(world: World, account: Account, query: ChatQuery): PageOf<Chat> {
  const { order, filter, listId, text = '' } = query
  const shown = world.db.chats.in('shown', chatShelf(account.id, filter))
  const rows = listId === undefined ? shown : ofMembers(world, account, { shown, members: memberIds(world, account, listId) })
  const backwards = order === 'old'
  return text === ''
    ? pageOf(rows, query, { backwards })
    : pageOfWalk(search(world, rows.walk(backwards ? rows.size - 1 : 0, backwards), text), query)
}

function ofMembers(
  world: World,
  account: Account,
  { shown, members }: { shown: SortedList<Chat>; members: readonly number[] },
): SortedList<Chat> {
  if (members.length < shown.size) {
    const chats = members.flatMap((fanId) => chatWith(world, account.id, fanId) ?? [])
    return SortedList.from(chats.filter(isShown), latestChatFirst)
  }
  const wanted = new Set(members)
  return SortedList.from(
    shown.slice().filter((chat) => wanted.has(chat.fanId)),
    latestChatFirst,
  )
}

function* search(world: World, chats: Iterable<Chat>, text: string): Generator<Chat, void, void> {
  const needle = text.toLowerCase()
  const has = (value: string | undefined) => value?.toLowerCase().includes(needle) === true
  for (const chat of chats) {
    const fan = world.db.fans.get(chat.fanId)
    const last = world.db.messages.in('byChat', chat.id).at(0)
    const displayName = subscriptionOf(world, chat.accountId, chat.fanId)?.displayName
    if (has(fan?.name) || has(fan?.username) || has(displayName) || (last !== undefined && has(toPlainText(last.text)))) yield chat
  }
}
