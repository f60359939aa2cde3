import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { useConsolePage } from '../support/console-page.ts'

/** Window sizes, including a desktop at a zoom of 200 %. */
const windows = [
  { width: 720, height: 450 },
  { width: 900, height: 700 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
] as const

/** Tests the panel that shows one item of a list. */
describe.skipIf(!hasBrowser()).each(windows)('an open item at $width px', (viewport) => {
  const at = useConsolePage(viewport)
  const { ask, button, region, until, open, copied } = at
  const focused = () =>
    at.page.evaluate(() => {
      const { activeElement: element } = document
      const label = document.querySelector(`[id="${element?.getAttribute('aria-labelledby')}"]`)
      return label?.textContent ?? element?.textContent ?? ''
    })

  it('shows a request inside the window after a click far down the list, and from a link', async () => {
    for (let id = 1; id <= 40; id += 1) await ask(`/v1/${id}/posts`)
    await open('#requests')
    await button('GET /v1/1/posts').click()
    for (const place of ['', '#requests/1']) {
      if (place !== '') await open(place)
      const panel = region('Request 1')
      await panel.waitFor()
      const box = (await panel.boundingBox())!
      expect([box.y >= 0, box.y < 200]).toEqual([true, true])
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width)
      const again = (await button('Send again').boundingBox())!
      expect(again.y + again.height).toBeLessThan(viewport.height)
      await until(async () => expect(await focused()).toBe('Request 1'))
    }
    // At most a few Tab keys lead to the copies.
    for (let tabs = 0; tabs < 8; tabs += 1) {
      await at.page.keyboard.press('Tab')
      if ((await focused()) === 'curl') break
    }
    expect(await focused()).toBe('curl')
  })

  it('moves the focus into the panel, changes the request with arrow keys, and returns to its row', async () => {
    for (const path of ['tags', 'accounts', '999/posts']) await ask(`/v1/${path}`)
    await open('#requests')
    await button('GET /v1/999/posts').press('Enter')
    await until(async () => expect(await focused()).toBe('Request 3'))
    for (const [key, title] of [
      ['ArrowDown', 'Request 2'],
      ['ArrowDown', 'Request 1'],
      ['ArrowDown', 'Request 1'],
      ['ArrowUp', 'Request 2'],
    ] as const) {
      await at.page.keyboard.press(key)
      await region(title).waitFor()
      await until(async () => expect(await focused()).toBe(title))
    }
    await at.page.keyboard.press('Escape')
    await region('Request 2').waitFor({ state: 'detached' })
    await until(async () => expect(await focused()).toBe('GET /v1/accounts'))
  })

  it('copies the request as curl with C, but not with Ctrl, in a field, or outside the panel', async () => {
    await ask('/v1/tags')
    await open('#requests')
    await at.page.evaluate(() => navigator.clipboard.writeText('before'))
    await button('GET /v1/tags').press('Enter')
    await button('Copy as curl request 1').waitFor()
    await at.page.keyboard.press('Control+c')
    await button('Edit and send').click()
    await at.page.getByLabel('Path', { exact: true }).last().press('c')
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('heading', { name: 'Journal' }).click()
    await at.page.keyboard.press('c')
    expect(await copied()).toBe('before')
    await region('Request 1').focus()
    await at.page.keyboard.press('c')
    await until(async () => expect(await copied()).toMatch(/^curl .*\/v1\/tags'$/))
    await button('Copied request 1').waitFor()
  })
})
