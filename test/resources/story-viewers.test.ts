import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const viewersOf = (id: number) => `stories/${id}/viewers`

describe('the viewers of a story', () => {
  it('match the numbers of viewers and likes of the story', async () => {
    const client = await openClient('agency')
    const { items } = await client.getData('engagement/stories/views')
    for (const story of items.slice(0, 3)) {
      const viewers = await readAllPages(client, `${viewersOf(story.id)}?limit=40`)
      expect(viewers.length).toBe(story.viewersCount)
      expect(new Set(idsOf(viewers)).size).toBe(viewers.length)
      expect(viewers.filter(({ isStoryLiked }) => isStoryLiked).length).toBe(story.likesCount)
      expect(idsOf(viewers)).toEqual(expect.arrayContaining(idsOf(story.viewers)))
    }
  })

  it.each(['agency', 'solo'])(
    'were subscribed at the publication, and are at most viewersCount, in %s',
    async (scenario) => {
      const client = await openClient(scenario)
      const { db } = client
      let seen = 0
      const wrong: unknown[] = []
      for (const story of db.stories.where({ accountId: client.account() })) {
        const viewers = await readAllPages(client, `${viewersOf(story.id)}?limit=100`)
        seen += viewers.length
        if (viewers.length > story.viewersCount)
          wrong.push(`${story.id}: ${viewers.length} of ${story.viewersCount}`)
        for (const { id } of viewers) {
          const fan = db.subscriptions.find({ accountId: client.account(), fanId: id })
          const { createdAt } = story
          if (!fan?.spans.some(({ from, until }) => from <= createdAt && createdAt < until))
            wrong.push(`${story.id}: ${id}`)
        }
      }
      expect(wrong).toEqual([])
      expect(seen).toBeGreaterThan(0)
    },
  )

  it('include every user who tipped, so that a tip is also a view', async () => {
    const client = await openClient()
    const { db, make } = client.sandbox
    const [one, two] = db.subscriptions.where({ accountId: client.account(), isExpired: false })
    const story = make.story({ viewersCount: 1, viewers: [one!.fanId] })
    make.transaction({ storyId: story.id, fanId: one!.fanId, category: 'tip', amount: 5 })
    expect(db.stories.get(story.id)?.viewersCount).toBe(1)
    make.transaction({ storyId: story.id, fanId: two!.fanId, category: 'tip', amount: 5 })
    expect(db.stories.get(story.id)?.viewersCount).toBe(2)
    const { list } = await client.getData(viewersOf(story.id))
    expect(idsOf(list).toSorted()).toEqual([one!.fanId, two!.fanId].toSorted())
  })

  it('are shown in the form that the account sees, in pages by offset', async () => {
    const client = await openClient('agency')
    const story = getIndexedTables(client.db).stories.in('views', client.account()).at(0)
    const { data, _pagination } = (await client.get(viewersOf(story!.id))).body
    expect(_pagination.next_page).toMatch(/\?limit=10&offset=10$/)
    const { list } = data
    const user = await client.getData(`fans/${list[0].id}`)
    expect(list[0]).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      view: 's',
      isStoryLiked: expect.any(Boolean),
      isStoryBlockedUser: user.isBlocked,
      hasStoryTips: expect.any(Boolean),
      hasTopStoryTips: expect.any(Boolean),
      subscribedBy: user.subscribedBy,
      subscribedByExpire: user.subscribedByExpire,
      subscribedOn: user.subscribedOn,
      lastSeen: user.lastSeen,
      listsStates: user.listsStates,
    })
  })

  it('list tippers first, and only tippers with only_with_tips', async () => {
    const client = await openClient('agency')
    const story = getIndexedTables(client.db).stories.in('tips', client.account()).at(0)!
    const tips = client.db.transactions.where(
      ({ storyId, status }) => storyId === story.id && status !== 'undo',
    )
    expect(tips.length).toBeGreaterThan(0)
    const tippers = await readAllPages(client, `${viewersOf(story.id)}?only_with_tips=true&limit=1`)
    expect(idsOf(tippers).toSorted()).toEqual(
      [...new Set(tips.map(({ fanId }) => fanId))].toSorted(),
    )
    expect(tippers.every(({ hasStoryTips }) => hasStoryTips)).toBe(true)
    expect(tippers.some(({ hasTopStoryTips }) => hasTopStoryTips)).toBe(true)
    const all = await readAllPages(client, viewersOf(story.id))
    expect(all.slice(0, tippers.length)).toEqual(tippers)
    for (const row of all.slice(tippers.length))
      expect(row).toMatchObject({ hasStoryTips: false, hasTopStoryTips: false })
    const narrowed = (flag: string) =>
      readAllPages(client, `${viewersOf(story.id)}?only_with_tips=${flag}`)
    expect(await narrowed('1')).toEqual(tippers)
    for (const ignored of ['false', '0', 'yes', '']) expect(await narrowed(ignored)).toEqual(all)
  })
})
