import { describe, expect, it } from 'vitest'
import type { Tables } from '../../src/resources/all-tables.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const dayMs = 86_400_000
const streaks = async (client: Client, query = '') => (await client.getData(`streaks${query}`)).list
const midnight = (day: string) => `${day}T00:00:00+00:00`

/** Returns a client for a world in which the creator was never active. */
async function openInactiveClient(): Promise<Client> {
  const client = await openClient()
  const { db } = client
  for (const name of ['posts', 'messages', 'stories'] as const)
    for (const { id } of (db[name] as Tables['posts']).all()) db[name].remove(id)
  return client
}

/** Adds a story on each of the given days. A story counts as activity for streaks. */
function addStories(client: Client, ...days: string[]): void {
  const accountId = client.account()
  for (const day of days)
    client.sandbox.make.story({ accountId, createdAt: `${day}T20:00:00.000Z`, viewersCount: 0 })
}

describe('activity streaks', () => {
  it('lists runs of consecutive days, newest first', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-09-03', '2026-09-04', '2026-09-05', '2026-09-20', '2026-09-21')

    const newest = { startDate: midnight('2026-09-20'), endDate: midnight('2026-09-21') }
    expect(await streaks(client, '?start_date=2026-09-01')).toEqual([
      expect.objectContaining({ ...newest, daysCount: 2, isActive: false }),
      {
        id: Date.parse('2026-09-03') / dayMs,
        startDate: midnight('2026-09-03'),
        endDate: midnight('2026-09-05'),
        isActive: false,
        daysCount: 3,
        postsCount: 0,
        storiesCount: 3,
        chatsCount: 0,
        streamsDuration: 0,
        frozenDays: [],
      },
    ])
  })

  it('continues over one day without activity, and ends after two', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-09-03', '2026-09-05', '2026-09-06', '2026-09-09')

    expect(await streaks(client, '?start_date=2026-09-01')).toMatchObject([
      {
        startDate: midnight('2026-09-03'),
        endDate: midnight('2026-09-06'),
        daysCount: 3,
        frozenDays: [midnight('2026-09-04')],
      },
    ])
  })

  it('covers the current month by default, with streaks that began before it', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-09-28', '2026-09-29', '2026-09-30')
    expect(await streaks(client)).toEqual([])
    client.sandbox.clock.advance('12h')
    addStories(client, '2026-10-01')

    expect(await streaks(client)).toMatchObject([
      {
        startDate: midnight('2026-09-28'),
        endDate: midnight('2026-10-01'),
        daysCount: 4,
        storiesCount: 4,
        isActive: true,
      },
    ])
  })

  it('shows the whole streak in any window that overlaps it', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-08-30', '2026-08-31', '2026-09-01', '2026-09-03')
    const whole = await streaks(client, '?start_date=2026-08-01')
    for (const window of [
      'start_date=2026-08-31&end_date=2026-08-31',
      'start_date=2026-09-03',
      'start_date=2026-09-02&end_date=2026-09-02',
    ]) {
      expect([window, await streaks(client, `?${window}`)]).toEqual([window, whole])
    }
    expect(await streaks(client, '?start_date=2026-09-04')).toEqual([])
    expect(await streaks(client, '?start_date=2026-08-01&end_date=2026-08-29')).toEqual([])
  })

  it('is active until two days have passed', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-09-29', '2026-09-30')
    const isActive = async () => (await streaks(client, '?start_date=2026-09-01'))[0].isActive
    expect(await isActive()).toBe(true)
    client.sandbox.clock.advance('1d')
    expect(await isActive()).toBe(true)
    client.sandbox.clock.advance('1d')
    expect(await isActive()).toBe(false)
  })

  it('counts posts and messages from other routes', async () => {
    const client = await openInactiveClient()
    addStories(client, '2026-09-30')
    const { fanId } = client.db.subscriptions.find({
      accountId: client.account(),
      isExpired: false,
    })!
    await client.post('posts', { text: 'Good morning' })
    const sent = await client.post(`chats/${fanId}/messages`, { text: 'Hello you' })

    expect(sent.status).toBe(200)
    expect(await streaks(client)).toMatchObject([
      {
        daysCount: 2,
        postsCount: 1,
        chatsCount: 1,
        storiesCount: 1,
        isActive: true,
      },
    ])
  })

  it('returns the longest streak, the newest one in a tie, or null', async () => {
    const client = await openInactiveClient()
    const top = (query = '') => client.getData(`streaks/top${query}`)
    addStories(client, '2019-01-01')
    expect(await top()).toBeNull()
    addStories(client, '2025-03-01', '2025-03-02', '2025-03-03', '2026-04-01', '2026-04-02')
    addStories(client, '2026-05-01', '2026-05-03', '2026-05-05')
    expect(await top()).toMatchObject({
      startDate: midnight('2026-05-01'),
      daysCount: 3,
      frozenDays: [midnight('2026-05-02'), midnight('2026-05-04')],
    })
    addStories(client, '2019-06-01', '2019-06-02', '2019-06-03', '2019-06-04')
    // The route has no time window, so these parameters are ignored.
    for (const query of ['', '?start_date=2026-01-01', '?start_date=soon'])
      expect(await top(query)).toMatchObject({ startDate: midnight('2019-06-01'), daysCount: 4 })
  })

  it("sums to the creator's activity", async () => {
    const client = await openClient('agency')
    const { db } = client
    const account = client.account()
    const own = { accountId: account }
    const posts = db.posts.where({ ...own, status: 'published' })
    const chats = db.messages.where({ ...own, isFromFan: false, queueId: null })
    for (const streak of await streaks(client, '?start_date=2024-01-01')) {
      const [from, last] = [Date.parse(streak.startDate), Date.parse(streak.endDate) + dayMs]
      const isWithin = (time: string) => Date.parse(time) >= from && Date.parse(time) < last
      expect(streak).toMatchObject({
        postsCount: posts.filter(({ postedAt }) => isWithin(postedAt)).length,
        storiesCount: db.stories.where(own).filter((story) => isWithin(story.createdAt)).length,
        chatsCount: chats.filter(({ createdAt }) => isWithin(createdAt)).length,
      })
      expect(streak.daysCount + streak.frozenDays.length).toBe((last - from) / dayMs)
    }
  })
})
