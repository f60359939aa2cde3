import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { sizes, useConsolePage } from '../support/console-page.ts'

/** Tests where the console shows its parts, and that nothing is cut off. */
describe.skipIf(!hasBrowser()).each(sizes)('the layout of the console on %s', (size, viewport) => {
  const isPhone = size === 'a phone'
  const at = useConsolePage(viewport)
  const { ask, button, region, until, open } = at
  const boxOf = async (target: Locator) => (await target.boundingBox())!

  it('keeps the deletion of requests apart from other buttons, and names what it deletes', async () => {
    await ask('/v1/accounts')
    await open('#requests')
    await button('GET /v1/accounts').waitFor()
    const [hide, remove] = [
      await boxOf(button('Hide older')),
      await boxOf(button('Delete all requests of the world main')),
    ]
    expect(remove.y - (hide.y + hide.height)).toBeGreaterThan(100)
    await button('Delete all requests of the world main').click()
    const dialog = at.page.getByRole('dialog', { name: 'Delete all requests of the world main' })
    await dialog.getByText('Delete 1 request of the world main from the journal?').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(at.server.sandbox.requests).toHaveLength(1)
    await button('Delete all requests of the world main').click()
    await dialog.getByRole('button', { name: 'Delete all requests of the world main' }).click()
    await at.page.getByText('No requests yet.').waitFor()
    expect(await button('Delete all requests of the world main').isDisabled()).toBe(true)
  })

  it('names the empty choice of each filter and field', async () => {
    await open('#requests')
    if (isPhone) await at.page.getByText('Filters').click()
    const firstChoices = () =>
      at.page
        .locator('main select:visible')
        .evaluateAll((all) =>
          all.map((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent),
        )
    await at.page.getByRole('combobox', { name: 'Status' }).waitFor()
    expect(await firstChoices()).toEqual([
      'Status',
      'Method',
      'Account',
      'Sent by',
      'This world',
      'Route',
    ])
    await open('#actions')
    await button('Send tip').waitFor()
    expect(await firstChoices()).not.toContain('')
  })

  it('shows the requests above the plots and stories, and says what an empty plot will show', async () => {
    await open()
    const empty = region('Over sandbox time').getByText("Your client's requests appear here")
    await empty.filter({ hasText: ', with refused ones in red.' }).waitFor()
    await ask('/v1/accounts')
    await empty.waitFor({ state: 'detached' })
    const requests = await boxOf(region('Requests'))
    for (const name of ['Over sandbox time', 'Stories'])
      expect((await boxOf(region(name))).y).toBeGreaterThan(requests.y)
    // The whole list of requests is visible without scrolling.
    expect(requests.y + requests.height).toBeLessThan(viewport.height)
  })

  it('offers the scenarios with a story by their whole text, and plays the one that is loaded', async () => {
    await open()
    const stories = region('Stories').getByRole('button', { name: /^Load / })
    await until(async () => expect(await stories.count()).toBeGreaterThan(3))
    for (const story of await stories.all()) {
      const box = await boxOf(story)
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width)
      // The text of the button is its name.
      expect(await story.getAttribute('aria-label')).toBeNull()
    }
    const owner = at.server.sandbox.keys['owner']
    await button('Load launch-day: A new account takes off').click()
    // The story plays.
    await at.page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await region('Stories').waitFor({ state: 'detached' })
    expect(at.server.sandbox.keys['owner']).toBe(owner)
    await until(async () => expect(await at.page.title()).toContain('A new account takes off'))
    if (isPhone) {
      expect(await button('+10 s').isVisible()).toBe(false)
      expect(await at.page.getByRole('list', { name: 'Chapters' }).isVisible()).toBe(false)
      await button('All controls and chapters').click()
      await button('+10 s').waitFor()
      await at.page.getByRole('list', { name: 'Chapters' }).waitFor()
    }
    const { control } = at.server.sandbox
    await control.loadScenario({ name: 'agency' })
  })

  it('shows all unusual states within the width of the page', async () => {
    at.server.sandbox.act([
      { type: 'fault.add', status: 502 },
      { type: 'limits.set', minute: 5 },
      { type: 'credits.set', credits: 0 },
    ])
    await open()
    const chips = region('Unusual states').getByRole('listitem')
    await until(async () => expect(await chips.count()).toBeGreaterThan(5))
    // Reads all positions at once, because a chip is replaced when its fault is known.
    const ends = await chips.evaluateAll((all) =>
      all.map((chip) => chip.getBoundingClientRect().right),
    )
    expect(Math.max(...ends)).toBeLessThanOrEqual(viewport.width)
  })

  it('shows the changes above the records if a link asks for them', async () => {
    await open()
    await at.page.getByRole('link', { name: 'What changed since load' }).click()
    await region('What changed').getByText('No record has changed since').waitFor()
    await region('Data').getByRole('button').first().waitFor()
    expect((await boxOf(region('What changed'))).y).toBeLessThan((await boxOf(region('Data'))).y)
    const load = await boxOf(button('Since load'))
    expect(load.x + load.width).toBeLessThanOrEqual(viewport.width)
  })

  it.runIf(!isPhone)('shows the buttons of a request on two lines', async () => {
    await ask('/v1/accounts')
    await open('#requests/1')
    const tops = async (names: readonly string[]) => {
      const boxes = await Promise.all(names.map((name) => boxOf(button(name))))
      return new Set(boxes.map(({ y, height }) => Math.round(y + height / 2)))
    }
    await button('Send again').waitFor()
    const copies = ['curl', 'fetch', 'test'].map((form) => `Copy as ${form} request 1`)
    expect((await tops(['Send again', 'Edit and send', ...copies])).size).toBe(1)
    const faults = ['Fail 502', 'Fail 503', 'Fail 429', 'Time out', 'Drop', 'Break JSON']
    expect((await tops(faults)).size).toBe(1)
  })

  it('shows the filters completely while a request is open', async () => {
    await ask('/v1/accounts')
    await open(isPhone ? '#requests' : '#requests/1')
    if (isPhone) await at.page.getByText('Filters').click()
    const filters = at.page.getByRole('search').getByRole('combobox')
    const cut = await filters.evaluateAll((all) =>
      all.filter((each) => each.getBoundingClientRect().width < 120).map((each) => each.ariaLabel),
    )
    expect(cut).toEqual([])
  })
})
