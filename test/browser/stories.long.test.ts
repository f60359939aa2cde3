import type { Browser, Page } from 'playwright-core'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, ScenarioName } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { serveOnFreePort } from '../support/server.ts'

/** A story on the stage, and a client of its API. */
interface Told {
  sandbox: Sandbox
  page: Page
  /** Seeks, and returns the caption after the page shows it. */
  at: (place: string) => Promise<string>
  /** Reads a figure of the stage by its label. The first figure has the label of its heading. */
  figure: (label: string) => Promise<number>
  /** Reads a figure of a link by the name of the link. */
  card: (name: string, label: string) => Promise<number>
  /** Reads the API as the owner. */
  // oxlint-disable-next-line typescript/no-explicit-any -- The responses have various shapes.
  api: (path: string) => Promise<any>
}

describe.skipIf(!hasBrowser())('the captions of the stories, in figures on the stage', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  const tell = async (scenario: ScenarioName): Promise<Told> => {
    const sandbox = createSandbox({ scenario })
    await sandbox.ready
    const origin = await serveOnFreePort(createApp(sandbox))
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
    page.setDefaultTimeout(15_000)
    await page.goto(`${origin}/_sandbox/#stage`)
    await page.locator('.stage-number').waitFor()
    const figures = page.getByRole('region', { name: 'Figures' })
    return {
      sandbox,
      page,
      at: async (place) => {
        const { caption } = sandbox.control.replay({ command: 'seek', to: place })
        await until(async () =>
          expect(await page.locator('.stage-caption').textContent()).toBe(caption),
        )
        return caption ?? ''
      },
      figure: async (label) => {
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
      card: async (name, label) =>
        toNumber(
          await figures
            .getByRole('listitem')
            .filter({ has: page.getByRole('heading', { name }) })
            .locator('dl > div')
            .filter({ hasText: label })
            .locator('dd')
            .textContent(),
        ),
      api: async (path) => {
        const response = await fetch(`${origin}${path}`, {
          headers: { authorization: `Bearer ${sandbox.keys.owner}` },
        })
        expect([path, response.status]).toEqual([path, 200])
        return ((await response.json()) as { data: unknown }).data
      },
    }
  }

  it('compares two links in launch-day: clicks, subscribers, revenue, and revenue per subscriber', async () => {
    const { page, at, card, api } = await tell('launch-day')
    const labels = ['Clicks', 'Subscribers', 'Revenue', 'Per subscriber']
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
      return { clicks: clicks ?? 0, fans: fans ?? 0, perFan }
    }
    const readPodcast = () => readCard('Podcast episode', 2_490_001)
    const readVideo = () => readCard('Video bio', 2_490_002)

    expect(await at('1m 39s')).toContain(
      'Every second click becomes a subscriber; of the video, few',
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
    await page.close()
  }, 90_000)
})

function until(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 50 })
}

/** `$1,234.50` is 1234.5, and `−$40.00` is -40. */
function toNumber(text: string | null): number {
  return Number(text?.replace('−', '-').replace(/[$,]/g, ''))
}

/** The numbers in a caption. */
function listNumbers(caption: string): number[] {
  return [...caption.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([text]) => toNumber(text))
}
