import { createApp } from 'creator-api-sandbox/express'
import { describe, expect, it } from 'vitest'
import { hasBrowser, useBrowser } from '../support/browser.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

// Tests that the page loads and works. console.long.test.ts tests all parts of the page.
describe.skipIf(!hasBrowser())('the console', () => {
  const browser = useBrowser()

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
    expect(asked).toEqual([
      ['cross-site', undefined],
      ['cross-site', undefined],
    ])
    expect(sandbox.control.worlds()).toEqual([])
  })
})
