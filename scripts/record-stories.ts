// Records how each story looks on the stage, as docs/recordings/STORY.webp:
// npm run record-stories. It needs img2webp, which is in the Debian package `webp`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { startServer } from '../src/hosts/server/start.ts'
import type { SandboxServer } from '../src/hosts/server/start.ts'
import { shippedScenarios } from '../src/generated/scenario-index.ts'

const folder = fileURLToPath(new URL('../docs/recordings', import.meta.url))
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** Maximum size of a recording, bytes. */
const maxSize = 600_000
const frames = 32
const msPerFrame = 600
/** How long the page gets to show a position of the story: its plots are read each 1.5 s. */
const settleMs = 2500

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const names = process.argv.slice(2)
for (const { name, durationMs } of shippedScenarios)
  if (durationMs > 0 && (names.length === 0 || names.includes(name))) await record(name, durationMs)
await browser.close()

/** Records a story in pictures at equal distances, from its start to its end. */
async function record(scenario: string, durationMs: number): Promise<void> {
  await using server = await startServer({ port: 0, scenario })
  await server.sandbox.ready
  const page = await browser.newPage({
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 0.625,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await page.goto(`${server.url}/_sandbox/#stage`)
  await page.locator('.stage-number').waitFor()
  await page.evaluate(() => document.fonts.ready)
  const temporary = mkdtempSync(join(tmpdir(), 'recording-'))
  try {
    const pictures = await takePictures(page, server, { durationMs, temporary })
    const file = join(folder, `${scenario}.webp`)
    const options = ['-loop', '0', '-lossy', '-q', '30', '-m', '6', '-d', String(msPerFrame)]
    execFileSync('img2webp', [...options, ...pictures, '-o', file], { stdio: 'ignore' })
    const { size } = statSync(file)
    console.log(`wrote docs/recordings/${scenario}.webp, ${size} bytes`)
    if (size > maxSize)
      throw new Error(`The recording has ${size} bytes. Keep it below ${maxSize}.`)
  } finally {
    rmSync(temporary, { recursive: true })
    await page.close()
  }
}

async function takePictures(
  page: Page,
  { sandbox }: SandboxServer,
  { durationMs, temporary }: { durationMs: number; temporary: string },
): Promise<string[]> {
  const pictures: string[] = []
  for (let frame = 0; frame <= frames; frame++) {
    const seconds = Math.round((durationMs * frame) / frames / 1000)
    sandbox.seek(`${seconds}s`)
    await wait(settleMs)
    const path = join(temporary, `${String(frame).padStart(2, '0')}.png`)
    await page.screenshot({ path })
    pictures.push(path)
  }
  return pictures
}
