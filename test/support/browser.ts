import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

/** Where Chromium is looked for. */
export const browserPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** Whether browser tests can run here; skips.ts says so when they cannot. */
export function hasBrowser(): boolean {
  return existsSync(browserPath)
}

/** Starts a headless Chromium that asks nothing of the network by itself. */
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
