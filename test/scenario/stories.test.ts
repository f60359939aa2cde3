import type { Sandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { once } from '../../src/lib/lazy-list.ts'
import { loadShippedScenario } from '../../src/scenario/prepare.ts'
import { expandTimeline } from '../../src/scenario/expand-timeline.ts'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const stories = shippedScenarios.filter(({ durationMs }) => durationMs > 0)

// stories.long.test.ts tests every chapter, other seeds and real time.
describe.each(stories)('$name', ({ durationMs, chapters, now, seed, load }) => {
  it('lasts five to ten minutes, with at least four chapters that start with a caption', async () => {
    const { timeline } = await loadShippedScenario({ load })
    expect(durationMs).toBeGreaterThanOrEqual(5 * 60_000)
    expect(durationMs).toBeLessThanOrEqual(10 * 60_000)
    expect(chapters.length).toBeGreaterThanOrEqual(4)
    for (const { chapter, note } of timeline.filter((step) => step.chapter !== undefined))
      expect([chapter, note?.endsWith('.')]).toEqual([chapter, true])
    // Captions have at most three lines, because people read them from a distance.
    expect(timeline.filter(({ note = '' }) => note.length > 90)).toEqual([])
    const last = expandTimeline(timeline, { start: now, seed }).chapters.at(-1)
    expect(durationMs - (last?.atMs ?? 0)).toBeLessThanOrEqual(75_000)
  })
})

async function open(scenario: string) {
  const sandbox = await createFreshSandbox(scenario)
  const read = async (path: string) => {
    const { status, body } = await sendAsOwner(sandbox, 'GET', path)
    expect([path, status]).toEqual([path, 200])
    return body.data
  }
  return { sandbox, read }
}

describe('a client during a story', () => {
  it('sees the figures of the first caption of launch-day', async () => {
    const { sandbox, read } = await open('launch-day')
    const { control } = sandbox
    expect(control.replay().caption ?? control.happenings().at(-1)?.text).toContain(
      'three posts, four subscribers',
    )
    expect(control.series().points.at(-1)).toMatchObject({ subscribers: 4, gross: 0 })
    expect((await read('/v1/401200300/subscribers?type=active')).list).toHaveLength(4)
    const week = Date.parse(sandbox.clock.iso()) - 7 * 86_400_000
    const { list } = await read('/v1/401200300/posts')
    expect(list).toHaveLength(3)
    const times = [
      ...list.map(({ postedAt }: { postedAt: string }) => postedAt),
      ...sandbox.db.subscriptions.all().map((row) => row.subscribedAt),
      sandbox.db.accounts.get(401200300)?.joinDate ?? '',
    ]
    for (const time of times) expect(Date.parse(time)).toBeGreaterThanOrEqual(week)
    await expectResponsesMatchRecords(sandbox)
  })

  it('sees two links with very different results in launch-day', async () => {
    const { sandbox, read } = await open('launch-day')
    const links = () =>
      Promise.all([2490001, 2490002].map((id) => read(`/v1/401200300/tracking-links/${id}`)))
    for (const { countSubscribers, countTransitions } of await links())
      expect([countSubscribers, countTransitions]).toEqual([0, 0])
    await sandbox.play()
    const [podcast, video] = await links()
    expect(video.countSubscribers).toBeGreaterThan(5 * podcast.countSubscribers)
    expect(video.countTransitions).toBeGreaterThan(20 * video.countSubscribers)
    expect(podcast.revenue.total / podcast.countSubscribers).toBeGreaterThan(
      4 * (video.revenue.total / video.countSubscribers),
    )
    expect(podcast.revenue.total).toBeGreaterThan(150)
    expect(sandbox.db.posts.get(1204900001)).toMatchObject({
      status: 'published',
      purchasedCount: 5,
      purchasedSumm: 60,
    })
  })

  it('sees the figures of one post rise and fall in viral-post', async () => {
    const { sandbox, read } = await open('viral-post')
    const views: number[] = []
    for (const chapter of [
      'It takes off',
      'Everybody looks',
      'The book sells',
      'Ebbing away',
      'The morning after',
    ]) {
      sandbox.seek(chapter)
      views.push((await read('/v1/341095528/posts/1204900001/stats')).lookCount)
    }
    const [ordinary = 0, ...growth] = views.map((count, index) => count - (views[index - 1] ?? 0))
    expect(ordinary).toBeLessThan(30)
    expect(growth.indexOf(Math.max(...growth))).toBe(1)
    expect(growth[3]).toBeLessThan((growth[1] ?? 0) / 20)
    await sandbox.play()
    const { lookChart } = await read('/v1/341095528/posts/1204900001/stats')
    const days = lookChart
      .map(({ count }: { count: number }) => count)
      .filter((count: number) => count > 0)
    expect(days).toHaveLength(2)
    expect(days[0]).toBeGreaterThan(1000 * days[1])
    expect((await read('/v1/341095528/posts?order=favorites_count_desc&limit=1')).list[0].id).toBe(
      1204900001,
    )
    expect((await read('/v1/341095528/posts/1204900002/stats')).purchasedCount).toBe(23)
  })

  it('sees the inbox fill, the queue become empty and the unlocks increase in agency-morning', async () => {
    const { sandbox, read } = await open('agency-morning')
    const [mara, ...others] = [310240117, 322871450, 341095528]
    const unread = async () =>
      Promise.all(
        [mara, ...others].map(
          async (id) => (await read(`/v1/${id}/chats?filter=unread&limit=100`)).list.length,
        ),
      )
    const atNight = await unread()
    sandbox.seek('Posts go out')
    for (const [index, count] of (await unread()).entries())
      expect(count).toBeGreaterThan(atNight[index] ?? 0)
    const scheduled = sandbox.db.posts.where({ status: 'scheduled' }).length
    sandbox.seek('The inbox')
    expect(sandbox.db.posts.where({ status: 'scheduled' }).length).toBeLessThanOrEqual(
      scheduled - 4,
    )
    sandbox.seek('4m 40s')
    const paid = (state: string) =>
      sandbox.db.massMessages.find(
        ({ price, state: own, accountId }) => accountId === mara && price === 9 && own === state,
      )
    expect(paid('queued')).toBeDefined()
    sandbox.seek('Out to everyone')
    sandbox.seek('+31s')
    expect(paid('sent')?.sentCount).toBeGreaterThan(50)
    await sandbox.play()
    expect(
      sandbox.db.messagePurchases.where({ queueId: paid('sent')?.id ?? 0 }).length,
    ).toBeGreaterThan(5)
    expect(await unread()).toEqual([0, 0, 0])
  })

  it('sees payments become settled and a payout arrive in quarter-close', async () => {
    const { sandbox, read } = await open('quarter-close')
    const [ada, felix] = [430500112, 430500649]
    const balances = () => read(`/v1/${ada}/payouts/balances`)
    const before = await balances()
    const loading = () => sandbox.db.transactions.where({ status: 'loading' }).length
    const seeded = loading()
    sandbox.seek('2m 5s')
    expect(loading() - seeded).toBe(10)
    expect((await balances()).payoutPending).toBeGreaterThan(before.payoutPending)
    const payout = () => getIndexedTables(sandbox.db).payouts.in('byAccount', ada).at(0)
    const states: (string | undefined)[] = []
    for (const place of ['3m 10s', 'A new quarter', '6m', 'The report']) {
      sandbox.seek(place)
      states.push(payout()?.state)
    }
    expect(payout()).toMatchObject({ amount: 100 })
    expect(states).toEqual(['pending', 'pending', 'approved', 'paid'])
    expect(getIndexedTables(sandbox.db).payouts.in('byAccount', felix).at(0)?.createdAt).toBe(
      '2026-10-01T00:00:00.000Z',
    )
    await sandbox.play()
    const share = sandbox.db.linkShares.find({ linkId: 2490001 })
    const page = await sandbox.fetch(`${sandbox.baseUrl}/share/${share?.id}`)
    expect(await page.json()).toMatchObject({
      name: 'Museum talk, September',
      label: 'For the museum',
      subscribers: 11,
    })
  })
})

const playLaunchDay = once(async () => {
  const sandbox = await createFreshSandbox('launch-day')
  await sandbox.play()
  return sandbox
})

it.each([
  [
    'a sum of a fan',
    ({ db }: Sandbox) => db.fanSpend.update(db.fanSpend.all()[0]!.id, { total: 1 }),
  ],
  [
    'the earnings of a day',
    ({ db }: Sandbox) => db.earningDays.update(db.earningDays.all()[0]!.id, { grossCents: 1 }),
  ],
  ['the tips of a post', ({ db }: Sandbox) => db.posts.update(1204900001, { tipCount: 99 })],
  [
    'the unread messages of a chat',
    ({ db }: Sandbox) => db.chats.update(db.chats.all()[0]!.id, { unreadCount: 40 }),
  ],
])('detects %s that is wrong', async (_, spoil) => {
  const sandbox = (await playLaunchDay()).fork()
  spoil(sandbox)
  await expect(expectResponsesMatchRecords(sandbox)).rejects.toThrow('expected')
})
