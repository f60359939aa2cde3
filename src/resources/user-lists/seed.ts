import { dayMs, parseIso, minuteMs, toIsoTime } from '../../lib/time.ts'
import { chooseName } from '../../seed/given-names.ts'
import { appendRows, getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { UserListData, UserListSizes } from './user-lists.table.ts'
import { fillPlaceholders } from '../../lib/text.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'
import { resolveAccountId, resolveAccountAndFan } from '../subscribers/find-subscription.ts'
import { listCustomLists, isListMember, toMemberKey } from './user-lists.ts'

type Plan = AccountPlan<UserListSizes & AccountSizes>

/** Minimum time between a fan's subscription and their addition to a list. */
const settledMs = 20 * minuteMs

/** Maximum number of days that a fan has been waiting for a reply. */
const waitingDays = 30

/**
 * Seeds the user lists. Without a filter, the first list has the fans who pay most often. Each
 * later list starts five fans further down that ranking.
 */
export function seedUserLists(seeding: SeedContext, plan: Plan): void {
  const { random, rows, texts } = seeding
  const { account, sizes, persona, since } = plan
  const naming = {
    texts,
    isEdge: sizes.texts === 'edge',
    own: persona.names.userLists,
    numbered: texts.lists.numbered,
  }
  for (const [index, list] of sizes.userLists.entries()) {
    const id = seeding.nextId('userLists')
    const age = sizes.equalTimes ? 300 - index : 300 - index * 31 + random.next() * 25
    const createdAt = Math.floor(Math.max(since, getTimeDaysAgo(seeding, Math.max(1, age))))
    const chosen = selectMembers(seeding, { ...list, index })
    const timed = sizes.equalTimes ? chosen : drawMemberTimes(seeding, chosen, createdAt)
    const members = timed.map(({ fanId, since: addedAt = createdAt }) => {
      return {
        id: `${id}:${fanId}`,
        accountId: account.id,
        listId: id,
        userId: fanId,
        addedAt: toIsoTime(addedAt),
        number: 0,
      }
    })
    appendRows(rows.userListMembers, members)
    rows.userLists.push({
      id,
      accountId: account.id,
      name: list.name ?? chooseName(index, naming),
      order: index + 1,
      isPinnedToFeed: false,
      isPinnedToChat: index === 0,
      createdAt: toIsoTime(createdAt),
      updatedAt: members.at(-1)?.addedAt ?? toIsoTime(createdAt),
      updateNumber: 0,
    })
  }
}

/**
 * A member of a list. `since` (epoch ms) is set only if an event determines the time of addition.
 */
interface Member {
  fanId: number
  since?: number
}

/**
 * Picks random times at which members were added to a list, oldest first. Each time is after the
 * member's subscription.
 */
function drawMemberTimes(
  { random, rows, now }: SeedContext,
  members: readonly Member[],
  createdAt: number,
): Member[] {
  const subscribed = new Map(rows.subscriptions.map((row) => [row.fanId, row.subscribedAt]))
  return members
    .map(({ fanId, since }) => {
      const from = Math.max(createdAt, parseIso(subscribed.get(fanId) ?? '') + settledMs)
      const until = Math.max(from, now - minuteMs)
      return { fanId, since: since ?? from + Math.floor(random.next() ** 2 * (until - from)) }
    })
    .toSorted((one, other) => one.since - other.since)
}

function selectMembers(
  seeding: SeedContext,
  { members, holds, index }: UserListData & { index: number },
): readonly Member[] {
  if (holds === 'unanswered') return listUnansweredFans(seeding)
  const isRanked = holds === 'spenders' || index === 0
  const fans = isRanked
    ? rankFans(seeding, holds === 'spenders' ? ({ amount }) => amount ?? 0 : () => 1)
    : seeding.rows.subscriptions
  const first = isRanked ? 0 : index * 5
  return Array.from({ length: Math.min(members, fans.length) }, (_, place) => ({
    fanId: fans[(first + place) % fans.length]?.fanId ?? 0,
  }))
}

/**
 * Returns the fans who recently wrote the last message in their chat, oldest first, with the time
 * of this message. Mass messages do not count as replies.
 */
function listUnansweredFans({ rows, now }: SeedContext): Member[] {
  const since = toIsoTime(now - waitingDays * dayMs)
  const shown = new Set<number>()
  for (const { id, isHidden } of rows.chats) if (!isHidden) shown.add(id)
  const last = new Map<number, Message>()
  // Messages are sorted by time, except that messages about tips come last.
  for (const message of rows.messages)
    if (
      message.queueId === null &&
      message.createdAt > since &&
      message.createdAt >= (last.get(message.chatId)?.createdAt ?? '')
    )
      last.set(message.chatId, message)
  return [...last.values()]
    .filter(({ chatId, isFromFan }) => isFromFan && shown.has(chatId))
    .map(({ fanId, createdAt }) => ({ fanId, since: parseIso(createdAt) }))
    .toSorted((one, other) => one.since - other.since)
}

/**
 * Adds up `valueOf` over each fan's payments. Returns the fans of an account sorted by this total,
 * highest first.
 */
function rankFans(
  { rows }: SeedContext,
  valueOf: (payment: Transaction) => number,
): readonly Member[] {
  const sums = new Map<number, number>()
  for (const row of rows.transactions)
    if (row.status !== 'undo') sums.set(row.fanId, (sums.get(row.fanId) ?? 0) + valueOf(row))
  const fans = rows.subscriptions
  return fans.toSorted((a, b) => (sums.get(b.fanId) ?? 0) - (sums.get(a.fanId) ?? 0))
}

/** Fills in missing fields of user lists. By default, a list comes last in the account's order. */
export const userListFactory = defineFactory({
  name: 'userList',
  table: 'userLists',
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
export const userListMemberFactory = defineFactory({
  name: 'userListMember',
  table: 'userListMembers',
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
