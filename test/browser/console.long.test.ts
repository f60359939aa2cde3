import { createSandbox, type Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wordings } from '../../src/pages/console/actions/use-actions.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import {
  findAccessibilityIssues,
  findLowContrast,
  findUnlabelledParts,
} from '../support/accessibility.ts'
import { hasBrowser, openBrowser, openPage, until } from '../support/browser.ts'
import type { PageLog } from '../support/browser.ts'
import { listenOnFreePort } from '../support/server.ts'
import type { Listening } from '../support/server.ts'

const account = 100_200_300
const story = `
extends: solo
name: evening
timeline:
  - { chapter: Doors open, note: The evening begins. }
  - { at: 5s, every: 2s, times: 100, do: { type: tip, account_id: ${account} } }
  - { at: 60s, chapter: A lapse, note: 'The session is gone: relay routes answer 424.', do: { type: session.lapse, account_id: ${account} } }
  - { at: 90s, chapter: Back again, note: The session is back., do: { type: session.restore, account_id: ${account} } }
  - { at: 2m, every: 3s, times: 40, do: { type: subscriber.new, account_id: ${account} } }
  - { at: 5m, chapter: The end }
`

describe.skipIf(!hasBrowser())('the console', () => {
  const log: PageLog = { problems: [], asked: [] }
  let sandbox: Sandbox
  let browser: Browser
  let page: Page
  let server: Listening
  let origin: string

  const open = async (path = '/creator/_sandbox/') => {
    const opened = await openPage(browser, { origin, log, width: 1440, height: 1000 })
    await opened.goto(origin + path)
    return opened
  }
  const show = (view: string) =>
    page.getByRole('navigation').getByRole('link', { name: view }).click()
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const ask = (path: string) =>
    fetch(`${origin}/creator${path}`, {
      headers: { authorization: `Bearer ${sandbox.keys['owner']}` },
    })

  beforeAll(async () => {
    sandbox = createSandbox({
      scenario: await parseScenario(story, 'evening.yaml'),
      journalSize: 100_000,
    })
    await sandbox.ready
    const app = express()
      .use('/creator', createApp(sandbox))
      .use('/locked', createApp(sandbox, { controlToken: 'open sesame' }))
    server = await listenOnFreePort(app)
    origin = server.origin
    browser = await openBrowser()
    page = await open()
    await page.getByText('Live').waitFor()
  })
  beforeEach(async () => {
    sandbox.control.replay({ command: 'stop' })
    await sandbox.reset()
  })
  afterAll(async () => {
    await browser?.close()
    server?.stop()
  })

  it('plays, pauses, and shows captions and events', async () => {
    await page.getByLabel('Speed').selectOption('10')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('.caption', { hasText: 'The evening begins.' }).waitFor()
    await panel('What happens').getByText('tip').first().waitFor()
    expect(sandbox.control.replay()).toMatchObject({ status: 'playing', speed: 10 })
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    expect(sandbox.clock.mode).toBe('frozen')
  })

  it('seeks with chapters, the timeline and keys, and warns about lost changes', async () => {
    await page.getByRole('button', { name: /A lapse$/ }).click()
    await page.locator('.caption', { hasText: 'relay routes answer 424' }).waitFor()
    await page.getByText('session lapsed').waitFor()
    const timeline = page.getByRole('slider', { name: 'Timeline' })
    expect(await timeline.getAttribute('aria-valuetext')).toBe('1:00 of 5:00, A lapse')

    await timeline.focus()
    await page.keyboard.press('ArrowRight')
    await until(() => expect(sandbox.control.replay().at_ms).toBe(70_000))
    await page.keyboard.press('PageDown')
    await until(() => expect(sandbox.control.replay().chapter).toBe('Back again'))
    await fetch(`${origin}/creator/v1/tags`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.keys['owner']}`,
        'content-type': 'application/json',
      },
      body: '{"name":"Mine"}',
    })
    const box = (await timeline.boundingBox())!
    await page.mouse.click(box.x + box.width / 10, box.y + box.height / 2)
    await page.getByText('1 later write of clients was dropped').waitFor()
    expect(Math.abs(sandbox.control.replay().at_ms - 30_000)).toBeLessThan(1_000)
  })

  it('plays and pauses with the space bar, but not while the user types', async () => {
    await page.locator('h1').click()
    await page.keyboard.press('Space')
    await page.getByText('Playing', { exact: true }).waitFor()
    await page.keyboard.press('Space')
    await until(() => expect(sandbox.control.replay().status).not.toBe('playing'))
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: /^Search/ }).fill('1')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    expect(sandbox.control.replay().status).not.toBe('playing')
    // A click on a chapter must not leave the space bar to its button.
    await page.getByRole('button', { name: /A lapse$/ }).click()
    await until(() => expect(sandbox.control.replay().chapter).toBe('A lapse'))
    await page.keyboard.press('Space')
    await until(() => expect(sandbox.control.replay().status).toBe('playing'))
    expect(sandbox.control.replay().at_ms).toBeGreaterThanOrEqual(60_000)
  })

  it('draws revenue, subscribers and requests, and updates the gauges', async () => {
    sandbox.seek('3m')
    for (let count = 0; count < 5; count += 1) await ask(`/v1/${account}/posts`)
    await ask('/v1/nowhere')
    await page.getByRole('img', { name: /^Requests: 6, 1 refused/ }).waitFor()
    const revenue = page.getByRole('img', { name: /^Net revenue: \$/ })
    await until(async () => expect(await revenue.getAttribute('aria-label')).not.toContain('$0.00'))
    await page
      .getByText(/of 50,000 requests/)
      .first()
      .waitFor()
    const today = page.getByLabel('Today')
    await until(async () =>
      expect(await today.evaluate((meter: HTMLMeterElement) => meter.value)).toBeGreaterThan(4),
    )
  })

  it('shows each action as a form that sends values according to its schema', async () => {
    await show('Actions and faults')
    for (const { type, schema } of sandbox.control.actions()) {
      await page.getByLabel('Action', { exact: true }).selectOption(type)
      const fields = Object.keys((schema as { properties: object }).properties)
      await expect
        .poll(async () =>
          (
            await panel('Actions')
              .locator('form [name]')
              .evaluateAll((all) => all.map((field) => field.getAttribute('name')))
          ).toSorted(),
        )
        .toEqual(fields.toSorted())
      expect([type, wordings[type]?.button]).toEqual([type, expect.any(String)])
    }
  })

  it('adds a fault, shows the request that fails, and removes the fault', async () => {
    await show('Actions and faults')
    const faults = panel('Faults')
    await faults
      .getByRole('combobox', { name: /^Route/ })
      .first()
      .selectOption('GET /v1/:account_id/posts')
    await faults.getByLabel('all', { exact: true }).check()
    await faults.getByRole('button', { name: 'Fail 502' }).click()
    await faults.getByText('answers 502, until it is removed').first().waitFor()
    expect((await ask(`/v1/${account}/posts?limit=3`)).status).toBe(502)

    await show('Requests')
    await page.getByRole('button', { name: `GET /v1/${account}/posts?limit=3` }).click()
    const entry = panel('Request 1')
    await entry.getByText(/^Failed as ordered \(fault \d+\):$/).waitFor()
    expect(await entry.locator('.refusal').textContent()).toContain('502')
    expect(await entry.getByRole('region', { name: 'Answer', exact: true }).textContent()).toMatch(
      /error: "/,
    )

    await show('Actions and faults')
    await page
      .getByRole('button', { name: 'Remove the fault on GET /v1/:account_id/posts' })
      .click()
    await panel('Faults').getByText('No faults:').waitFor()
    expect((await ask(`/v1/${account}/posts?limit=3`)).status).toBe(200)
  })

  it('filters and pages the journal, and shows similar routes for a wrong path', async () => {
    for (let count = 0; count < 150; count += 1) await ask(`/v1/${account}/posts?offset=${count}`)
    await ask(`/v1/${account}/post`)
    await show('Requests')
    await page.getByText('151 requests in this world').waitFor()
    const news = panel('Journal').getByRole('button', { name: /new(?: requests)?$/ })
    const rows = panel('Journal').locator('tbody tr')
    await expect
      .poll(async () => {
        // The list may have been updated in the meantime.
        if (await news.isEnabled()) await news.click({ timeout: 200 }).catch(() => {})
        return rows.count()
      })
      .toBe(100)
    await page.getByRole('button', { name: 'Older', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(51)
    await page.getByLabel('Status').selectOption('4')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.getByRole('button').click()
    await page.getByRole('tab', { name: 'Why' }).click()
    await page.getByText('Similar routes').waitFor()
    await page.getByRole('button', { name: 'Close the request' }).click()
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('Path').fill('nothing like it')
    await page.getByText('No requests match.').waitFor()
    await page.getByLabel('Path').fill('')
  })

  it('browses, filters and sorts tables', async () => {
    await show('Data')
    await page.getByLabel('Table').selectOption('posts')
    const total = sandbox.db.posts.size
    await page.getByText(`${total} records`).waitFor()
    const contains = sandbox.db.posts.find((post) => post.rawText !== '')?.rawText ?? ''
    const found = sandbox.control.data('posts', { contains }).total
    await page.getByRole('searchbox', { name: 'Search' }).fill(contains)
    await page.getByText(`${found} match`).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByRole('columnheader', { name: 'id', exact: true }).getByRole('button').click()
    await until(() => expect(page.url()).toContain('sort=id%3Aasc'))
  })

  it('lets the user copy keys and account ids', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await show('Keys and accounts')
    await page.getByRole('button', { name: 'Copy the key of owner' }).click()
    await page.getByRole('button', { name: 'Copied the key of owner' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sandbox.keys['owner'])
    expect(await page.locator('code', { hasText: `${origin}/creator` }).count()).toBe(1)
  })

  it('lapses and restores a session', async () => {
    await show('Overview')
    await page.getByRole('button', { name: /^Lapse the session/ }).click()
    await page.getByText('session lapsed').waitFor()
    expect(sandbox.db.accounts.get(account)?.session).toBe('lapsed')
    await page.getByRole('button', { name: /^Restore the session/ }).click()
    await page.getByText('session active').waitFor()
  })

  it('is dark if the system or the user selects it', async () => {
    await show('Overview')
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await ground()
    expect(dark).not.toBe(light)
    const theme = page.getByRole('button', { name: /^Colours/ })
    await theme.click()
    expect(await ground()).toBe(light)
    await theme.click()
    expect(await ground()).toBe(dark)
    await theme.click()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await ground()).toBe(light)
  })

  it('has a name for each control, and readable text in both colour schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const view of [
        'Overview',
        'Requests',
        'Actions and faults',
        'Data',
        'Keys and accounts',
        'Audit and cost',
      ]) {
        await show(view)
        await page.locator('main .panel').first().waitFor()
        expect([view, await page.evaluate(findUnlabelledParts)]).toEqual([view, []])
        const faint = await page.evaluate(findLowContrast)
        const issues = await findAccessibilityIssues(page)
        expect({ view, colorScheme, faint, issues }).toEqual({
          view,
          colorScheme,
          faint: [],
          issues: [],
        })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await show('Overview')
  })

  it('stays responsive with 100,000 requests in the journal while more of them arrive', async () => {
    sandbox.act({ type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 })
    for (let count = 0; count < 100_000; count += 1) {
      sandbox.control.positions()
      await sandbox.handle({
        method: 'GET',
        url: `/health?${count}`,
        header: () => null,
        body: null,
      })
    }
    await show('Requests')
    await page.getByText('100,000 requests in this world').waitFor()
    const start = performance.now()
    for (let turn = 0; turn < 5; turn += 1) {
      const range = page.getByText(` to ${(100_000 - turn * 100).toLocaleString('en')}`)
      await range.waitFor()
      await page.getByRole('button', { name: 'Older', exact: true }).click()
    }
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(100)
    await page.getByRole('button', { name: 'Newest' }).click()
  })

  it('asks for the token if the server has one, and stores it for this tab only', async () => {
    const locked = await open('/locked/_sandbox/')
    await locked.getByLabel('The token of the control plane').fill('wrong')
    await locked.getByRole('button', { name: 'Open' }).click()
    await locked.getByText('Wrong token.').waitFor()
    await locked.getByLabel('The token of the control plane').fill('open sesame')
    await locked.getByRole('button', { name: 'Open' }).click()
    await locked.getByText('Live').waitFor()
    expect(await locked.evaluate(() => JSON.stringify(localStorage))).not.toContain('sesame')
    await locked.close()
  })

  it('reconnects when the sandbox is available again', async () => {
    server.cut()
    await page.getByText('Live').waitFor()
    sandbox.act({ type: 'note', text: 'Here again.' })
    await page.locator('.caption', { hasText: 'Here again.' }).waitFor()
  })

  it('sends no requests to other origins, and logs no errors', () => {
    expect(log.asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
    expect(log.asked.length).toBeGreaterThan(10)
    // The browser logs each 400 and 401, and each closed connection.
    expect(
      log.problems.filter(
        (text) =>
          !/^Failed to load resource: (?:the server responded with a status of 40[01]|net::ERR_)/.test(
            text,
          ),
      ),
    ).toEqual([])
  })
})
