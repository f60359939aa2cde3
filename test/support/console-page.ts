import { startServer } from 'creator-api-sandbox/server'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { openBrowser, pageTimeoutMs, until } from './browser.ts'

/** The window size for tests of what does not depend on the size. */
export const desktop = { width: 1440, height: 900 }

/** The window sizes in which the layout and the tasks of the console are tested. */
export const sizes = [
  ['a desktop', desktop],
  ['a phone', { width: 390, height: 844 }],
] as const

/**
 * Opens a console page in a browser, with its own server, before the tests of a block. Resets the
 * server before each test.
 */
export function useConsolePage(
  viewport: { width: number; height: number },
  {
    scenario = 'agency',
    hasTouch = false,
    journalSize,
  }: { scenario?: string; hasTouch?: boolean; journalSize?: number } = {},
) {
  let browser: Browser | undefined
  const late = <Value>(): Value => undefined as Value // assigned before the first test
  const at = {
    server: late<Awaited<ReturnType<typeof startServer>>>(),
    page: late<Page>(),
    /** A connected account. */
    account: 0,
    /** The number of clicks since the page was opened. */
    clicks: 0,
    async click(target: Locator) {
      await target.click()
      at.clicks += 1
    },
    button: (name: string | RegExp) => at.page.getByRole('button', { name }),
    region: (name: string) => at.page.getByRole('region', { name, exact: true }),
    tab: (name: string) => at.page.getByRole('navigation').getByRole('link', { name }),
    /** Sends a request to the API. @default the key of the owner */
    ask: (path: string, key = String(at.server.sandbox.keys['owner']), init: RequestInit = {}) =>
      fetch(at.server.url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      }),
    /** Adds a tag as a client of the API, and returns its id. */
    async addTag(name: string): Promise<number> {
      const init = { method: 'POST', body: JSON.stringify({ name }) }
      return (await (await at.ask('/v1/tags', undefined, init)).json()).data.id
    },
    until,
    /** Opens the page at a hash. */
    async open(hash = '') {
      await at.page.goto('about:blank')
      await at.page.goto(`${at.server.url}/_sandbox/${hash}`)
      await at.page.locator('.connection.live, .stage-number').waitFor()
      at.clicks = 0
    },
    /** Returns the text of the clipboard. */
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
    at.page.setDefaultTimeout(pageTimeoutMs)
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  beforeEach(() => at.server.sandbox.reset())
  afterAll(async () => {
    await browser?.close()
    await at.server?.stop()
  })
  return at
}
