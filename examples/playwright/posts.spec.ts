import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from 'creator-api-sandbox/playwright'
import type { Sandbox } from 'creator-api-sandbox'

test.use({ sandboxOptions: { scenario: 'solo' } })

let server: Server
let origin: string

// Stands in for your app's development server, which you would start with `webServer` in the
// configuration.
test.beforeAll(async () => {
  const page = readFileSync(join(test.info().project.testDir, 'page.html'))
  server = createServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(() => void server.close())

/** Opens the page with the API's base URL. */
async function open(page: Page, world: Sandbox): Promise<void> {
  const [account] = world.db.accounts.all()
  await page.goto(
    `${origin}/?api=${world.baseUrl}&key=${world.keys['owner']}&account=${account?.id}`,
  )
}

test('shows posts with their pictures', async ({ page, world }) => {
  await open(page, world)

  await expect(page.getByRole('status')).toHaveText('3 posts')
  await expect(page.getByRole('listitem')).toHaveCount(3)
  const widths = () =>
    page
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
  await expect.poll(async () => (await widths()).every((width) => width > 0)).toBe(true)
})

test('shows that the session has lapsed, and loads when it is restored', async ({
  page,
  world,
}) => {
  world.act({ type: 'session.lapse' })
  await open(page, world)
  await expect(page.getByRole('status')).toContainText('424')

  world.act({ type: 'session.restore' })
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('status')).toHaveText('3 posts')
})

test('sends one request per visit', async ({ page, world }) => {
  await open(page, world)
  await expect(page.getByRole('status')).toHaveText('3 posts')

  expect(world.requests.filter(({ route }) => route === 'GET /v1/:account_id/posts')).toHaveLength(
    1,
  )
  await expect(world).toHaveNoFindings()
})
