import { startServer } from 'creator-api-sandbox/server'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { openBrowser } from './browser.ts'

/** The window size for tests of what does not depend on the size. */
export const desktop = { width: 1440, height: 900 }

/** The window sizes in which the layout and the tasks of the console are tested. */
export const sizes = [
  ['a desktop', desktop],
  ['a phone', { width: 390, height: 844 }],
] as const

/** A console page in a browser, with its own server. */
export interface ConsolePage {
  server: Awaited<ReturnType<typeof startServer>>
  readonly page: Page
  /** A connected account. */
  readonly account: number
  /** The number of clicks since the page was opened. */
  readonly clicks: number
  click: (target: Locator) => Promise<void>
  button: (name: string | RegExp) => Locator
  region: (name: string) => Locator
  tab: (name: string) => Locator
  /** Sends a request to the API. @default the key of the owner */
  ask: (path: string, key?: string, init?: RequestInit) => Promise<Response>
  /** Retries a check until it succeeds. */
  until: (check: () => void | Promise<void>) => Promise<void>
  /** Opens the page at a hash. */
  open: (hash?: string) => Promise<void>
  /** Returns the text of the clipboard. */
  copied: () => Promise<string>
}

/** Starts a server before the tests of a block, and resets it before each test. */
export function useConsolePage(
  viewport: { width: number; height: number },
  {
    scenario = 'agency',
    hasTouch = false,
    journalSize,
  }: { scenario?: string; hasTouch?: boolean; journalSize?: number } = {},
): ConsolePage {
  let browser: Browser | undefined
  const late = <Value>(): Value => undefined as Value // assigned before the first test
  const at = {
    server: late<ConsolePage['server']>(),
    page: late<Page>(),
    account: 0,
    clicks: 0,
    async click(target: Locator) {
      await target.click()
      at.clicks += 1
    },
    button: (name: string | RegExp) => at.page.getByRole('button', { name }),
    region: (name: string) => at.page.getByRole('region', { name, exact: true }),
    tab: (name: string) => at.page.getByRole('navigation').getByRole('link', { name }),
    ask: (path: string, key = String(at.server.sandbox.keys['owner']), init: RequestInit = {}) =>
      fetch(at.server.url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      }),
    until: (check: () => void | Promise<void>) =>
      vi.waitFor(check, { timeout: 60_000, interval: 50 }),
    async open(hash = '') {
      await at.page.goto('about:blank')
      await at.page.goto(`${at.server.url}/_sandbox/${hash}`)
      await at.page.locator('.connection.live').waitFor()
      at.clicks = 0
    },
    copied: () => at.page.evaluate(() => navigator.clipboard.readText()),
  }
  beforeAll(async () => {
    browser = await openBrowser()
    at.server = await startServer({
      port: 0,
      scenario,
      clock: 'frozen',
      ...(journalSize === undefined ? {} : { journalSize }),
    })
    at.account = at.server.sandbox.db.accounts.find({ connected: true })!.id
    at.page = await browser.newPage({ viewport, hasTouch })
    at.page.setDefaultTimeout(10_000)
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  beforeEach(() => at.server.sandbox.reset())
  afterAll(async () => {
    await browser?.close()
    await at.server?.stop()
  })
  return at
}
