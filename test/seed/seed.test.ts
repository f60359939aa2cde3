import { expect, it } from 'vitest'
import type { z } from 'zod'
import { toCents } from '../../src/lib/money.ts'
import { toSnapshotJson } from '../../src/world/snapshot/snapshot.ts'
import { getTable } from '../../src/data/tables.ts'
import { toPlainText } from '../../src/lib/text.ts'
import { toFanKey } from '../../src/resources/fans/fans.table.ts'
import type { World } from '../../src/resources/world.ts'
import type { Post } from '../../src/resources/posts/posts.table.ts'
import { edges } from '../../scripts/edge-cases.ts'
import { createSandbox } from '../../src/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { derivedTables, tableDefinitions, tableNames } from '../../src/resources/all-tables.ts'
import { expectUnchangedByParsing, expectSameText } from '../support/expectations.ts'
import { mergePartialRefunds } from '../support/payments.ts'
import { seedShippedScenario } from '../support/seeded-world.ts'

const small = ['agency', 'boundaries', 'empty', 'solo'] as const
const dayMs = 86_400_000
const agency = await seedShippedScenario('agency')
const worlds = new Map([
  ['agency', agency],
  ...(await Promise.all(
    small.slice(1).map(async (name) => [name, await seedShippedScenario(name)] as const),
  )),
])
const world = (name: string) => worlds.get(name)!

it.each(small)('seeds %s with records that match their schemas, key by key', (name) => {
  for (const table of tableNames) {
    const { schema } = tableDefinitions[table] as { schema: z.ZodType }
    const rows = getTable(world(name).db, table).all()
    for (const row of rows) expectUnchangedByParsing(schema, row, `A record of ${table}`)
  }
})

it.each(small)(
  'seeds %s byte for byte the same with the same seed, and differently with another',
  async (name) => {
    const text = (seeded: World) => JSON.stringify(toSnapshotJson(seeded, name).tables)
    const first = text(world(name))
    expectSameText(text(await seedShippedScenario(name)), first, `${name}, seeded again`)
    if (name === 'empty' || name === 'agency') return
    const other = await seedShippedScenario(name, { seed: 4242 })
    expect(text(other) === first).toBe(false)
  },
)

it.each(small)(
  'dates only scheduled, expiring and transcoding records of %s after the start',
  (name) => {
    const { db, clock } = world(name)
    const late = /^(expiredAt|dueAt|expiresAt|readyAt|scheduledDate)$/
    for (const table of tableNames) {
      for (const row of getTable(db, table).all()) {
        if ((row as unknown as Post).status === ('scheduled' as string)) continue
        const times = Object.entries(row).filter(
          ([field, value]) =>
            typeof value === 'string' &&
            /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) &&
            !late.test(field),
        )
        expect([table, row.id, times.filter(([, time]) => time > clock.iso())]).toEqual([
          table,
          row.id,
          [],
        ])
      }
    }
  },
)

it.each(small)(
  'seeds consistent captions, cursors, labels and media of the posts of %s',
  (name) => {
    const { db } = world(name)
    const cursors = db.posts.all().map((post) => `${post.accountId} ${post.postedAtPrecise}`)
    expect(new Set(cursors).size).toBe(cursors.length)
    for (const post of db.posts.all()) {
      const media = post.mediaFiles.map((id) => db.vaultMedia.get(id))
      expect([post.id, media.filter((each) => (each?.createdAt ?? '') > post.postedAt)]).toEqual([
        post.id,
        [],
      ])
      expect(post.rawText).toBe(toPlainText(post.text))
      expect(Math.floor(Number(post.postedAtPrecise) * 1000)).toBe(Date.parse(post.postedAt))
      expect(media.map((each) => [each?.accountId, each?.type])).toEqual(
        post.mediaTypes.map((type) => [post.accountId, type]),
      )
      expect(
        post.preview.filter((id) => post.price === 0 || !post.mediaFiles.includes(id)),
      ).toEqual([])
      if (post.bucket !== null) expect(post.labels).toEqual([])
    }
  },
)

it.each(small)('seeds payments of %s whose parts add up, by fans who subscribed', (name) => {
  const { db } = world(name)
  const wrong: unknown[] = []
  // Collects failures, because calling `expect` for thousands of values would be slow.
  const hold = (id: string, given: unknown, expected: unknown) =>
    Object.is(given, expected) || wrong.push({ id, given, expected })
  for (const row of db.transactions.all()) {
    const { amount, fee, vat_amount: vat, net, id } = row
    const subscription = db.subscriptions.in('byFan', toFanKey(row.accountId, row.fanId)).at(0)
    for (const dollars of [amount, fee, vat, net])
      if (dollars !== null) hold(id, toCents(dollars) / 100, dollars)
    if (amount !== null && fee !== null) hold(id, toCents(fee), Math.round(toCents(amount) * 0.2))
    if (amount !== null && fee !== null && vat !== null)
      hold(id, toCents(net), toCents(amount) - toCents(fee) - toCents(vat))
    hold(id, subscription === undefined, false)
    const paidAt = row.transaction_created_at
    if (paidAt !== null) hold(id, paidAt < (subscription?.subscribedAt ?? '~'), false)
  }
  for (const { id, accountId, fanId, amount, category, postId, messageId } of mergePartialRefunds(
    db.transactions.all(),
  )) {
    const subscription = db.subscriptions.in('byFan', toFanKey(accountId, fanId)).at(0)
    if (category?.endsWith('_subscription') === true && amount !== null)
      hold(
        id,
        subscription?.spans.some((span) => span.price === amount),
        true,
      )
    if (postId !== null) hold(id, db.posts.get(postId)?.accountId, accountId)
    if (category === 'unlock') hold(id, db.posts.get(postId ?? 0)?.price, amount)
    if (category === 'message') {
      const message = db.messages.get(messageId ?? 0)
      hold(id, message?.price, amount)
      hold(id, message?.isFromFan, false)
      hold(id, message?.fanId, fanId)
      hold(id, message?.accountId, accountId)
    }
  }
  expect(wrong).toEqual([])
})

it('seeds two organisations of the agency with keys, tags and accounts', () => {
  const { db } = agency
  expect(db.organisations.all().map(({ id }) => id)).toEqual([1, 2])
  expect(db.apiKeys.all().map(({ role, organisation }) => [role, organisation])).toEqual([
    ['owner', 1],
    ['analyst', 1],
    ['chatter', 1],
    ['partner', 2],
  ])
  const connected = (organisation: number, isConnected: boolean) =>
    db.accounts.where({ organisation, connected: isConnected }).length
  expect([connected(1, true), connected(1, false), connected(2, true)]).toEqual([5, 1, 1])
  for (const organisation of [1, 2])
    expect(db.tags.where({ organisation }).length).toBeGreaterThan(1)
})

it.each([
  { username: 'mara_lindqvist', posts: 180, fans: 400, payments: 2500, days: 700, chats: 150 },
  { username: 'jonah_reyes', posts: 150, fans: 250, payments: 1300, days: 600, chats: 80 },
  { username: 'ines_kaya', posts: 100, fans: 170, payments: 800, days: 270, chats: 80 },
])('gives $username of the agency a history of its own', (promised) => {
  const { db, clock } = agency
  const { id: accountId, joinDate } = db.accounts.find({ username: promised.username })!
  const posts = db.posts.where({ accountId, status: 'published' })
  const ages = posts.map(({ postedAt }) => (clock.now() - Date.parse(postedAt)) / dayMs)
  expect(posts.length).toBeGreaterThanOrEqual(promised.posts)
  expect(db.subscriptions.where({ accountId }).length).toBeGreaterThanOrEqual(promised.fans)
  expect(db.transactions.where({ accountId }).length).toBeGreaterThanOrEqual(promised.payments)
  expect(db.chats.where({ accountId }).length).toBeGreaterThanOrEqual(promised.chats)
  expect(Math.max(...ages)).toBeGreaterThan(promised.days)
  expect(posts.filter(({ postedAt }) => postedAt < joinDate)).toEqual([])
})

it('has every edge case of docs/scenarios.md', () => {
  const missing = edges.filter(({ find }) => find(agency.db as Sandbox['db']) === undefined)
  expect(missing.map(({ what }) => what)).toEqual([])
})

it('taxes all payments of a fan at the rate of one country', () => {
  const rates = new Map<number, Set<number>>()
  for (const { fanId, amount, vat_amount: vat } of agency.db.transactions.all()) {
    // The rate cannot be derived from small amounts, because the tax is rounded to cents.
    if (amount === null || vat === null || amount < 3) continue
    const rate = Math.round((vat / (amount - vat)) * 100)
    rates.set(fanId, (rates.get(fanId) ?? new Set()).add(rate))
  }
  expect([...rates.values()].filter(({ size }) => size > 1)).toEqual([])
  expect(new Set([...rates.values()].flatMap((each) => [...each])).size).toBeGreaterThan(5)
})

it('marks only payments for saved streams', () => {
  const { db } = agency
  const marked = db.transactions.where(({ isOnStream }) => isOnStream)
  const forStreams = db.transactions.where(
    ({ postId }) => postId !== null && db.posts.get(postId)?.isStream === true,
  )
  expect(marked.length).toBeGreaterThan(0)
  expect(marked).toEqual(forStreams)
})

it('has lists with sizes near the page size in boundaries', () => {
  const { db } = world('boundaries')
  const lengths = {
    posts: db.accounts
      .all()
      .map(({ id }) => db.posts.where({ accountId: id, bucket: null }).length),
    comments: db.posts.all().map(({ commentCount }) => commentCount),
    claimers: db.trackingLinks
      .all()
      .map(({ id }) => db.subscriptions.in('byTrackingLink', id).size),
  }
  for (const [list, all] of Object.entries(lengths))
    expect([list, all]).toEqual([list, expect.arrayContaining([0, 1, 9, 10, 11, 20])])
  const payments = db.subscriptions
    .all()
    .map(({ accountId, fanId }) => db.transactions.in('byFan', toFanKey(accountId, fanId)).size)
  expect(payments).toEqual(expect.arrayContaining([0, 1, 24, 25, 26, 50]))
})

/** Emoji, letters that are written from right to left, and long texts. */
const unusual = [/\p{Extended_Pictographic}/u, /[\u0590-\u06FF]/, /.{4000}/]

it('seeds equal times, equal ranks, rows without a time and unusual texts in boundaries', () => {
  const { db } = world('boundaries')
  const hasTwice = (values: readonly unknown[]) => new Set(values).size < values.length
  const { id: accountId } = db.accounts.all().at(-1)!
  const posts = db.posts.where({ accountId })
  const fullest = posts.toSorted((a, b) => b.commentCount - a.commentCount)[0]!
  expect(hasTwice(posts.map(({ postedAt }) => postedAt))).toBe(true)
  for (const rank of ['likeCount', 'lookCount', 'tipSum', 'purchasedCount'] as const)
    expect([rank, hasTwice(posts.map((post) => post[rank]))]).toEqual([rank, true])
  const comments = db.comments.where({ postId: fullest.id })
  expect(hasTwice(comments.map(({ postedAt }) => postedAt))).toBe(true)
  const claims = db.subscriptions.where((row) => row.trackingLinkId !== null)
  expect(hasTwice(claims.map(({ subscribedAt }) => subscribedAt))).toBe(true)
  expect(db.transactions.find({ transaction_created_at: null })).toBeDefined()
  const captions = posts.map(({ text }) => text).join('\n')
  for (const expression of [/<a href/, ...unusual]) expect(captions).toMatch(expression)
})

it('seeds boundaries with paid subscriptions, unread chats, and edge-case texts', () => {
  const { db } = world('boundaries')
  const { id: accountId } = db.accounts.find({ username: 'paid_unread' })!
  const paid = db.subscriptions.where({ accountId }).filter(({ price }) => price > 0)
  expect(paid.length).toBeGreaterThan(10)
  const renewals = db.transactions.where({ accountId, category: 'recurring_subscription' })
  expect(renewals.length).toBeGreaterThan(10)
  const chats = db.chats.where({ accountId })
  expect(chats.filter(({ unreadCount }) => unreadCount > 0).length).toBeGreaterThan(1)
  const texts = {
    comments: db.comments.all().map(({ text }) => text),
    'messages by fans': db.messages.where({ isFromFan: true }).map(({ text }) => text),
    'messages by creators': db.messages.where({ isFromFan: false }).map(({ text }) => text),
    'messages to many': db.massMessages.all().map(({ text }) => text),
    notes: db.subscriptions.all().map(({ notice }) => notice),
  }
  for (const [kind, all] of Object.entries(texts))
    for (const expression of unusual)
      expect([kind, all.join('\n')]).toEqual([kind, expect.stringMatching(expression)])
  const names = {
    fans: db.fans.all().map(({ name }) => name),
    'names for fans': db.subscriptions.all().map(({ displayName }) => displayName),
    'tracking links': db.trackingLinks.all().map(({ campaignName }) => campaignName),
    'trial links': db.trialLinks.all().map(({ trialLinkName }) => trialLinkName),
    'user lists': db.userLists.all().map(({ name }) => name),
    'vault lists': db.vaultLists.all().map(({ name }) => name),
    labels: db.postLabels.all().map(({ name }) => name),
  }
  for (const [kind, all] of Object.entries(names))
    expect([kind, all.join('\n')]).toEqual([kind, expect.stringMatching(/<b>/)])
  for (const kind of ['fans', 'trial links', 'vault lists'] as const)
    expect([kind, names[kind].join('\n')]).toEqual([kind, expect.stringMatching(/[\u0590-\u06FF]/)])
})

it('seeds only the account in empty', () => {
  const { db } = world('empty')
  const sizes = Object.fromEntries(
    tableNames.map((name) => [name, getTable(db, name).size]).filter(([, size]) => size !== 0),
  )
  expect(sizes).toEqual({
    organisations: 1,
    apiKeys: 1,
    accounts: 1,
    vaultLists: 5,
    notificationSettings: 1,
  })
})

it('derives the same tables from hand-written records as from a restored snapshot', async () => {
  const scenario = parseScenario(
    '{ extends: solo, name: own, records: { posts: [{ text: New }, { text: Newer }] } }',
    'own.yaml',
  )
  const sandbox = createSandbox({ scenario: await scenario })
  await sandbox.ready
  const derived = () => JSON.stringify(derivedTables.map((name) => sandbox.db[name].all()))
  const seeded = derived()
  await sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
  expect(derived()).toBe(seeded)
})
