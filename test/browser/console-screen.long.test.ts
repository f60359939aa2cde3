import { createApp } from 'creator-api-sandbox/express'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, until, useBrowser } from '../support/browser.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

describe.skipIf(!hasBrowser())('the screen of the console', () => {
  const browser = useBrowser()
  const serve = async (scenario = 'launch-day') => {
    const sandbox = await createFreshSandbox(scenario)
    return { sandbox, address: `${await serveOnFreePort(createApp(sandbox))}/_sandbox/` }
  }
  /**
   * Opens the console in a browser that either grants or denies wake locks, and counts the requests
   * for wake locks.
   */
  const open = async (screen: 'kept' | 'refused') => {
    const { sandbox, address } = await serve()
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.addInitScript((isKept) => {
      const counts = { taken: 0, released: 0 }
      Object.assign(globalThis, { counts })
      const lock = {
        release: () => {
          counts.released += 1
          return isKept
            ? Promise.resolve()
            : Promise.reject(new DOMException('gone', 'InvalidStateError'))
        },
      }
      const request = () => {
        counts.taken += 1
        return isKept
          ? Promise.resolve(lock)
          : Promise.reject(new DOMException('The battery is low.', 'NotAllowedError'))
      }
      Object.defineProperty(navigator, 'wakeLock', { value: { request } })
      if (!isKept)
        Element.prototype.requestFullscreen = () =>
          Promise.reject(new TypeError('Permissions check failed'))
    }, screen === 'kept')
    await page.goto(address)
    await page.getByText('Live').waitFor()
    return { page, problems, sandbox }
  }
  const countsOf = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { counts: object }).counts)
  const isFull = (page: Page) => page.evaluate(() => document.fullscreenElement !== null)

  it('shows the stage in full screen and keeps the screen on until the stage is closed', async () => {
    const { page, problems } = await open('kept')
    await page.keyboard.press('f')
    await page.locator('.stage-number').waitFor()
    await until(async () => expect(await isFull(page)).toBe(true))
    await until(async () => expect(await countsOf(page)).toEqual({ taken: 1, released: 0 }))
    await page.getByRole('button', { name: 'Leave the stage' }).click()
    await until(async () => expect(await isFull(page)).toBe(false))
    await until(async () => expect(await countsOf(page)).toEqual({ taken: 1, released: 1 }))
    expect(problems).toEqual([])
  })

  it('shows the stage in the window if the browser refuses full screen and the wake lock', async () => {
    const { page, problems, sandbox } = await open('refused')
    await page.keyboard.press('f')
    await page.locator('.stage-number').waitFor()
    await until(async () => expect(await countsOf(page)).toEqual({ taken: 1, released: 0 }))
    expect(await isFull(page)).toBe(false)
    await page.keyboard.press('Space')
    await until(async () => expect(sandbox.control.replay().status).toBe('playing'))
    await page.getByRole('button', { name: 'Leave the stage' }).click()
    await page.getByRole('navigation', { name: 'Panels' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows clock changes between the events, with the new time', async () => {
    const { sandbox, address } = await serve('solo')
    sandbox.act({ type: 'note', text: 'Before.' })
    sandbox.clock.advance('2h')
    sandbox.act({ type: 'note', text: 'After.' })
    const page = await browser.newPage()
    const at = new Date(sandbox.clock.now() - 3_600_000).toISOString()
    await page.goto(`${address}#overview?at=${encodeURIComponent(at)}`)
    const moment = page.locator('.feed .selected', { hasText: 'The clock reached' })
    await moment.waitFor()
    expect(
      await moment.evaluate((row) =>
        [row.previousElementSibling, row.nextElementSibling].map((each) => each?.textContent),
      ),
    ).toEqual([expect.stringContaining('After.'), expect.stringContaining('Before.')])
  })
})
