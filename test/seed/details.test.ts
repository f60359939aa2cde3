import { expect, it } from 'vitest'
import { mediaManifest } from '../../src/generated/media-manifest.ts'
import { buildPostCharts } from '../../src/resources/posts/figures/stats.ts'
import type { ChartPoint } from '../../src/resources/posts/figures/stats.ts'
import { seedShippedScenario } from '../support/seeded-world.ts'

const names = ['agency', 'solo'] as const
const worlds = new Map(
  await Promise.all(names.map(async (name) => [name, await seedShippedScenario(name)] as const)),
)
const world = (name: (typeof names)[number]) => worlds.get(name)!

it.each(names)('announces free trials of %s as such, and the first payment after them', (name) => {
  const { db } = world(name)
  const claims = db.subscriptions.where(({ trialLinkId }) => trialLinkId !== null)
  const noticesOf = (fanId: number, accountId: number, createdAt: string) =>
    db.notifications
      .where({ fanId, accountId, createdAt, type: 'subscribed' })
      .map(({ subType }) => subType)
  const firsts = claims.flatMap(({ fanId, accountId, subscribedAt }) =>
    noticesOf(fanId, accountId, subscribedAt),
  )
  expect(firsts.length).toBeGreaterThan(0)
  expect(new Set(firsts)).toEqual(new Set(['new_subscriber_trial']))
  const paid = claims.flatMap(({ fanId, accountId, spans }) => {
    const span = spans.find(({ price }) => price > 0)
    return span === undefined ? [] : noticesOf(fanId, accountId, span.paidAt ?? span.from)
  })
  expect(new Set(paid)).toEqual(new Set(['new_subscriber']))
})

it.each(names)('has no first message of %s at the same millisecond as the subscription', (name) => {
  const { db } = world(name)
  const firsts = new Map<string, string>()
  for (const { accountId, fanId, createdAt, isFromFan } of db.messages.all()) {
    const key = `${accountId} ${fanId}`
    if (isFromFan && createdAt < (firsts.get(key) ?? '~')) firsts.set(key, createdAt)
  }
  const pairs = db.subscriptions
    .all()
    .map(({ accountId, fanId, subscribedAt }) => [
      subscribedAt,
      firsts.get(`${accountId} ${fanId}`) ?? '',
    ])
    .filter(([, first]) => first !== '')
  const same = pairs.filter(([at = '', first = '']) => at.slice(-4) === first.slice(-4))
  expect(pairs.length).toBeGreaterThan(4)
  expect(same.length / pairs.length).toBeLessThan(0.05)
})

it.each(names)('never writes the pronoun I of %s in lower case after a name', (name) => {
  const { db } = world(name)
  const own = db.messages.where({ isFromFan: false }).map(({ text }) => text)
  const writes = own.filter((text) => /, I\b/.test(text)).length
  expect(writes).toBeGreaterThan(0)
  const lower = new Set(
    db.messages.where(({ isFromFan, text }) => !isFromFan && /^[A-Z]\w+, i\b/.test(text)),
  )
  expect(lower).toEqual(new Set())
})

it.each(names)('shows the posts of %s to fans, on the days on which they act', (name) => {
  const { db } = world(name)
  const yesterday = new Date(world(name).clock.now() - 86_400_000).toISOString()
  const posts = db.posts.where({ status: 'published' })
  const joined = new Map<number, string>()
  for (const { accountId, subscribedAt } of db.subscriptions.all())
    if (subscribedAt < (joined.get(accountId) ?? '~')) joined.set(accountId, subscribedAt)
  const older = posts.filter(({ accountId, postedAt }) => {
    return postedAt > (joined.get(accountId) ?? '~') && postedAt < yesterday
  })
  const unseen = older.filter(({ lookCount }) => lookCount === 0)
  expect(unseen.length / older.length).toBeLessThan(0.35)
  const days = new Set<string>()
  let late = 0
  for (const post of posts) {
    const { lookChart, likeChart, tipChart } = buildPostCharts(world(name), post)
    const looks = new Map(lookChart.map(({ date, count }: ChartPoint) => [date, count]))
    const above = [...likeChart, ...tipChart].filter(({ date }) => (looks.get(date) ?? 0) === 0)
    expect([post.id, above]).toEqual([post.id, []])
    for (const { date } of likeChart) days.add(`${post.accountId} ${date.slice(0, 10)}`)
    if (likeChart.length > 0 && likeChart[0]!.date > lookChart[0]!.date) late += 1
  }
  expect(late).toBeLessThan(posts.length / 2)
  const likes = db.notifications.where({ type: 'favorited' })
  expect(likes.length).toBeGreaterThan(0)
  expect(
    likes.filter(({ accountId, createdAt }) => !days.has(`${accountId} ${createdAt.slice(0, 10)}`)),
  ).toEqual([])
})

it.each(names)('has fans who pay often in the first list of %s', (name) => {
  const { db } = world(name)
  for (const list of db.userLists.where({ isPinnedToChat: true })) {
    const { accountId } = list
    const members = db.userListMembers.where({ listId: list.id }).map(({ userId }) => userId)
    const [best] = db.fanSpend.where({ accountId }).toSorted((a, b) => b.total - a.total)
    if (best !== undefined && members.length > 0) expect(members).toContain(best.fanId)
  }
})

it.each(names)('has release forms of %s only on pictures of people', (name) => {
  const { db } = world(name)
  const topics = new Map(mediaManifest.map((asset) => [asset.name, asset.topics]))
  const people = ['people', 'harbor-people', 'race', 'yoga', 'diver']
  const wrong = db.vaultMedia.where(
    ({ releaseFormIds, asset }) =>
      releaseFormIds.length > 0 && !people.some((topic) => topics.get(asset)?.includes(topic)),
  )
  expect(wrong).toEqual([])
})

it.each(names)('names the files of %s without parts of their ids', (name) => {
  const { db } = world(name)
  const media = db.vaultMedia.all()
  const alike = media.filter(({ id, fileName }) => {
    const digits = /(\d{4})\.\w+$/.exec(fileName)?.[1] ?? ''
    return digits !== '' && String(id).includes(digits)
  })
  expect(alike.length / media.length).toBeLessThan(0.05)
})

it.each(names)('never gives away for free in %s what it sells', (name) => {
  const { db } = world(name)
  const posts = db.posts.all()
  const stories = db.stories.all()
  const messages = db.messages.where(({ isFromFan }) => !isFromFan)
  // Each media item is sold in only one post, mass message or bundle.
  const sellers = new Map<number, Set<string>>()
  const sell = (media: readonly number[], seller: string) => {
    for (const id of media) sellers.set(id, (sellers.get(id) ?? new Set()).add(seller))
  }
  for (const { id, price, mediaFiles } of posts) if (price > 0) sell(mediaFiles, `post ${id}`)
  for (const { price, mediaFiles } of messages)
    if (price > 0) sell(mediaFiles, `bundle ${mediaFiles.join()}`)
  const free = [...posts, ...messages].filter(({ price }) => price === 0)
  const given = [...free, ...stories].flatMap(({ mediaFiles }) => mediaFiles)
  expect(given.filter((id) => sellers.has(id))).toEqual([])
  expect([...sellers.values()].filter(({ size }) => size > 1)).toEqual([])
  expect(sellers.size).toBeGreaterThan(0)
})

it.each(names)('numbers the files of %s in the order of their upload', (name) => {
  const { db } = world(name)
  for (const account of db.accounts.all()) {
    const media = db.vaultMedia.where(
      ({ accountId, senderId }) => accountId === account.id && senderId === undefined,
    )
    expect(new Set(media.map(({ hash }) => hash)).size).toBe(media.length)
    const numbers = media
      .toSorted((a, b) =>
        a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id,
      )
      .flatMap(({ fileName }) => /^(?:IMG|DSC|MVI)_(\d+)/.exec(fileName)?.[1] ?? [])
      .map(Number)
    // After 9999, the numbers start again at the beginning.
    const back = numbers.filter((number, place) => number < (numbers[place - 1] ?? 0))
    expect(back.length).toBeLessThan(2)
  }
})

it('has free photos of creators in chats, which are not sold to anyone', () => {
  const { db } = world('agency')
  const sent = db.messages.where(({ isFromFan, mediaFiles }) => !isFromFan && mediaFiles.length > 0)
  const free = sent.filter(({ price, queueId }) => price === 0 && queueId === null)
  const sold = new Set(sent.filter(({ price }) => price > 0).flatMap((row) => row.mediaFiles))
  expect(free.length).toBeGreaterThan(30)
  expect(free.flatMap(({ mediaFiles }) => mediaFiles).filter((id) => sold.has(id))).toEqual([])
})

it('books each refund to which a creator agrees in a chat', () => {
  const { db } = world('agency')
  const agreed = db.messages.where(
    ({ isFromFan, text }) =>
      !isFromFan && /support.*refund|(write to|ask) support|support can (do|refund)/i.test(text),
  )
  const booked = agreed.filter(({ chatId, createdAt }) => {
    const refunded = db.messages.find(
      (row) =>
        row.chatId === chatId &&
        row.createdAt < createdAt &&
        Date.parse(createdAt) - Date.parse(row.createdAt) < 86_400_000 &&
        db.transactions.find(
          ({ messageId, reversal }) => messageId === row.id && reversal === 'refund',
        ) !== undefined,
    )
    return refunded !== undefined
  })
  expect(booked.length).toBeGreaterThan(3)
  expect(agreed.length - booked.length).toBeLessThanOrEqual(agreed.length / 4)
})

it.each(names)('has no fan of %s who viewed a message after the last visit', (name) => {
  const { db } = world(name)
  const lastSeen = new Map(db.fans.all().map((fan) => [fan.id, fan.lastSeen]))
  const late = db.messages.where(
    ({ isFromFan, isViewed, fanId, createdAt }) =>
      !isFromFan && isViewed && (lastSeen.get(fanId) ?? '~') < createdAt,
  )
  expect(late.map(({ id }) => id)).toEqual([])
})

it('names the days and amounts of real purchases, tips and offers in notes', () => {
  const { db } = world('agency')
  const days = db.fanRecords.all().flatMap(({ accountId, fanId, note }) => {
    const [, day = '', month = '', amount] =
      /^(\d+) (\w{3}):? (?:unlocked |sold one for |tip of |tipped )?\$([\d.]+)/im.exec(
        note ?? '',
      ) ?? []
    return amount === undefined ? [] : [{ accountId, fanId, day, month, amount: Number(amount) }]
  })
  const isOn = (iso: string | null | undefined, day: string, month: string) =>
    iso != null &&
    new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }) ===
      `${month} ${day}`
  const unknown = days.filter(
    ({ accountId, fanId, day, month, amount }) =>
      !db.transactions.find(
        (row) =>
          row.accountId === accountId &&
          row.fanId === fanId &&
          row.amount === amount &&
          isOn(row.transaction_created_at, day, month),
      ),
  )
  expect(days.length).toBeGreaterThan(2)
  expect(unknown).toEqual([])
})
