import { startServer } from 'creator-api-sandbox/server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAccessibilityIssues } from '../support/accessibility.ts'
import { hasBrowser, readShifts, recordShifts, useBrowser } from '../support/browser.ts'
import { desktop, sizes } from '../support/console-page.ts'

/** Maximum total layout shift in a view. */
const maxShift = 0.05
const views = ['overview', 'requests', 'requests/1', 'actions', 'data', 'access', 'audit']

/** Requirements for all console views, on desktops and phones. */
describe.skipIf(!hasBrowser())('the quality of the console', () => {
  const browser = useBrowser()
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    server = await startServer({ port: 0, scenario: 'agency', clock: 'frozen' })
    await server.sandbox.ready
    const [account] = server.sandbox.accounts
    const key = String(server.sandbox.keys['owner'])
    for (const path of [`${account?.id}/posts?limt=5`, '999/posts', 'accounts', 'accounts'])
      await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
    server.sandbox.control.createWorld({ name: 'mine' })
    server.sandbox.control.keepSnapshot({ name: 'middle' })
    server.sandbox.act({ type: 'fault.add', status: 502 })
  })
  afterAll(() => server?.stop())

  const open = async (
    view: string,
    options: BrowserContextOptions,
    prepare: (page: Page) => unknown = () => {},
  ) => {
    const page = await browser.newPage(options)
    await prepare(page)
    await recordShifts(page)
    await page.goto(`${server.url}/_sandbox/#${view}`)
    await page.locator('.connection.live').waitFor()
    await page.locator('main .panel').first().waitFor()
    return page
  }

  it.each(
    sizes.flatMap(([name, viewport]) => views.map((view) => [view, name, viewport] as const)),
  )('shows %s on %s without a layout shift', async (view, _, viewport) => {
    const page = await open(view, { viewport })
    const row = page.locator('#panels :is(tbody tr, .feed li, form.schema, .list li, .done)')
    await row.first().waitFor()
    expect((await readShifts(page)).total).toBeLessThanOrEqual(maxShift)
  })

  it.each(sizes)('does not move its panels on %s while requests arrive', async (_, viewport) => {
    const headers = { 'x-api-key': String(server.sandbox.keys['owner']) }
    const { sandbox } = server
    for (const view of ['overview', 'requests', 'audit']) {
      const page = await open(view, { viewport })
      await page.locator('#panels :is(tbody tr, .feed li, .list li, .done)').first().waitFor()
      const before = sandbox.requests.length
      for (let count = 1; count <= 3; count += 1) {
        await fetch(`${server.url}/v1/99${before}${count}/posts`, { headers })
        const signs = {
          overview: page.getByRole('link', { name: `GET /v1/99${before}${count}/posts` }),
          requests: page.getByRole('button', { name: `${count} new`, exact: true }),
          audit: page.getByText(/^\d+ requests of clients audited\.$/),
        }
        await signs[view as keyof typeof signs].waitFor()
      }
      const { largest } = await readShifts(page)
      expect([view, largest <= maxShift ? 'in place' : largest]).toEqual([view, 'in place'])
    }
  })

  it.each(sizes)(
    'does not move the records on %s when the list of changes arrives after them',
    async (_, viewport) => {
      const [account] = server.sandbox.accounts
      for (const amount of [10, 20, 30])
        server.sandbox.act({ type: 'tip', account_id: Number(account?.id), amount })
      const page = await open('data/transactions?since=load', { viewport }, async (opened) => {
        const records = opened.waitForResponse(/data\/transactions/)
        await opened.route(/\/changes\?/, async (route) => {
          await records
          await opened.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          )
          await route.continue()
        })
      })
      await page.getByText(/tables? changed since/).waitFor()
      await page.locator('tbody tr').first().waitFor()
      expect((await readShifts(page)).total).toBeLessThanOrEqual(maxShift)
    },
  )

  it.each(sizes)(
    'has no axe findings with open menus, dialogs and details on %s',
    async (_, viewport) => {
      const page = await open('requests/1', { viewport, reducedMotion: 'reduce' })
      const check = async (name: string) =>
        expect([name, await findAccessibilityIssues(page)]).toEqual([name, []])
      for (const tab of ['Answer', 'Request', 'Why', 'Timing']) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await check(tab)
      }
      await page.getByRole('button', { name: 'Edit and send' }).click()
      await check('Edit and send')
      await page.getByRole('button', { name: 'Close the request' }).click()
      for (const menu of [/^Scenario/, /^World/, /^Clock/]) {
        await page.getByRole('button', { name: menu }).click()
        await page.getByRole('dialog', { name: menu }).getByRole('button').first().waitFor()
        await check(String(menu))
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: /^Search/ }).fill('tag')
      await page.getByRole('option').first().waitFor()
      await check('search')
      await page.keyboard.press('Escape')
      await page.goto(`${server.url}/_sandbox/#data/posts?since=load`)
      await page.locator('tbody button').first().click()
      await page.getByRole('region', { name: /^Record / }).waitFor()
      await check('record')
      await page.goto(`${server.url}/_sandbox/#actions`)
      await page.getByText('All fields of a fault').click()
      for (const more of await page.getByText('More', { exact: true }).all())
        if (await more.isVisible()) await more.click()
      await check('forms')
    },
  )

  it.each([
    ['overview', 5],
    ['requests', 1],
    ['data', 5],
    ['audit', 5],
  ] as const)('reaches the first row of %s with at most %i Tab keys', async (view, maxTabs) => {
    const page = await open(view, { viewport: desktop })
    await page.locator('#panels :is(tbody, .feed, .list) :is(a, button)').first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const isRow = () =>
      page.evaluate(
        () => document.activeElement?.closest('#panels :is(tbody, .feed, .list)') !== null,
      )
    let tabs = 1
    while (!(await isRow()) && tabs < maxTabs) {
      await page.keyboard.press('Tab')
      tabs += 1
    }
    expect([tabs, await isRow()]).toEqual([expect.any(Number), true])
  })

  it('does not animate if the user prefers reduced motion', async () => {
    const page = await open('overview', { reducedMotion: 'reduce' })
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element)
          return animationName !== 'none' || transitionDuration !== '0s'
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    )
    expect(moving).toEqual([])
  })

  it('has at most one primary button in each panel, and right-aligns numbers', async () => {
    const page = await open('overview', { viewport: desktop })
    for (const view of views) {
      await page.goto(`${server.url}/_sandbox/#${view}`)
      await page.locator('main .panel').first().waitFor()
      const crowded = await page.evaluate(() =>
        [...document.querySelectorAll('.panel')]
          .filter(
            (panel) =>
              [...panel.querySelectorAll<HTMLElement>('button.primary')].filter(
                (button) => button.offsetParent !== null,
              ).length > 1,
          )
          .map((panel) => panel.querySelector('h2')?.textContent),
      )
      expect([view, crowded]).toEqual([view, []])
    }
    await page.goto(`${server.url}/_sandbox/#data/transactions`)
    const number = page.locator('td.number').first()
    await number.waitFor()
    expect(
      await number.evaluate((cell) => {
        const { textAlign, fontVariantNumeric } = getComputedStyle(cell)
        return [textAlign, fontVariantNumeric]
      }),
    ).toEqual(['right', 'tabular-nums'])
  })
})
