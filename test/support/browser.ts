import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'

/** Chromium without its own windows, which needs half the processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell'

/** Path of the Chromium executable. */
export const browserPath =
  process.env['CHROMIUM_PATH'] ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium')

/**
 * True if browser tests can run on this machine. If false, skips.ts reports these tests as skipped.
 */
export function hasBrowser(): boolean {
  return existsSync(browserPath)
}

/** Starts a headless Chromium that sends no background requests. */
export function openBrowser(): Promise<Browser> {
  const quiet = [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ]
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', ...quiet] })
}

/** Time after which an element counts as missing, ms. Long, because a busy machine is slow. */
export const pageTimeoutMs = 60_000

/** Starts a browser before the tests of a block, and closes it after them. */
export function useBrowser() {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  return {
    /** Opens a page until the end of the test. */
    async newPage(options?: BrowserContextOptions): Promise<Page> {
      const page = await browser!.newPage(options)
      page.setDefaultTimeout(pageTimeoutMs)
      onTestFinished(() => page.close())
      return page
    },
    /** Opens several pages that share their storage, until the end of the test. */
    async newPages(count: number): Promise<Page[]> {
      const context = await browser!.newContext()
      context.setDefaultTimeout(pageTimeoutMs)
      onTestFinished(() => context.close())
      return Promise.all(Array.from({ length: count }, () => context.newPage()))
    },
  }
}

/** Records the layout shifts of a page, except after input. Call it before the page opens. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as {
          value: number
          hadRecentInput: boolean
        }
        if (!hadRecentInput) shifts.push(value)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Returns the sum of a page's layout shifts so far, and the largest of them. */
export async function readShifts(page: Page): Promise<{ total: number; largest: number }> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)
  return {
    total: shifts.reduce((total, each) => total + each, 0),
    largest: Math.max(0, ...shifts),
  }
}

/** Retries a check until it succeeds. */
export function until(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: pageTimeoutMs, interval: 50 })
}

/** Errors on pages, and the URLs that the pages requested. */
export interface PageLog {
  problems: string[]
  asked: string[]
}

/** Opens a page that can reach only one origin, and records its errors and requests. */
export async function openPage(
  browser: Browser,
  { origin, log, ...viewport }: { origin: string; log: PageLog; width: number; height: number },
): Promise<Page> {
  const page = await browser.newPage({ viewport, colorScheme: 'light' })
  page.setDefaultTimeout(pageTimeoutMs)
  page.on('pageerror', (error) => log.problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && log.problems.push(message.text()))
  await page.context().route('**/*', (route) => {
    log.asked.push(route.request().url())
    return route.request().url().startsWith(`${origin}/`) ? route.continue() : route.abort()
  })
  return page
}
