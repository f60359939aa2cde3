import { describe, expect, it } from 'vitest'
import type { Locator } from 'playwright-core'
import { hasBrowser } from '../support/browser.ts'
import { useConsolePage } from '../support/console-page.ts'

const viewport = { width: 390, height: 844 }

/** Performs tasks by touch. Finds elements by role and label. */
describe.skipIf(!hasBrowser())('the console on a phone', () => {
  const at = useConsolePage(viewport, { scenario: 'launch-day', hasTouch: true })
  const { ask, button, region, tab, until, open } = at
  const boxOf = async (target: Locator) => (await target.boundingBox())!

  it('closes the search with a button, or by a tap outside', async () => {
    await open()
    const search = at.page.getByRole('dialog', { name: 'Search' })
    for (const close of [
      () => search.getByRole('button', { name: 'Close' }).tap(),
      () => at.page.touchscreen.tap(195, 780),
    ]) {
      await at.page.getByRole('button', { name: 'Search', exact: true }).tap()
      const input = search.getByRole('combobox', { name: /^Search/ })
      await input.fill('noa')
      await search.getByRole('option').first().waitFor()
      await input.tap()
      expect(await search.isVisible()).toBe(true)
      await close()
      await search.waitFor({ state: 'hidden' })
    }
    expect(at.page.url()).toMatch(/_sandbox\/$/)
  })

  it('shows the result and the error of an action above the tabs and the buttons', async () => {
    const expectVisible = async (text: Locator) => {
      await text.waitFor()
      const [bar, send] = [await boxOf(tab('Overview')), await boxOf(button('Send tip'))]
      await until(async () => {
        const { y, height } = await boxOf(text)
        expect(y).toBeGreaterThan(0)
        expect(y + height).toBeLessThanOrEqual(bar.y)
      })
      const { y, height } = await boxOf(text)
      const isApart = y >= send.y + send.height || y + height <= (await boxOf(button('Send tip'))).y
      expect(isApart).toBe(true)
    }
    const { id } = at.server.sandbox.db.fans.all()[0]!
    await open(`#actions/tip?fan_id=${id}&amount=20`)
    await button('Send tip').tap()
    await expectVisible(at.page.getByRole('link', { name: /^transaction / }))
    await at.page.getByLabel(/^Fan/).fill('zzz')
    await button('Send tip').tap()
    await expectVisible(at.page.getByRole('alert'))
  })

  it('deletes the requests of the world that the list shows', async () => {
    const { control } = at.server.sandbox
    const { keys } = control.createWorld({ name: 'mine' })
    await ask('/v1/tags', keys['owner'])
    await ask('/v1/accounts')
    await open('#requests?worlds=is:mine')
    const name = 'Delete all requests of the world mine'
    await button(name).tap()
    await at.page.getByRole('dialog', { name }).getByRole('button', { name }).tap()
    await at.page.getByText('No requests match.').waitFor()
    await open('#requests?worlds=all')
    await button('GET /v1/accounts').waitFor()
    expect(await button('GET /v1/tags').count()).toBe(0)
    control.removeWorld('mine')
  })

  it('shows the changes again when the user taps the selected state, and names the time of a request of the client', async () => {
    const { sandbox } = at.server
    await ask('/v1/accounts')
    const { at: asked } = sandbox.requests[0]!
    await sandbox.control.replay({ command: 'seek', to: '1m' })
    await open('#data')
    const request = button(/^Since my last request/)
    await request.getByText(asked.slice(0, 19).replace('T', ' ')).waitFor()
    await button(/^Since load/).tap()
    const changes = region('What changed')
    const count = changes.getByText(/^\d+ tables? changed since/)
    await count.waitFor()
    await button(/^Since load/).tap()
    await until(() => expect(at.page.url()).toContain('since=load'))
    await count.waitFor()
  })

  it('drops the selected state and its records when another scenario is loaded', async () => {
    const { control, db } = at.server.sandbox
    control.keepSnapshot({ name: 'mine' })
    db.tags.insert({ name: 'Later', organisation: 1 })
    await open('#data')
    await button('Since mine').tap()
    const changes = region('What changed')
    await changes.getByText('1 added, 0 changed, 0 removed').waitFor()
    await tab('Overview').tap()
    await control.loadScenario({ name: 'agency' })
    await button(/^Scenario agency/).waitFor()
    await tab('Data').tap()
    await changes.getByText('Choose a state to see which records changed').waitFor()
    control.keepSnapshot({ name: 'other' })
    await open('#data?since=other')
    await changes.getByText('No record has changed since').waitFor()
    await control.loadScenario({ name: 'launch-day' })
    await button(/^Scenario launch-day/).waitFor()
    await changes.getByText('Choose a state to see which records changed').waitFor()
    expect(await changes.getByRole('alert').count()).toBe(0)
    expect(at.page.url()).not.toContain('since=')
    for (const name of ['mine', 'other']) control.removeSnapshot(name)
  })

  it('says that a move of the clock plays the story, which can move the clock further', async () => {
    const { clock } = at.server.sandbox
    await open()
    const start = clock.now()
    await button(/^Clock/).tap()
    const menu = at.page.getByRole('dialog', { name: /^Clock/ })
    await menu.getByText('The story has steps left.').waitFor()
    await menu.getByRole('button', { name: '+ 2 hours' }).tap()
    const text =
      /^The clock shows 2026-.* UTC\. The story played \d+ actions and moved it further\.$/
    await at.page.getByText(text).waitFor()
    expect(clock.now()).toBeGreaterThan(start + 7_200_000)
    await open()
    await button(/^Clock/).tap()
    await menu.getByRole('button', { name: '+ 1 day' }).tap()
    await at.page.getByText(/^The clock shows 2026-.* UTC\.$/).waitFor()
    expect(await menu.getByText('The story has steps left.').count()).toBe(0)
  })

  it('shows whole captions', async () => {
    const { caption: text } = await at.server.sandbox.control.replay({
      command: 'seek',
      to: 'Evening rush',
    })
    expect(text!.length).toBeGreaterThan(80)
    for (const [place, prepare] of [
      ['', () => {}],
      ['', () => button('All controls and chapters').tap()],
      ['#requests', () => {}],
    ] as const) {
      await open(place)
      await prepare()
      const caption = region('Player').getByText(text!)
      await caption.waitFor()
      const isWhole = await caption.evaluate((part) => part.scrollHeight <= part.clientHeight + 1)
      expect([place, isWhole]).toEqual([place, true])
    }
  })

  it('offers targets of at least 24 px for each choice', async () => {
    await ask('/v1/accounts')
    await open('#requests/1')
    const choices = region('Request 1').getByRole('radio')
    await choices.first().waitFor()
    for (const choice of await choices.all()) {
      const { width, height } = await boxOf(choice)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
    }
    const label = await boxOf(region('Request 1').locator('label').filter({ hasText: '3' }).first())
    await at.page.touchscreen.tap(label.x + label.width - 3, label.y + label.height / 2)
    expect(await choices.nth(1).isChecked()).toBe(true)
  })

  it('shows a request in full width above the tabs, with Send and messages above them', async () => {
    await ask('/v1/accounts')
    await open('#requests')
    for (const name of ['Overview', 'Audit and cost']) {
      const box = (await tab(name).boundingBox())!
      expect(box.x + box.width).toBeLessThanOrEqual(390)
    }
    await button('GET /v1/accounts').click()
    const bar = (await tab('Overview').boundingBox())!
    const bottomOf = async (target: Locator) => {
      const box = (await target.boundingBox())!
      return box.y + box.height
    }
    expect(await bottomOf(region('Request 1'))).toBeLessThanOrEqual(bar.y + 1)
    expect(await boxOf(region('Request 1'))).toMatchObject({ x: 0, y: 0, width: 390 })
    await button('Edit and send').click()
    expect(await bottomOf(at.page.getByRole('button', { name: 'Send', exact: true }))).toBeLessThan(
      bar.y,
    )
    await button('Fail 502').click()
    const toast = at.page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
    await toast.waitFor()
    expect(await bottomOf(toast)).toBeLessThan(bar.y)
    await button('Dismiss').click()
    await toast.waitFor({ state: 'detached' })
    await tab('Actions and faults').click()
    await button('Send tip').waitFor()
    expect(await bottomOf(button('Send tip'))).toBeLessThan(bar.y + 1)
  })

  it('keeps a status on one line', async () => {
    await ask('/v1/nowhere/and/a/path/that/is/longer/than/the/line/that/a/phone/has/for/it')
    await open()
    const badges = at.page.locator('.feed .badge')
    await badges.first().waitFor()
    const isOnOneLine = await badges.evaluateAll((all) =>
      all.map((badge) => badge.getClientRects().length === 1 && badge.clientHeight < 40),
    )
    expect(isOnOneLine).not.toContain(false)
  })

  it('formats code in the help of a form as code', async () => {
    await open('#actions')
    await at.page.getByText('All fields of a fault').tap()
    const route = at.page.locator('.help code', { hasText: 'GET /v1/:account_id/posts' })
    await route.first().waitFor()
    expect(await at.page.locator('.help', { hasText: '`' }).count()).toBe(0)
  })

  it('shows a short message after a seek back, and hides it when the story plays again', async () => {
    const { sandbox } = at.server
    await open()
    const warning = at.page.locator('.remarks .warning')
    sandbox.seek('2m')
    sandbox.seek('1m')
    await warning.filter({ hasText: /Moved back from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d to/ }).waitFor()
    await at.page.getByRole('button', { name: 'Play', exact: true }).tap()
    await warning.waitFor({ state: 'detached' })
    sandbox.control.replay({ command: 'pause' })
  })
})
