import { createApp } from 'creator-api-sandbox/express'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

// Tests that the page loads and works. console.long.test.ts tests all parts of the page.
describe.skipIf(!hasBrowser())('the console', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('plays a story, performs an action and shows the events, without errors', async () => {
    const sandbox = await createFreshSandbox('launch-day')
    const origin = await serveOnFreePort(createApp(sandbox))
    const page = await browser.newPage()
    page.setDefaultTimeout(10_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${origin}/_sandbox/`)
    await page.getByText('Live').waitFor()

    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('Playing', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    expect(sandbox.clock.mode).toBe('frozen')

    await page.getByRole('navigation').getByRole('link', { name: 'Actions and faults' }).click()
    await page.getByLabel('Action', { exact: true }).selectOption('subscriber.new')
    const form = page.getByRole('region', { name: 'Actions', exact: true })
    await form.getByLabel('Name name', { exact: true }).fill('Ida Holm')
    await form.getByRole('button', { name: 'Subscribe' }).click()
    await form.locator('.done', { hasText: 'Ida Holm' }).waitFor()
    expect(sandbox.db.fans.find({ name: 'Ida Holm' })).toBeDefined()
    expect(problems).toEqual([])
    await page.close()
  })

  it('creates no world for images and no-cors requests from another site', async () => {
    const sandbox = await createFreshSandbox()
    const asked: [string | undefined, string | undefined][] = []
    const app = createApp(sandbox)
    const origin = await serveOnFreePort((request, response) => {
      asked.push([request.headers['sec-fetch-site'] as string | undefined, request.headers.origin])
      app(request, response)
    })
    // Chromium treats localhost and 127.0.0.1 as different sites, so this server counts as another
    // site.
    const site = await serveOnFreePort((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Another site</title>')
    })
    const page = await browser.newPage()
    await page.goto(site.replace('127.0.0.1', 'localhost'))
    await page.evaluate(async (control) => {
      const image = new Image()
      const loaded = new Promise((resolve) => image.addEventListener('error', resolve))
      image.src = `${control}/pulse?world=image`
      await loaded
      await fetch(`${control}/state?world=blind`, { mode: 'no-cors' })
    }, `${origin}/_sandbox`)
    await page.close()
    expect(asked).toEqual([
      ['cross-site', undefined],
      ['cross-site', undefined],
    ])
    expect(sandbox.control.worlds()).toEqual([])
  })
})
