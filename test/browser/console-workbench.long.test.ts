import { readFileSync } from 'node:fs'
import { createSandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { startServer } from 'creator-api-sandbox/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'

describe.skipIf(!hasBrowser())('the workbench of the console', () => {
  let browser: Browser
  let server: Awaited<ReturnType<typeof startServer>>
  let account: number

  beforeAll(async () => {
    browser = await openBrowser()
    server = await startServer({ port: 0, scenario: 'bad-day' })
    account = server.sandbox.db.accounts.all()[0]!.id
  }, 60_000)
  beforeEach(() => server.sandbox.reset())
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const open = async (
    hash = '',
    options: Parameters<Browser['newPage']>[0] = { viewport: { width: 1280, height: 720 } },
  ) => {
    const page = await browser.newPage(options)
    page.setDefaultTimeout(10_000)
    await page.goto(`${server.url}/_sandbox/${hash}`)
    await page.locator('.connection.live, .stage-number').waitFor()
    return page
  }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${server.sandbox.keys.owner}`,
        'content-type': 'application/json',
      },
    })
  const until = (check: () => void | Promise<void>) =>
    vi.waitFor(check, { timeout: 60_000, interval: 100 })
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const downloadOf = async (page: Page, press: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: press }).click(),
    ])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }

  it('shows the findings, JSON and pictures of a request below a small player, and can edit it, copy it and make its route fail', async () => {
    await ask(`/v1/${account}/posts?limit=1&colour=red`)
    const page = await open('#requests/1')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.locator('.warning', { hasText: 'colour' }).first().waitFor()
    expect((await panel(page, 'Player').boundingBox())!.height).toBeLessThan(130)
    await page.getByRole('tab', { name: 'Request', exact: true }).click()
    await page.getByText('authorization').waitFor()
    await page.getByRole('tab', { name: 'Answer' }).click()
    const folded = page.locator('.json details:not([open]) > summary')
    await until(async () => {
      if ((await folded.count()) > 0) await folded.first().click()
      expect(await page.locator('.json a[target=_blank] + img').count()).toBeGreaterThan(0)
    })
    await page.getByRole('button', { name: 'Copy as curl request 1' }).click()
    await until(async () => expect(await copied()).toMatch(/^curl .*colour=red/))
    await page.getByRole('button', { name: 'Copy as test request 1' }).click()
    await until(async () => expect(await copied()).toContain('expect(response.status).toBe(200)'))
    await page.getByRole('button', { name: 'Edit and send' }).click()
    await page.locator('.editor').getByLabel('Path').fill('/v1/tags')
    await page.locator('.editor').getByRole('button', { name: 'Send' }).click()
    await page.locator('.headline', { hasText: 'GET /v1/tags' }).waitFor()
    await page.getByRole('button', { name: 'Fail 502' }).click()
    await page.getByText('The next request of GET /v1/tags fails with 502.').waitFor()
    expect((await ask('/v1/tags')).status).toBe(502)
    const har = await downloadOf(page, 'Export as HAR')
    expect(JSON.parse(har.text).log.entries.length).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Hide older' }).click()
    await page.getByText(/^Older requests are hidden/).waitFor()
    await page.close()
  }, 60_000)

  it('opens a record in a drawer, with its changes, their causes and the records that it references', async () => {
    const { id } = (
      await (await ask('/v1/tags', { method: 'POST', body: '{"name":"Mine"}' })).json()
    ).data
    const page = await open(`#data/tags?record=${id}`)
    const drawer = page.getByRole('region', { name: `Record ${id} of tags` })
    await drawer.getByRole('link', { name: 'POST /v1/tags' }).click()
    await page.getByText('Request 1', { exact: true }).waitFor()
    await page.goBack()
    await drawer.getByRole('button', { name: 'Edit' }).click()
    const text = drawer.getByLabel('The record as JSON')
    await text.fill((await text.inputValue()).replace('Mine', 'Yours'))
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('changed name').waitFor()
    expect(server.sandbox.db.tags.get(id)?.name).toBe('Yours')

    server.sandbox.act({ type: 'tip', account_id: account, amount: 20 })
    const { id: happened, ids, text: told } = server.sandbox.control.happenings().at(-1)!
    await page.goto(
      `${server.url}/_sandbox/#data/transactions?record=${String(ids?.['transaction'])}`,
    )
    await page.getByRole('link', { name: told }).click()
    await page.locator(`#happening-${happened}.selected`).waitFor()
    await page.close()
  }, 60_000)

  it('adds and removes records, and explains why an edit is rejected', async () => {
    const page = await open('#data/tags')
    await page.getByRole('button', { name: 'New record' }).click()
    const field = page.getByLabel(/^Fields of a record of tags/)
    await field.fill('{ "colour": 1 }')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('alert').filter({ hasText: 'colour' }).waitFor()
    await field.fill('{ "name": "By hand" }')
    await page.getByRole('button', { name: 'Add' }).click()
    const { id } = await vi.waitFor(
      () =>
        server.sandbox.db.tags.find({ name: 'By hand' }) ?? Promise.reject(new Error('not yet')),
    )
    await page
      .getByRole('region', { name: `Record ${id} of tags` })
      .getByRole('button', { name: 'Remove' })
      .click()
    await until(() => expect(server.sandbox.db.tags.get(id)).toBeUndefined())
    await page.close()
  }, 60_000)

  it('shows pictures of records without requests to the API', async () => {
    const page = await open('#data/vaultMedia')
    const picture = page.locator('img.thumbnail').first()
    await until(async () =>
      expect(
        await picture.evaluate((image: HTMLImageElement) => image.naturalWidth),
      ).toBeGreaterThan(0),
    )
    expect(server.sandbox.requests).toEqual([])
    await page.close()
  }, 60_000)

  it('shows values before and after a change', async () => {
    const page = await open('#data/posts')
    server.sandbox.act({ type: 'session.lapse', account_id: account })
    await page.getByRole('button', { name: 'Since load' }).click()
    await page.getByText('0 added, 1 changed, 0 removed').waitFor()
    expect(await panel(page, 'What changed').textContent()).toMatch(/session: "active" → "lapsed"/)
    await page.close()
  }, 60_000)

  it('saves the world as a snapshot, restores it, and saves the world as a scenario', async () => {
    const page = await open('#data/posts')
    const snapshot = await downloadOf(page, 'Save the state as a file')
    await ask('/v1/tags', { method: 'POST', body: '{"name":"Later"}' })
    await page.getByLabel('Restore a state from a file').setInputFiles({
      name: snapshot.name,
      mimeType: 'application/json',
      buffer: Buffer.from(snapshot.text),
    })
    await until(() => expect(server.sandbox.db.tags.find({ name: 'Later' })).toBeUndefined())
    const written = await downloadOf(page, 'Save as a scenario')
    await page.getByText(/^Saved\. The scenario does not contain:/).waitFor()
    expect(written.name).toBe('bad-day-as-it-was.yaml')
    const copy = createSandbox({ scenario: await parseScenario(written.text, written.name) })
    await copy.ready
    expect(copy.db.posts.all()).toEqual(server.sandbox.db.posts.all())
    await page.close()
  }, 60_000)

  it('records a session, and saves it as a scenario that produces the same world when played', async () => {
    const page = await open('#data/posts')
    await page.getByRole('button', { name: 'Reset, then record' }).click()
    await page.getByText('0 steps since').waitFor()
    await ask('/v1/tags', { method: 'POST', body: '{"name":"Recorded"}' })
    await page.getByText('1 step since').waitFor()
    const { name, text } = await downloadOf(page, 'Stop and save')
    expect(name).toBe('recorded.yaml')
    await page.getByText('Saved 1 step.').waitFor()
    const replayed = createSandbox({ scenario: await parseScenario(text, name) })
    await replayed.ready
    await replayed.play({ until: '1s' })
    expect(replayed.db.tags.find({ name: 'Recorded' })).toBeDefined()
    await page.close()
  }, 60_000)

  it('always shows unusual states, each with a button that ends it', async () => {
    const { sandbox } = server
    const page = await open()
    const chips = page.getByRole('region', { name: 'Unusual states' })
    await chips.getByText('All is as usual').waitFor()
    sandbox.act([
      { type: 'session.lapse', account_id: account },
      { type: 'limits.set', minute: 5 },
      { type: 'credits.set', credits: 0 },
      { type: 'fault.add', status: 502 },
      { type: 'variation.set', seed: 3, only: ['key-order'] },
    ])
    const rows = [
      ['502, every route', 'Remove'],
      ['Session of', 'Restore'],
      [': 5 requests a minute', 'Allow 1,000'],
      [': no credits left', 'Give 10,000'],
      ['Responses vary: key-order', 'Stop'],
    ] as const
    for (const [text, undo] of rows)
      await chips.locator('.chip', { hasText: text }).getByRole('button', { name: undo }).click()
    await chips.getByText('All is as usual').waitFor()
    expect(sandbox.control.state().variation).toBeNull()
    await page.close()
  }, 60_000)

  it('shows the routes that an overlay changes, and why the overlay cannot be removed', async () => {
    const overlay = await readOverlay({
      routes: { 'GET /v1/tags': { answer: { '$.list[*].name': { rename: 'title' } } } },
    })
    const over = await startServer({ port: 0, scenario: 'solo', overlay })
    const page = await browser.newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(`${over.url}/`)
    await page.getByText('An overlay changes 1 route').waitFor()
    expect(page.url()).toMatch(/\/_sandbox\/$/)
    await page.getByText('Why it stays').click()
    await page.getByText(/^GET \/v1\/tags\. It was given when the server started/).waitFor()
    await page.close()
    await over.stop()
  }, 60_000)

  it('creates, forks, opens and removes isolated worlds', async () => {
    await ask('/v1/tags', { method: 'POST', body: '{"name":"Mine"}' })
    const page = await open()
    await page.getByRole('button', { name: /^World main/ }).click()
    await page.getByLabel('Name').fill('mine')
    await page.getByRole('button', { name: 'Fork this world' }).click()
    await page.getByRole('button', { name: 'World mine', exact: true }).waitFor()
    expect(server.sandbox.world('mine').db.tags.find({ name: 'Mine' })).toBeDefined()
    expect(await page.title()).toContain('mine')
    await page.getByRole('button', { name: 'World mine', exact: true }).click()
    await page.getByRole('navigation', { name: 'Worlds' }).getByText('main').click()
    await page.getByRole('button', { name: /^World main/ }).waitFor()
    await page.getByRole('button', { name: /^World main/ }).click()
    await page.getByRole('button', { name: 'Remove the world mine' }).click()
    await page
      .getByRole('dialog', { name: 'Remove the world mine' })
      .getByRole('button', { name: 'Remove the world mine' })
      .click()
    await until(() => expect(server.sandbox.control.worlds()).toEqual([]))
    await page.close()
  }, 60_000)

  it('shows net revenue as in the earnings route, or gross revenue, each with a label', async () => {
    server.sandbox.seek('Throttled')
    const page = await open()
    const { start } = server.sandbox.control.state()
    const range = new URLSearchParams({ start_date: start, end_date: server.sandbox.clock.iso() })
    await page.getByRole('combobox', { name: /^Account/ }).selectOption(String(account))
    const shown = (title: string) =>
      page.getByRole('img', { name: new RegExp(`^${title} revenue: \\$`) })
    const route = await ask(`/v1/${account}/earnings/chart?${range.toString()}`)
    const { total, gross } = ((await route.json()) as { data: { total: number; gross: number } })
      .data
    await until(async () =>
      expect(await shown('Net').getAttribute('aria-label')).toContain(`$${total.toFixed(2)}.`),
    )
    await page.getByRole('combobox', { name: /^Revenue/ }).selectOption('gross')
    await until(async () =>
      expect(await shown('Gross').getAttribute('aria-label')).toContain(`$${gross.toFixed(2)}.`),
    )
    await page.close()
  }, 60_000)

  it('shows a preview while the timeline is dragged, and does not move the chapters', async () => {
    const page = await open()
    const chapters = page.getByRole('list', { name: 'Chapters' })
    const places = () =>
      chapters
        .getByRole('button')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left))
    await chapters.getByRole('button').first().waitFor()
    const before = await places()
    const box = (await page.getByRole('slider', { name: 'Timeline' }).boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('.preview span', { hasText: 'Throttled' }).waitFor()
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 3 })
    expect(server.sandbox.control.replay().at_ms).toBe(0)
    await page.mouse.up()
    await until(() => expect(server.sandbox.control.replay().chapter).toBe('The session lapses'))
    expect(await places()).toEqual(before)
    await page.close()
  }, 60_000)

  it('hides the controls of the stage when idle, and keeps the caption in a box of three lines', async () => {
    const page = await open('#stage')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('.stage.idle').waitFor()
    const lines = await page.locator('.stage-caption').evaluate((box) => {
      const { lineHeight } = getComputedStyle(box)
      return Math.round(box.clientHeight / Number.parseFloat(lineHeight))
    })
    expect(lines).toBe(3)
    await page.mouse.move(200, 200)
    await page.locator('.stage:not(.idle)').waitFor()
    await page.close()
  }, 60_000)

  it.each([390, 1280, 1920])(
    'does not extend beyond the sides of a page of %i px',
    async (width) => {
      server.sandbox.seek('Throttled')
      const page = await open('', { viewport: { width, height: 844 } })
      for (const view of [
        'overview',
        'requests',
        'actions',
        'data/posts',
        'access',
        'audit',
        'worlds',
        'stage',
      ]) {
        await page.goto(`${server.url}/_sandbox/#${view}`)
        await page
          .locator(view === 'stage' ? '.stage-number' : 'main .panel')
          .first()
          .waitFor()
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([view, beyond]).toEqual([view, 0])
      }
      const overlap = await page.evaluate(() => {
        const [figures, feed] = ['.stage-figures', '.stage-feed'].map((part) =>
          document.querySelector(part)!.getBoundingClientRect(),
        )
        const plot = document.querySelector('.stage .plot')?.getBoundingClientRect()
        const caption = document.querySelector('.stage-caption')!.getBoundingClientRect()
        const controls = document.querySelector('.stage-controls')!.getBoundingClientRect()
        const isBeside = figures!.right <= feed!.left + 1 && (plot?.right ?? 0) <= feed!.left + 1
        return {
          isApart: isBeside || figures!.bottom <= feed!.top + 1,
          isFree: caption.bottom <= controls.top + 1,
        }
      })
      expect(overlap).toEqual({ isApart: true, isFree: true })
      await page.close()
    },
    60_000,
  )
})
