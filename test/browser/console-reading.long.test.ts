import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { createFreshSandbox } from '../support/client.ts'

describe.skipIf(!hasBrowser())('the console on a phone', () => {
  let sandbox: Sandbox
  let server: Server
  let browser: Browser
  let page: Page

  const show = (view: string) =>
    page.getByRole('navigation').getByRole('link', { name: view }).click()

  beforeAll(async () => {
    sandbox = await createFreshSandbox('launch-day')
    server = createServer(createApp(sandbox))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await fetch(
      `${origin}/v1/nowhere/and/a/path/that/is/longer/than/the/line/that/a/phone/has/for/it`,
    )
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    page.setDefaultTimeout(10_000)
    await page.goto(`${origin}/_sandbox/`)
    await page.getByText('Live').waitFor()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
    server?.closeAllConnections()
  })

  it('keeps a status on one line', async () => {
    await page.locator('.feed .badge').first().waitFor()
    const heights = await page
      .locator('.feed .badge')
      .evaluateAll((badges) =>
        badges.map((badge) => badge.getClientRects().length === 1 && badge.clientHeight < 40),
      )
    expect(heights).not.toContain(false)
  })

  it('uses the singular for counts of one', async () => {
    await show('Requests')
    await page.getByText('1 request in this world').waitFor()
  })

  it('formats code in the help of a form as code', async () => {
    await show('Actions and faults')
    await page.getByText('All fields of a fault').click()
    const route = page.locator('.help code', { hasText: 'GET /v1/:account_id/posts' })
    await route.first().waitFor()
    expect(await page.locator('.help', { hasText: '`' }).count()).toBe(0)
  })

  it('shows a short message after a seek back, and hides it when the story plays again', async () => {
    const warning = page.locator('.remarks .warning')
    sandbox.seek('2m')
    sandbox.seek('1m')
    await warning.filter({ hasText: /Moved back from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d to/ }).waitFor()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await warning.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pause' }).click()
  })
})
