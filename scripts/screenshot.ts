// Creates docs/images/console.png, the screenshot in the README: npm run screenshot
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { startServer } from '../src/hosts/server/start.ts'

const picture = fileURLToPath(new URL('../docs/images/console.png', import.meta.url))
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** Maximum file size, bytes. The size matters because every installation includes the image. */
const maxSize = 200_000

await using server = await startServer({ port: 0, scenario: 'launch-day' })
const { sandbox, url } = server
await sandbox.ready
const [account] = sandbox.accounts
await sandbox.play({ until: '6m' })
for (const path of ['posts', 'subscribers', 'chats', 'posts?limit=0', 'fm/tracking-links'])
  await fetch(`${url}/v1/${account?.id}/${path}`, {
    headers: { authorization: `Bearer ${sandbox.keys['owner']}` },
  }).then((response) => response.text())

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({
  viewport: { width: 1280, height: 840 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
})
await page.goto(`${url}/_sandbox/`)
await page.getByText('/v1/').first().waitFor()
await page.locator('polyline').first().waitFor()
await page.evaluate(() => document.fonts.ready)
mkdirSync(dirname(picture), { recursive: true })
await page.screenshot({ path: picture })
await browser.close()

const { size } = statSync(picture)
console.log(`wrote docs/images/console.png, ${size} bytes`)
if (size > maxSize) throw new Error(`The picture has ${size} bytes. Keep it below ${maxSize}.`)
