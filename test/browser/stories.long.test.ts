import { createSandbox } from 'creator-api-sandbox'
import type { ScenarioName } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { describe, expect, it } from 'vitest'
import { hasBrowser, until, useBrowser } from '../support/browser.ts'
import { serveOnFreePort } from '../support/server.ts'

describe.skipIf(!hasBrowser())('the captions of the stories, in figures on the stage', () => {
  const browser = useBrowser()

  /** Opens a story on the stage, and a client of its API. */
  const tell = async (scenario: ScenarioName) => {
    const sandbox = createSandbox({ scenario })
    await sandbox.ready
    const origin = await serveOnFreePort(createApp(sandbox))
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
    await page.goto(`${origin}/_sandbox/#stage`)
    await page.locator('.stage-number').waitFor()
    const figures = page.getByRole('region', { name: 'Figures' })
    return {
      sandbox,
      page,
      /** Seeks, and returns the caption after the page shows it. */
      at: async (place: string) => {
        const { caption } = sandbox.control.replay({ command: 'seek', to: place })
        await until(async () =>
          expect(await page.locator('.stage-caption').textContent()).toBe(caption),
        )
        return caption ?? ''
      },
      /** Reads a figure of the stage. The first figure has the label of its heading. */
      figure: async (label: string) => {
        if ((await figures.getByRole('heading', { level: 2 }).textContent()) === label)
          return toNumber(await figures.locator('.stage-number').textContent())
        return toNumber(
          await figures
            .getByRole('listitem')
            .filter({ hasText: label })
            .locator('strong')
            .textContent(),
        )
      },
      /** Reads a figure of a link by the name of the link. */
      card: async (name: string, label: string) =>
        toNumber(
          await figures
            .getByRole('listitem')
            .filter({ has: page.getByRole('heading', { name }) })
            .locator('dl > div')
            .filter({ hasText: label })
            .locator('dd')
            .textContent(),
        ),
      /** Reads the API as the owner. */
      // oxlint-disable-next-line typescript/no-explicit-any -- The responses have various shapes.
      api: async (path: string): Promise<any> => {
        const response = await fetch(`${origin}${path}`, {
          headers: { authorization: `Bearer ${sandbox.keys.owner}` },
        })
        expect([path, response.status]).toEqual([path, 200])
        return ((await response.json()) as { data: unknown }).data
      },
    }
  }

  it('compares two links in launch-day: clicks, subscribers, revenue, and revenue per subscriber', async () => {
    const { at, figure, card, api } = await tell('launch-day')
    const labels = ['Clicks', 'Subscribers', 'Fans paid', 'Per fan']
    /** Reads a card, after it shows the figures of the API. */
    const readCard = async (name: string, id: number) => {
      const link = await api(`/v1/401200300/tracking-links/${id}`)
      const [clicks, fans]: number[] = [link.countTransitions, link.countSubscribers]
      const revenue: number = link.revenue.total
      const perFan = fans === 0 ? 0 : Math.round((revenue / (fans ?? 1)) * 100) / 100
      await until(async () =>
        expect(await Promise.all(labels.map((label) => card(name, label)))).toEqual([
          clicks,
          fans,
          revenue,
          perFan,
        ]),
      )
      return { clicks: clicks ?? 0, fans: fans ?? 0, revenue, perFan }
    }
    const readPodcast = () => readCard('Podcast episode', 2_490_001)
    const readVideo = () => readCard('Video bio', 2_490_002)

    expect(await at('1m 39s')).toContain(
      'every second click becomes a subscriber; of the video, few',
    )
    const [podcast, video] = [await readPodcast(), await readVideo()]
    expect(podcast.fans / podcast.clicks).toBeGreaterThan(0.4)
    expect(video.fans / video.clicks).toBeLessThan(0.1)

    expect(await at('6m 34s')).toContain('One click in thirty stays')
    const { clicks, fans } = await readVideo()
    expect(Math.round((clicks - video.clicks) / (fans - video.fans))).toBe(30)

    const caption = await at('6m 41s')
    expect(listNumbers(caption)).toEqual([(await readVideo()).fans, (await readPodcast()).fans])

    const last = await at('7m')
    const [viewers, listeners] = [await readVideo(), await readPodcast()]
    expect(listNumbers(last)).toEqual([
      viewers.clicks,
      viewers.perFan,
      listeners.clicks,
      listeners.perFan,
    ])
    expect(Math.round(listeners.perFan / viewers.perFan)).toBe(5)
    expect(await figure('Unread chats')).toBe(
      (await api('/v1/401200300/chats?filter=unread&limit=100')).list.length,
    )
    // The cards add up to what all fans paid, of which Noa gets less.
    await until(async () =>
      expect(await figure('All fans paid')).toBeCloseTo(viewers.revenue + listeners.revenue, 6),
    )
    expect(await figure('Noa earned, after tax and fees')).toBeLessThan(
      await figure('All fans paid'),
    )
  })

  it('shows the views per minute of viral-post, the hour, and what the evening brought', async () => {
    const { page, sandbox, at, figure, api } = await tell('viral-post')
    const perMinute = 'Views of the recipe per minute'
    const readStats = (post: number) => api(`/v1/341095528/posts/${post}/stats`)
    const readHour = () => page.locator('.stage-time').textContent()
    expect(await at('An ordinary post')).toContain('Six in the evening')
    expect(await readHour()).toContain('18:00')
    const [fans = 0] = await Promise.all(['Subscribers', perMinute].map(figure))

    /** The views during the last minute, or since a jump of the clock, according to the API. */
    const countViews = async (place: string, since: string) => {
      sandbox.seek(since)
      const before = (await readStats(1_204_900_001)).lookCount
      await at(place)
      return (await readStats(1_204_900_001)).lookCount - before
    }
    const peaks: number[] = []
    for (const [place, since] of [
      ['1m 29s', '30s'],
      ['2m 55s', '1m 55s'],
      ['4m 30s', '4m 29s'],
      ['5m', '4m 57s'],
      ['5m 25s', '5m 18s'],
    ] as const) {
      const views = await countViews(place, since)
      let shown = 0
      await until(async () => {
        shown = await figure(perMinute)
        // The story samples its figures every two seconds.
        expect(Math.abs(shown - views) / Math.max(1, views)).toBeLessThan(0.25)
      })
      peaks.push(shown)
    }
    const [early = 0, peak = 0, ...ebb] = peaks
    expect(peak).toBeGreaterThan(20 * early)
    expect(ebb.toSorted((a, b) => b - a)).toEqual(ebb)
    for (const [place, words, hour] of [
      ['It takes off', 'Seven', '19:00'],
      ['Everybody looks', 'Half past eight', '20:30'],
      ['Ebbing away', 'Ten', '22:00'],
      ['5m 34s', 'Nine the next morning: now only a few', '09:00'],
    ] as const) {
      expect(await at(place)).toContain(words)
      await until(async () => expect(await readHour()).toContain(hour))
    }

    const last = await at('6m 5s')
    const recipe = await readStats(1_204_900_001)
    const [views = 0, more = 0, earned = 0] = listNumbers(last)
    const labels = ['Views', 'Subscribers', 'Earned, net']
    expect(views).toBe(recipe.lookCount)
    await until(async () =>
      expect(await Promise.all(labels.map(figure))).toEqual([views, fans + more, earned]),
    )
    expect(await figure(perMinute)).toBeLessThan(10)
  })

  it('empties the inbox of agency-morning chat by chat', async () => {
    const { at, figure, api } = await tell('agency-morning')
    const accounts = { Mara: 310_240_117, Jonah: 322_871_450, Ines: 341_095_528 }
    /** Reads the unread chats, after the stage shows the counts of the API. */
    const countUnread = async () => {
      const counts: number[] = []
      for (const [name, id] of Object.entries(accounts)) {
        const count = (await api(`/v1/${id}/chats?filter=unread&limit=100`)).list.length
        await until(async () => expect(await figure(name)).toBe(count))
        counts.push(count)
      }
      const sum = counts.reduce((all, count) => all + count, 0)
      await until(async () => expect(await figure('Unread chats')).toBe(sum))
      return sum
    }
    expect(await at('3s')).toContain('The inbox is empty')
    expect(await countUnread()).toBe(0)
    for (const place of ['15s', '33s', '51s', '65s', '1m 18s', 'Posts go out', 'The inbox'])
      expect(listNumbers(await at(place))[0]).toBe(await countUnread())
    expect(await countUnread()).toBe(16)
    const counts: number[] = []
    for (let second = 0; second < 96; second += 6) {
      await at(`${137 + second}s`)
      counts.push(await countUnread())
    }
    expect(counts).toEqual(Array.from({ length: 16 }, (_, index) => 15 - index))
    expect(await at('3m 50s')).toContain('the inbox is empty')
    expect(listNumbers(await at('A calm inbox'))[0]).toBe(await countUnread())
    expect(await at('6m 32s')).toContain('The inbox is empty')
    expect(await countUnread()).toBe(0)

    const sold = await at('4m 54s')
    expect(sold).toContain('unlock it for $9, and the earnings climb')
    const before = await figure('Earned, net')
    await at('6m 4s')
    await until(async () => expect(await figure('Earned, net')).toBeGreaterThan(before + 40))
  })

  it('shows the payout of quarter-close leaving the balance, and ranks the links', async () => {
    const { page, at, figure, card, api } = await tell('quarter-close')
    const readBalance = async () => {
      const { payoutAvailable, payoutPending } = await api('/v1/430500112/payouts/balances')
      await until(async () =>
        expect([await figure('Ada can withdraw'), await figure('Held back for Ada')]).toEqual([
          payoutAvailable,
          payoutPending,
        ]),
      )
      return payoutAvailable as number
    }
    await at('1m 4s')
    const held = await figure('Held back for Ada')
    expect(await at('2m 5s')).toContain('the balance holds them back')
    await readBalance()
    expect(await figure('Held back for Ada')).toBeGreaterThan(held)

    expect(await at('2m 14s')).toContain('Ada can withdraw them')
    const beforeTips = await readBalance()
    expect(await at('2m 40s')).toContain('Ada can withdraw them')
    // Six tips of $225, less the fee.
    expect((await readBalance()) - beforeTips).toBeCloseTo(180, 6)
    expect(await at('2m 59s')).toContain('held back for seven days')
    expect((await readBalance()) - beforeTips).toBeCloseTo(180, 6)

    await at('3m 7s')
    const before = await readBalance()
    const asked = await at('3m 9s')
    const after = await readBalance()
    expect(listNumbers(asked)).toEqual([100, before, after])
    const payout = () => figure('Payout to Ada')
    await until(async () => expect(await payout()).toBe(100))

    expect(await at('4m 59s')).toContain('counts for the third quarter')
    const quarters = () => Promise.all(['Net of both, Q3', 'Net of both, October'].map(figure))
    const netOf = async (...months: string[]) => {
      let sum = 0
      for (const id of [430_500_112, 430_500_649]) {
        const { list } = await api(`/v1/${id}/payouts/earning-statistics`)
        for (const month of months) sum += list.months[month]?.total_net ?? 0
      }
      return sum
    }
    const quarter = await netOf('2026-07', '2026-08', '2026-09')
    await until(async () => expect(await quarters()).toEqual([expect.closeTo(quarter, 6), 0]))
    expect(await at('5m 49s')).toContain('A payout to Felix is on its way')
    const october = await netOf('2026-10')
    expect(october).toBeGreaterThan(0)
    await until(async () =>
      expect(await quarters()).toEqual([expect.closeTo(quarter, 6), expect.closeTo(october, 6)]),
    )
    const [{ amount }] = (await api('/v1/430500649/payouts/requests')).list
    const feed = page.getByRole('region', { name: 'What happens' })
    await feed.getByText(`payout to Felix is on its way: $${amount}`).waitFor()

    for (const [place, words, time] of [
      ['The last evening', 'half past eleven', 'Wed, 30 Sept 2026, 23:30'],
      ['Approved and paid', 'Friday at noon', 'Fri, 2 Oct 2026, 12:00'],
    ] as const) {
      expect(await at(place)).toContain(words)
      await until(async () => expect(await page.locator('.stage-time').textContent()).toBe(time))
    }
    expect(await at('6m 44s')).toContain('the payout is paid')
    await until(async () => expect(await payout()).toBe(0))
    await feed.getByText('The payout of $100 to Ada is paid').waitFor()

    const caption = await at('7m 30s')
    const museum = await api('/v1/430500112/tracking-links/2490001')
    const shown: number[] = [museum.countSubscribers, museum.revenue.total]
    const labels = ['Subscribers', 'Fans paid', 'Per subscriber']
    const readLink = (name: string) => Promise.all(labels.map((label) => card(name, label)))
    await until(async () =>
      expect((await readLink('Museum talk, September')).slice(0, 2)).toEqual(shown),
    )
    expect(listNumbers(caption)).toEqual(await readLink('Museum talk, September'))
    // It is third by each of the three figures.
    const fair = await readLink('Print fair')
    expect(listNumbers(caption).every((value, index) => value > (fair[index] ?? 0))).toBe(true)
    const names = await page.locator('.ranking h3').allTextContents()
    expect(names.indexOf('Museum talk, September')).toBe(2)
  })

  it('loses net revenue in bad-day, and a client lives through the day until another one sends', async () => {
    const { page, sandbox, at, figure, api } = await tell('bad-day')
    const client = page.getByRole('region', { name: 'A client of the API' })
    const readClient = async () => {
      const state = await sandbox.control.storyClient()
      const failing = state?.reads.filter(({ failures }) => failures > 0) ?? []
      const outages = (state?.recovered ?? 0) + failing.length
      await until(async () =>
        expect(await client.getByRole('heading').textContent()).toBe(
          `A client: ${state?.sent} requests, ${state?.failed} failed. ` +
            `Outages: ${state?.recovered} of ${outages} recovered`,
        ),
      )
      return state
    }
    await at('39s')
    expect((await readClient())?.failed).toBe(0)
    const before = await figure('Net revenue today')
    await at('1m 20s')
    await until(async () => expect(await figure('Net revenue today')).toBeLessThan(before - 200))
    const reversed = page.getByRole('listitem').filter({ hasText: '−$200.00' })
    expect(await reversed.textContent()).toContain('−$160.00 of it yours')
    await at('8m 30s')
    await until(async () => expect(await figure('Net revenue today')).toBeLessThan(before - 200))

    for (const [place, status] of [
      ['2m 9s', 424],
      ['2m 13s', null],
      ['3m 4s', 502],
      ['3m 21s', null],
      ['3m 50s', 429],
      ['5m 24s', 402],
      ['5m 35s', null],
      ['6m 2s', null],
      ['6m 49s', 502],
      ['6m 56s', null],
      ['7m 49s', 404],
      ['7m 57s', null],
      ['8m 10s', null],
    ] as const) {
      await at(place)
      const failing = (await readClient())?.reads.filter(({ failures }) => failures > 0) ?? []
      if (status === null) expect([place, failing]).toEqual([place, []])
      else {
        expect(failing.map((read) => read.status)).toContain(status)
        await client.getByText(`(${status})`).first().waitFor()
      }
    }
    expect((await readClient())?.recovered).toBeGreaterThan(5)
    expect(sandbox.requests).toEqual([])
    await api('/v1/420110225/posts')
    await client.waitFor({ state: 'detached' })
    expect(await sandbox.control.storyClient()).toBeNull()
  })
})

/** `$1,234.50` is 1234.5, and `−$40.00` is -40. */
function toNumber(text: string | null): number {
  return Number(text?.replace('−', '-').replace(/[$,]/g, ''))
}

/** The numbers in a caption. */
function listNumbers(caption: string): number[] {
  return [...caption.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([text]) => toNumber(text))
}
