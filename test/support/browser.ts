import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'

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
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => log.problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && log.problems.push(message.text()))
  await page.context().route('**/*', (route) => {
    log.asked.push(route.request().url())
    return route.request().url().startsWith(`${origin}/`) ? route.continue() : route.abort()
  })
  return page
}
