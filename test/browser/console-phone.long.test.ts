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

  it('names the world of a request, and returns to the list and the world it was opened from', async () => {
    const { control } = at.server.sandbox
    const { keys } = control.createWorld({ name: 'mine' })
    await ask('/v1/tags', keys['owner'])
    await ask('/v1/accounts')
    await open('#requests?worlds=all')
    const times = at.page.getByRole('cell', { name: /^\d\d:\d\d:\d\d$/ })
    await until(async () => expect(await times.count()).toBe(2))
    for (const time of await times.all()) expect(await time.isVisible()).toBe(true)
    await button('GET /v1/tags').tap()
    await region('Request 1 of the world mine').getByText('GET /v1/tags').first().waitFor()
    await button('Close the request').tap()
    await button(/^World main/).waitFor()
    await until(async () => expect(await times.count()).toBe(2))
    await open('#requests/1')
    await region('Request 1').waitFor()
    control.removeWorld('mine')
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
})
