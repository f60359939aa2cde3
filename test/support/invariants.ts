import type { Sandbox } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { tableDefinitions } from '../../src/resources/all-tables.ts'
import { parseReply } from './requests.ts'
import { getIndexedTables } from './indexed-tables.ts'

/** Reads the API as an organisation's owner. With a body, sends a POST request. */
type ReadApi = (path: string, body?: unknown) => Promise<Answer>

// The responses have various shapes.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { data: any; _pagination?: { next_page: string } }

type Rows = ReturnType<Sandbox['db']['transactions']['all']>

/** An account, with values that are read directly from the tables. */
interface Subject {
  db: Sandbox['db']
  id: number
  read: ReadApi
  /** The account's transactions, without reversed transactions. */
  earned: Rows
  /** Number of fans and number of posts to check individually, newest first. */
  most: number
}

const cents = (rows: readonly { amount: number | null }[]) =>
  rows.reduce((sum, row) => sum + Math.round((row.amount ?? 0) * 100), 0)
const sum = (chart: readonly { count: number }[]) =>
  chart.reduce((total, point) => total + point.count, 0)

/** Expects the sandbox to report no violated invariants. */
export function expectNoViolations(sandbox: Sandbox): void {
  const broken = sandbox
    .check()
    .invariants.flatMap(({ name, broken: records }) =>
      records.map((record) => `${name}: ${record}`),
    )
  expect(broken).toEqual([])
}

/** Expects each record to be frozen and equal to the output of its schema. */
export function expectValidRecords({ db }: Sandbox): void {
  for (const [name, table] of Object.entries(db)) {
    const { schema } = tableDefinitions[name as keyof typeof tableDefinitions]
    const rows: readonly object[] = table.all()
    expect([
      name,
      rows.filter(
        (row) => !Object.values({ row, ...row }).every((value) => Object.isFrozen(value)),
      ),
    ]).toEqual([name, []])
    expect([name, rows]).toEqual([name, rows.map((row) => schema.parse(row))])
  }
}

/**
 * Expects all API responses about each account to agree with its records: fans, earnings, links,
 * posts, notifications and chats. Uses a fork without faults, limits and expired sessions, so that
 * the sandbox itself does not change.
 */
export async function expectResponsesMatchRecords(
  sandbox: Sandbox,
  { most = 60 }: { most?: number } = {},
): Promise<void> {
  expectNoViolations(sandbox)
  const fork = sandbox.fork()
  const { db } = fork
  fork.faults.clear()
  for (const { id } of db.organisations.all())
    db.organisations.update(id, {
      limits: { minute: 1_000_000_000, day: 1_000_000_000 },
      credits: null,
      isSubscriptionActive: true,
    })
  for (const { id, organisation, connected } of db.accounts.all()) {
    if (!connected) continue
    db.accounts.update(id, { session: 'active' })
    const { key } = db.apiKeys.find(({ organisation: owner }) => owner === organisation) ?? {
      key: '',
    }
    const earned = db.transactions.where(
      ({ accountId, status }) => accountId === id && status !== 'undo',
    )
    const subject = { db, id, read: createFigureReader(fork, key), earned, most }
    for (const expectPart of [
      expectFans,
      expectEarnings,
      expectLinks,
      expectPosts,
      expectNotifications,
      expectChats,
    ])
      await expectPart(subject)
  }
}

function createFigureReader(sandbox: Sandbox, key: string): ReadApi {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  return async (path, body) => {
    const reply = await sandbox.handle({
      method: body === undefined ? 'GET' : 'POST',
      url: `/v1/${path.replace(/^\/v1\//, '')}`,
      header: (name) => headers[name] ?? null,
      body: body === undefined ? null : JSON.stringify(body),
    })
    expect([path, reply.status]).toEqual([path, 200])
    return parseReply<Answer>(reply)
  }
}

/** Expects the fan object and the list to show the same spending of each fan. */
async function expectFans({ db, id, read, earned, most }: Subject): Promise<void> {
  const byFan = groupByFan(earned)
  for (const { fanId } of getIndexedTables(db).subscriptions.in('listed', id).slice(0, most)) {
    const own = byFan.get(fanId) ?? []
    const { stats } = (await read(`fans/${fanId}/stats`, { account_ids: [id] })).data
    expect([fanId, Math.round(stats[0].total_spend * 100), stats[0].purchase_count]).toEqual([
      fanId,
      cents(own),
      own.length,
    ])
  }
  const listed: [number, number, number][] = []
  for (let path: string | undefined = 'fans'; path !== undefined;) {
    const { data, _pagination }: Answer = await read(path, { account_ids: [id], limit: 100 })
    listed.push(
      ...data.fans.map((fan: { fan_id: string; total_spend: number; purchase_count: number }) => [
        Number(fan.fan_id),
        Math.round(fan.total_spend * 100),
        fan.purchase_count,
      ]),
    )
    path = _pagination?.next_page
  }
  expect(listed.toSorted(([a], [b]) => a - b)).toEqual(
    [...byFan]
      .map(([fanId, rows]) => [fanId, cents(rows), rows.length])
      .toSorted(([a = 0], [b = 0]) => a - b),
  )
}

/** Checks lifetime earnings, excluding payments without a time. */
async function expectEarnings({ id, read, earned }: Subject): Promise<void> {
  const timed = earned.filter((row) => row.transaction_created_at !== null)
  const { earning } = (await read(`${id}/earnings/overview?start_date=2004-01-01&end_date=now`))
    .data
  expect(Math.round(earning.gross * 100)).toBe(cents(timed))
  expect(Math.round(earning.total * 100)).toBe(
    timed.reduce((total, row) => total + (row.amount === null ? 0 : Math.round(row.net * 100)), 0),
  )
}

/** Checks payments made by a link's claimers after claiming it. */
async function expectLinks({ db, id, read, earned }: Subject): Promise<void> {
  for (const { id: linkId } of db.trackingLinks.where({ accountId: id, endDate: null })) {
    const claims = new Map(
      db.subscriptions
        .where({ trackingLinkId: linkId })
        .map(({ fanId, subscribedAt }) => [fanId, subscribedAt]),
    )
    const paid = earned.filter(
      ({ fanId, transaction_created_at: at }) => at !== null && at >= (claims.get(fanId) ?? '~'),
    )
    const { data: link } = await read(`${id}/tracking-links/${linkId}`)
    expect([linkId, link.countSubscribers, Math.round(link.revenue.total * 100)]).toEqual([
      linkId,
      claims.size,
      cents(paid),
    ])
    expect(link.countTransitions).toBeGreaterThanOrEqual(link.countSubscribers)
  }
}

/** Expects each chart of a post to add up to its total. */
async function expectPosts({ db, id, read, most }: Subject): Promise<void> {
  for (const post of getIndexedTables(db).posts.in('published', id).slice(0, most)) {
    const { hasStats, ...stats } = (await read(`${id}/posts/${post.id}/stats`)).data
    const charts = ['look', 'uniqueLook', 'like', 'comment', 'tip'].map((name) => [
      sum(stats[`${name}Chart`]),
      stats[`${name}Count`],
    ])
    expect([post.id, charts]).toEqual([post.id, charts.map(([, total]) => [total, total])])
    expect([
      post.id,
      sum(stats.tipSumChart),
      sum(stats.purchasesChart),
      stats.likeCount <= stats.uniqueLookCount || !hasStats,
    ]).toEqual([post.id, stats.tipSum, stats.purchasedCount, true])
  }
}

/** Expects the unread counts to match the numbers of unread rows. */
async function expectNotifications({ db, id, read }: Subject): Promise<void> {
  const unread = db.notifications.where({ accountId: id, isRead: false })
  const { all, ...tabs } = (await read(`${id}/notifications/counts`)).data
  expect(all).toBe(unread.length)
  for (const [tab, size] of Object.entries(tabs))
    expect([tab, size]).toEqual([tab, unread.filter(({ type }) => type === tab).length])
}

/**
 * Expects the unread messages of a chat to be the messages that the fan sent after the last read
 * message. A paid message must be open only if it was bought.
 */
async function expectChats({ db, id, read, earned }: Subject): Promise<void> {
  for (let path: string | undefined = `${id}/chats?limit=100&skip_users=all`; path !== undefined;) {
    const { data, _pagination }: Answer = await read(path)
    for (const chat of data.list) {
      const messages = getIndexedTables(db).messages.in('byChat', chat.id).slice()
      const since = messages.findIndex((message) => message.id === chat.lastReadMessageId)
      const unread = messages
        .slice(0, since === -1 ? messages.length : since)
        .filter(({ isFromFan }) => isFromFan)
      expect([chat.id, chat.unreadMessagesCount]).toEqual([chat.id, unread.length])
    }
    path = _pagination?.next_page
  }
  const bought = new Set(
    earned.flatMap(({ messageId, category }) =>
      messageId !== null && category === 'message' ? messageId : [],
    ),
  )
  for (const message of db.messages.where(
    (row) => row.accountId === id && row.price > 0 && !row.isFromFan,
  ))
    expect([message.id, message.isOpened]).toEqual([message.id, bought.has(message.id)])
}

function groupByFan(rows: Rows): Map<number, Rows> {
  const groups = new Map<number, Rows[number][]>()
  for (const row of rows) {
    const group = groups.get(row.fanId) ?? []
    groups.set(row.fanId, group)
    group.push(row)
  }
  return groups
}
