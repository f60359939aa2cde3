import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAccessibilityIssues } from '../support/accessibility.ts'
import { hasBrowser, openBrowser, openPage } from '../support/browser.ts'
import type { PageLog } from '../support/browser.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort, listenOnFreePort } from '../support/server.ts'
import type { Listening } from '../support/server.ts'

describe.skipIf(!hasBrowser())('the documents', () => {
  const log: PageLog = { problems: [], asked: [] }
  let sandbox: Sandbox
  let browser: Browser
  let page: Page
  let server: Listening
  let origin: string

  const operation = (id: string) =>
    page
      .goto(`${origin}/creator/docs#api/${id}`)
      .then(() => page.locator(`.head code:text-is("${id}")`).waitFor())
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const focused = () => page.evaluate(() => document.activeElement?.tagName)

  beforeAll(async () => {
    sandbox = await createFreshSandbox('agency')
    const app = express()
      .use('/creator', createApp(sandbox))
      .use('/locked', createApp(sandbox, { controlToken: 'open sesame' }))
    server = await listenOnFreePort(app)
    origin = server.origin
    // The base URL differs from the URL of the page, but the page must still send requests to the
    // server that served it.
    sandbox.baseUrl = 'https://api.example.test'
    browser = await openBrowser()
    page = await openPage(browser, { origin, log, width: 1280, height: 720 })
    await page.goto(`${origin}/creator/docs`)
    await page.getByRole('heading', { name: 'Groups' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    server?.stop()
  })

  it('finds an operation by the name of a field, using only the keyboard', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('ismediaready own posts')
    await page.getByRole('list', { name: 'Results' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: "List the creator's own posts" }).waitFor()
    expect(new URL(page.url()).hash).toBe('#api/listPosts')
    await expect.poll(focused).toBe('MAIN')
    expect(await page.title()).toContain("List the creator's own posts")
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
  })

  it('shows guides first, and finds a guide by a status or a header name', async () => {
    await page.goto(`${origin}/creator/docs#api`)
    await page.getByRole('main').getByRole('link', { name: 'Limits and credits' }).click()
    await page.getByRole('heading', { name: 'Limits and credits' }).waitFor()
    for (const [text, title] of [
      ['429', 'Retry after a 429'],
      ['X-API-Key', 'Send your API key'],
      ['how does next_page work', 'Follow next_page'],
    ] as const) {
      await page.getByLabel('Search guides').fill(text)
      const first = page.getByRole('list', { name: 'Results' }).getByRole('link').first()
      expect(await first.textContent()).toContain(title)
      await first.click()
      await part(title).waitFor()
      await expect.poll(focused).toBe('MAIN')
      await expect
        .poll(() => part(title).evaluate((each) => each.getBoundingClientRect().top))
        .toBeLessThan(400)
    }
    await page.getByLabel('Search guides').fill('POST messages')
    const result = page.getByRole('list', { name: 'Results' }).getByRole('link').first()
    expect(await result.textContent()).toMatch(/^POST.*\/v1\/\{account_id\}\//)
    await page.getByLabel('Search guides').press('Enter')
    await page.getByRole('heading', { name: 'Send a message to a fan' }).waitFor()
    await expect.poll(focused).toBe('MAIN')
    await page.getByLabel('Search guides').fill('mass mesage')
    await page.getByRole('link', { name: 'Send a message to many fans' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('lists all errors with their bodies, and those of each operation', async () => {
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'Errors' })
      .click()
    expect(await page.getByRole('region', { name: 'Body of post_locked' }).textContent()).toBe(
      '{"error":"Post 4001 is locked by the platform and cannot be changed."}',
    )
    await operation('sendMessage')
    await page.getByRole('button', { name: 'Errors' }).click()
    const first = part('Answers').locator('summary', { hasText: '400' })
    await first.waitFor()
    expect(await first.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(200)
    const forbidden = part('Answers').locator('summary', { hasText: '403' })
    expect(await forbidden.locator('code').first().textContent()).toBe('fan_blocked')
    expect(await forbidden.textContent()).not.toContain('post_locked')
    await part('Examples').getByRole('tab', { name: '403' }).click()
    expect(await page.getByRole('region', { name: 'Body of fan_blocked' }).textContent()).toContain(
      'has blocked user',
    )
    expect(
      await page.getByRole('region', { name: 'Body of permission_missing' }).textContent(),
    ).toMatch(/"The role analyst of the key does not have the permission api_messages_send\."/)
  })

  it('keeps the examples in view beside the text of a route with a body', async () => {
    await operation('createPost')
    const examples = part('Examples')
    await examples.getByRole('tab', { name: '200' }).waitFor()
    for (const place of [part('Request'), part('Answers').locator('summary').last()]) {
      await place.scrollIntoViewIfNeeded()
      const { y, height } = (await examples.boundingBox())!
      expect([y >= 0, y + height <= page.viewportSize()!.height]).toEqual([true, true])
    }
  })

  it('lists the models, and shows the fields of a model and the operations that use it', async () => {
    await page
      .getByRole('navigation', { name: 'Contents' })
      .getByRole('link', { name: 'Models' })
      .click()
    await page.getByRole('main').getByRole('link', { name: 'MessageItem', exact: true }).click()
    await page.locator('.name:text-is("lockedText")').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Send a message to a fan' }).click()
    await page.getByRole('heading', { name: 'Send a message to a fan' }).waitFor()
    // The page suggests names similar to the unknown one.
    await page.goto(`${origin}/creator/docs#models/ChatMessage`)
    await page.getByText('There is no "ChatMessage"').waitFor()
    await page
      .getByRole('list', { name: 'Similar' })
      .getByRole('link', { name: 'ChatItem' })
      .waitFor()
  })

  it('shows the source level of an operation and of each field', async () => {
    await operation('createPost')
    expect(await page.locator('.head .source').textContent()).toContain('documented: §4 Posts')
    const sourceLevel = (field: string) =>
      part('Request')
        .locator('.field-head', { has: page.locator(`.name:text-is("${field}")`) })
        .locator('.source')
        .textContent()
    expect(await sourceLevel('text')).toBe('● documented')
    const [fields, sources] = await Promise.all(
      ['.field-head', '.field-head .source'].map((each) => page.locator(each).count()),
    )
    expect(sources).toBe(fields)
    await operation('setFanNotice')
    expect(await sourceLevel('notice')).toBe('○ inferred')
  })

  it('sends a request with the key of a role, and links to it in the console, which links back', async () => {
    await operation('listPosts')
    await part('Try it').getByText('optional parameters').click()
    await part('Try it').getByLabel('limit').fill('2')
    expect(await part('Code').locator('.code').textContent()).toContain('/posts?limit=2')
    await part('Try it')
      .getByLabel('Key of')
      .selectOption({ label: 'chatter, Northlight Management' })
    await part('Try it').getByText('chatter lacks api_posts_list').waitFor()
    await part('Try it')
      .getByLabel('Key of')
      .selectOption({ label: 'analyst, Northlight Management' })
    await part('Try it').getByRole('button', { name: 'Send' }).click()
    await part('Try it').locator('.badge').waitFor()
    expect(sandbox.requests[0]).toMatchObject({
      route: 'GET /v1/:account_id/posts',
      status: 200,
      role: 'analyst',
      asked_by: 'docs',
    })

    const opened = page.context().waitForEvent('page')
    await part('Try it').getByRole('link', { name: 'Show in the console' }).click()
    const shown = await opened
    await shown.getByText('docs, as analyst').waitFor()
    await shown.getByRole('link', { name: 'GET /v1/:account_id/posts' }).click()
    await shown.getByRole('heading', { name: "List the creator's own posts" }).waitFor()
    await shown.close()
  })

  it.each(['curl', 'JavaScript', 'Python', 'Go'])('shows the request in %s', async (language) => {
    await part('Code').getByRole('button', { name: language, exact: true }).click()
    expect(await part('Code').locator('.code').textContent()).toContain('/posts?limit=2')
  })

  it('shows the control plane too, and sends a request to it', async () => {
    await page.getByRole('link', { name: 'Control plane' }).click()
    await page.getByRole('heading', { name: 'Control plane of the sandbox' }).waitFor()
    await page.goto(`${origin}/creator/docs#control/moveClock`)
    const before = sandbox.clock.now()
    await part('Try it').getByRole('button', { name: 'Send' }).click()
    await part('Try it').locator('.badge').waitFor()
    expect(sandbox.clock.now() - before).toBe(7_200_000)

    await page.goto(`${origin}/creator/docs#control/followEvents`)
    await part('Try it').getByRole('button', { name: 'Send' }).click()
    await part('Answer').getByText('event: clock').waitFor()
    await part('Try it').getByRole('button', { name: 'Stop' }).click()
    await part('Try it').getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  })

  it('shows the pictures whose URLs are in an example', async () => {
    await operation('listVaultMedia')
    const pictures = part('Examples').locator('.example-pictures img')
    await pictures.first().waitFor()
    expect(
      await pictures.evaluateAll((all) =>
        Promise.all((all as HTMLImageElement[]).map((each) => each.decode())),
      ),
    ).not.toEqual([])
  })

  it('shows its contents before the example responses are there', async () => {
    const other = await browser.newPage()
    const answers = other.getByRole('region', { name: 'Examples' })
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route('**/openapi.json?responses=true', async (route) => {
      await isReleased
      await route.continue()
    })
    await other.goto(`${origin}/creator/docs#api/listTags`)
    await answers.waitFor()
    expect(await answers.locator('.example').count()).toBe(0)
    release()
    await answers.locator('.example').first().waitFor()
    await other.close()
  })

  it('shows only the remaining operations with --no-guesses, and sends a request', async () => {
    const sure = await createFreshSandbox('solo', { noGuesses: true })
    const address = await serveOnFreePort(createApp(sure))
    const other = await browser.newPage()
    await other.goto(`${address}/docs#api/listTags`)
    await other.getByText('There is no "listTags" in this document').waitFor()
    await other.goto(`${address}/docs#api/listPosts`)
    await other.getByRole('heading', { name: "List the creator's own posts" }).waitFor()
    await other
      .getByRole('region', { name: 'Try it' })
      .getByRole('button', { name: 'Send' })
      .click()
    await other
      .getByRole('region', { name: 'Try it' })
      .locator('.badge', { hasText: '200' })
      .waitFor()
    expect(sure.requests[0]).toMatchObject({
      route: 'GET /v1/:account_id/posts',
      status: 200,
      asked_by: 'docs',
    })
    await other.close()
  })

  it('asks for the token if the server has one, and accepts another key', async () => {
    // The document is identical and has already been generated.
    await page.route('**/locked/openapi.json', (route) =>
      route.continue({ url: `${origin}/creator/openapi.json` }),
    )
    await page.goto(`${origin}/locked/docs#api/listTags`)
    await part('Try it').getByLabel('Token of the control plane').fill('open sesame')
    await part('Try it').getByRole('button', { name: 'Show the keys' }).click()
    await part('Try it').getByLabel('Key of').selectOption({ label: 'another key' })
    await part('Try it').getByLabel('API key').fill('nobody')
    await part('Try it').getByRole('button', { name: 'Send' }).click()
    await part('Try it').locator('.badge', { hasText: '401' }).waitFor()
    // The browser logs the two rejected requests.
    expect(log.problems.splice(0).every((problem) => problem.includes('401'))).toBe(true)
  })

  it('is accessible in light and dark mode, on wide and narrow screens', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await operation('createPost')
      expect([colorScheme, await findAccessibilityIssues(page)]).toEqual([colorScheme, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
    for (const place of ['guides/errors', 'models', 'models/MessageItem']) {
      await page.goto(`${origin}/creator/docs#${place}`)
      await page.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
      expect([place, await findAccessibilityIssues(page)]).toEqual([place, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
    await operation('createPost')
    await page.getByRole('button', { name: 'Contents and search' }).click()
    await page.getByRole('link', { name: 'Read one post' }).click()
    await page.getByRole('heading', { name: 'Read one post' }).waitFor()
  })

  it('sends no requests to other origins, and logs no errors', () => {
    expect(log.asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
    expect(log.asked.length).toBeGreaterThan(4)
    expect(log.problems).toEqual([])
  })
})
