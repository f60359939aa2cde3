import { expect, it } from 'vitest'
import { buildPostCharts } from '../../src/resources/posts/statistics/post-charts.ts'
import type { ChartPoint } from '../../src/resources/posts/statistics/post-charts.ts'
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
  if (name === 'agency') expect(likes.length).toBeGreaterThan(0)
  expect(
    likes.filter(({ accountId, createdAt }) => !days.has(`${accountId} ${createdAt.slice(0, 10)}`)),
  ).toEqual([])
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

it.each(names)('has no fan of %s who viewed a message after the last visit', (name) => {
  const { db } = world(name)
  const lastSeen = new Map(db.fans.all().map((fan) => [fan.id, fan.lastSeen]))
  const late = db.messages.where(
    ({ isFromFan, isViewed, fanId, createdAt }) =>
      !isFromFan && isViewed && (lastSeen.get(fanId) ?? '~') < createdAt,
  )
  expect(late.map(({ id }) => id)).toEqual([])
})
