import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { freshSandbox } from '../support/matrix.ts'

describe.skipIf(!hasBrowser())('the reference page', () => {
  const problems: string[] = []
  const asked: string[] = []
  let sandbox: Sandbox
  let server: Server
  let browser: Browser
  let page: Page
  let origin: string

  beforeAll(async () => {
    sandbox = await freshSandbox()
    server = createServer(express().use('/creator', createApp(sandbox)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    // Not where the page is from: it must ask its own server all the same.
    sandbox.baseUrl = 'https://api.example.test'
    browser = await openBrowser()
    page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.route('**/*', (route) => {
      asked.push(route.request().url())
      return route.request().url().startsWith(`${origin}/`) ? route.continue() : route.abort()
    })
    await page.goto(`${origin}/creator/docs`)
    await page.locator('.opblock-tag-section').first().waitFor()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
    server?.closeAllConnections()
  })

  it('lists every group of routes', async () => {
    const groups = await page
      .locator('.opblock-tag-section h3')
      .evaluateAll((headings) => headings.map((heading) => heading.getAttribute('data-tag')))

    expect(groups).toEqual(expect.arrayContaining(['Posts', 'Fans', 'Vault', 'Tracking Links', 'Reach', 'Highlights', 'Activity']))
  })

  it("tries a route with the owner's key and an account, which are filled in, and shows the answer", async () => {
    await page.locator('.opblock-tag-section h3[data-tag="Posts"]').click()
    const route = page
      .locator('.opblock', { has: page.locator('[data-path="/v1/{account_id}/posts"]') })
      .filter({ hasText: 'GET' })
      .first()
    await route.locator('.opblock-summary-control').click()
    await route.locator('tr[data-param-name="limit"] input').fill('2')
    await route.getByRole('button', { name: 'Execute' }).click()

    const answer = route.locator('.live-responses-table')
    await answer.locator('.response-col_status', { hasText: '200' }).waitFor()
    expect(await answer.textContent()).toContain('tailMarker')
    expect(sandbox.requests[0]).toMatchObject({ route: 'GET /v1/:account_id/posts', status: 200 })
  })

  it('asks no other origin, and logs no error', () => {
    expect(asked.filter((url) => !url.startsWith(`${origin}/creator/`) && !url.startsWith('data:'))).toEqual([])
    expect(asked.length).toBeGreaterThan(4)
    expect(problems).toEqual([])
  })
})
