import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

export default defineConfig({
  testMatch: '*.spec.ts',
  workers: 2,
  fullyParallel: true,
  use: {
    // Uses the installed Chromium, or else the one from `npx playwright install chromium`.
    launchOptions: existsSync(chromium) ? { executablePath: chromium, args: ['--no-sandbox'] } : {},
  },
})
