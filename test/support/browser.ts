import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** Whether browser tests can run here; says so in one line when they cannot. */
export function hasBrowser(): boolean {
  const isThere = existsSync(executablePath)
  if (!isThere) process.stderr.write(`Skipped the browser tests: there is no Chromium at ${executablePath}. Install it, or set CHROMIUM_PATH.\n`)
  return isThere
}

/** Starts a headless Chromium that asks nothing of the network by itself. */
export function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] })
}
