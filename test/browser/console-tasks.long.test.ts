import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { sizes, useConsolePage } from '../support/console-page.ts'

/** Performs common user tasks and counts the clicks. Finds elements by role and label. */
describe.skipIf(!hasBrowser()).each(sizes)('tasks at the console on %s', (size, viewport) => {
  const isPhone = size === 'a phone'
  const at = useConsolePage(viewport)
  const { addTag, click, button, tab, ask, until, open, copied } = at

  it('shows on each page why the last request was rejected, without a click', async () => {
    await ask('/v1/999/posts')
    for (const place of ['', '#requests']) {
      await open(place)
      await at.page.getByText('Account 999 is not a connected account').first().waitFor()
    }
    expect(at.clicks).toBe(0)
  })

  it('sends the last request again in two clicks, with the same wrong key', async () => {
    await ask('/v1/accounts', 'wrong-key-1')
    await open('#requests')
    await at.page.getByText('wrong key', { exact: true }).first().waitFor()
    await click(button('GET /v1/accounts'))
    await click(button('Send again'))
    await at.page.getByText('Request 2', { exact: true }).waitFor()
    expect(at.clicks).toBe(2)
    expect(at.server.sandbox.requests[0]).toMatchObject({ status: 401, code: 'key_unknown' })
  })

  it('makes the next three requests to the same route fail in two clicks', async () => {
    await ask(`/v1/${at.account}/posts`)
    await open('#requests/1')
    await click(at.page.getByRole('radio', { name: '3' }))
    await click(button('Fail 502'))
    await until(async () => expect(at.server.sandbox.control.faults.list()).toHaveLength(1))
    expect(at.clicks).toBe(2)
    const statuses = []
    for (let turn = 0; turn < 4; turn += 1)
      statuses.push((await ask(`/v1/${at.account}/posts`)).status)
    expect(statuses).toEqual([502, 502, 502, 200])
  })

  it('advances the clock by two hours in two clicks, or with a typed duration', async () => {
    await open()
    const before = at.server.sandbox.clock.now()
    await click(button(/^Clock/))
    await click(button('+ 2 hours'))
    await until(() => expect(at.server.sandbox.clock.now() - before).toBe(7_200_000))
    expect(at.clicks).toBe(2)
    // The menu stays open after a step.
    await click(button('+ 2 hours'))
    await until(() => expect(at.server.sandbox.clock.now() - before).toBe(2 * 7_200_000))
    await at.page.keyboard.press('Escape')
    for (const [text, ms] of [
      ['2 hours', 7_200_000],
      ['1 h 30 minutes', 5_400_000],
      ['2h', 7_200_000],
    ] as const) {
      const start = at.server.sandbox.clock.now()
      await button(/^Clock/).click()
      await at.page.getByLabel('By or to').fill(text)
      await at.page.keyboard.press('Enter')
      await until(() => expect(at.server.sandbox.clock.now() - start).toBe(ms))
    }
  })

  it('sends a tip of 20 from a fan, selected by name, in three clicks, and links to the new record', async () => {
    const { fanId } = at.server.sandbox.db.subscriptions.find({ accountId: at.account })!
    const fan = at.server.sandbox.db.fans.get(fanId)!
    await open()
    await click(tab('Actions and faults'))
    await at.page.locator('input[name=fan_id]:focus').waitFor()
    await at.page.keyboard.type(fan.username)
    await click(at.page.getByRole('option', { name: String(fan.id) }))
    await at.page.keyboard.type('20')
    await click(button('Send tip'))
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    expect(at.clicks).toBe(3)
    expect(at.server.sandbox.db.transactions.find({ fanId: fan.id, amount: 20 })).toBeDefined()
  })

  it('sends a tip from the record of a fan', async () => {
    const { fanId } = at.server.sandbox.db.subscriptions.find({ accountId: at.account })!
    const fan = at.server.sandbox.db.fans.get(fanId)!
    await open(`#data/fans?record=${fan.id}`)
    await click(at.page.getByRole('link', { name: 'Send tip' }))
    await until(async () =>
      expect(await at.page.locator('input[name=fan_id]').inputValue()).toBe(
        `${fan.name} (${fan.id})`,
      ),
    )
    await at.page.locator('input[name=amount]:focus').waitFor()
    await at.page.keyboard.type('20')
    await click(button('Send tip'))
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    expect(at.clicks).toBe(2)
    expect(at.server.sandbox.db.transactions.find({ fanId: fan.id, amount: 20 })).toBeDefined()
  })

  it('lists the requests of two worlds together, and switches the world in the header', async () => {
    const { keys } = at.server.sandbox.control.createWorld({ name: 'mine' })
    await ask('/v1/accounts')
    await ask('/v1/tags', keys['owner'])
    await open()
    await click(button(/^World main \+1/))
    await click(at.page.getByRole('link', { name: 'Requests of all worlds' }))
    await at.page.getByRole('cell', { name: 'mine' }).waitFor()
    await at.page.getByRole('cell', { name: 'main' }).waitFor()
    expect(at.clicks).toBe(2)
    const cells = at.page.getByRole('cell', { name: /^(?:main|mine)$/ })
    const times = at.page.getByRole('cell', { name: /^\d\d:\d\d:\d\d$/ })
    expect(await times.count()).toBe(2)
    for (const time of await times.all()) expect(await time.isVisible()).toBe(true)
    // New requests must not move the list.
    await ask('/v1/tags', keys['owner'])
    await button('1 new').waitFor()
    expect(await cells.count()).toBe(2)
    await button('1 new').click()
    await until(async () => expect(await cells.count()).toBe(2))
    await at.page.getByText('× 2').waitFor()
    if (isPhone) await at.page.getByText('Filters').click()
    const worlds = at.page.getByRole('combobox', { name: 'Worlds' })
    await worlds.selectOption('World mine')
    await at.page.getByRole('cell', { name: 'main' }).waitFor({ state: 'detached' })
    await worlds.selectOption('All worlds')
    await at.page.getByRole('cell', { name: 'main' }).waitFor()
    await button(/^World main/).click()
    await at.page
      .getByRole('navigation', { name: 'Worlds' })
      .getByRole('link', { name: 'mine' })
      .click()
    await button(/^World mine/).waitFor()
    await until(async () => expect(await cells.count()).toBe(2))
    // Opening a request from another world switches to that world and shows the same list.
    await button('GET /v1/accounts').click()
    await button(/^World main/).waitFor()
    await at.page.getByRole('region', { name: 'Request 1 of the world main' }).waitFor()
    await button('Close the request').click()
    await button(/^World mine/).waitFor()
    await until(async () => expect(await cells.count()).toBe(2))
    at.server.sandbox.control.removeWorld('mine')
  })

  it('loads another scenario in two clicks, and undoes it', async () => {
    await open()
    await click(button('Scenario agency'))
    await click(button('Load solo'))
    await button('Scenario solo').waitFor()
    expect(at.clicks).toBe(2)
    await button('Undo').click()
    await button('Scenario agency').waitFor()
  })

  it('saves the state and returns to it, each in two clicks', async () => {
    await open()
    await click(button('Scenario agency'))
    await click(button('Save this state'))
    await at.page.getByText(/^Saved this state as \d\d:\d\d/).waitFor()
    expect(at.clicks).toBe(2)
    at.server.sandbox.db.tags.insert({ name: 'Later', organisation: 1 })
    await open()
    await click(button('Scenario agency'))
    await click(button(/^Go back to \d\d:\d\d/).first())
    await until(() => expect(at.server.sandbox.db.tags.find({ name: 'Later' })).toBeUndefined())
    expect(at.clicks).toBe(2)
    await button('Undo').click()
    await until(() => expect(at.server.sandbox.db.tags.find({ name: 'Later' })).toBeDefined())
    await button('Scenario agency').click()
    const kept = at.page.getByRole('list', { name: 'Saved states' }).getByRole('listitem')
    await kept.first().waitFor()
    const count = await kept.count()
    await kept
      .first()
      .getByRole('button', { name: /^Remove the state of/ })
      .click()
    await at.page
      .getByRole('dialog', { name: /^Remove the state of/ })
      .getByRole('button', { name: /^Remove the state of/ })
      .click()
    await until(async () => expect(await kept.count()).toBe(count - 1))
  })

  it('shows in one click what has changed since the load, the last request and a saved state', async () => {
    await addTag('First')
    at.server.sandbox.control.keepSnapshot({ name: 'middle' })
    await addTag('Second')
    await addTag('Third')
    for (const [label, count] of [
      ['Since load', 3],
      ['Since my last request', 1],
      ['Since middle', 2],
    ] as const) {
      await open('#data')
      await click(button(label).first())
      await at.page.getByText(`${count} added, 0 changed, 0 removed`).waitFor()
      expect(at.clicks).toBe(1)
    }
    await open()
    await click(at.page.getByRole('link', { name: 'What changed since load' }))
    await at.page.getByText('3 added, 0 changed, 0 removed').waitFor()
    expect(at.clicks).toBe(1)
    await ask(`/v1/${at.account}/posts`)
    await at.page.getByText('3 added, 0 changed, 0 removed').waitFor()
  })

  it('opens each of several equal requests, and adds the real time to a link without one', async () => {
    for (let count = 0; count < 3; count += 1) await ask('/v1/accounts')
    await open('#requests')
    await at.page.getByText('× 3').waitFor()
    await click(button('Show all 3 requests GET /v1/accounts'))
    await click(button('GET /v1/accounts').nth(2))
    await at.page.getByRole('region', { name: 'Request 1' }).waitFor()
    expect(at.clicks).toBe(2)
    await open('#requests/2')
    await until(() => expect(at.page.url()).toMatch(/#requests\/2\?made=20\d\d-/))
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('region', { name: 'Request 2' }).waitFor({ state: 'detached' })
    await at.page.getByRole('button', { name: 'GET /v1/accounts', exact: true }).focus()
    await at.page.keyboard.press('Enter')
    await at.page.getByRole('region', { name: 'Request 3' }).waitFor()
    await at.page.keyboard.press('Escape')
    await until(async () =>
      expect(await at.page.evaluate(() => document.activeElement?.textContent)).toContain('GET'),
    )
  })

  it('adds a fault with all fields by their labels, copies it as code, and links to its requests', async () => {
    await open('#actions')
    await click(at.page.getByText('All fields of a fault'))
    const faults = at.page.getByRole('region', { name: 'Faults' })
    const form = faults.locator('form')
    expect(await form.locator('label:visible').count()).toBe(3)
    await form.getByLabel('Route route').fill('GET /v1/:account_id/posts')
    await form.getByLabel('Status status').fill('503')
    await form.getByLabel('Number of times times').fill('2')
    for (const [name, text] of [
      ['TypeScript', 'sandbox.faults.add({"status":503,"route":"GET /v1/:account_id/posts"'],
      ['curl', "curl -X POST -H 'Content-Type: application/json' --data-raw '{"],
      ['YAML step', '- { at: 0s, do: {"type":"fault.add"'],
    ] as const) {
      await form.getByRole('button', { name: `Copy as ${name}` }).click()
      await until(async () => expect(await copied()).toContain(text))
    }
    await form.getByRole('button', { name: 'Add fault' }).click()
    await faults.getByText('answers 503, 2 more times').first().waitFor()
    await form.getByRole('link', { name: 'Requests of this route' }).click()
    await until(() => expect(at.page.url()).toContain('#requests?route=GET'))
    await open('#actions')
    await at.page.getByText('All fields of a fault').click()
    await form.getByLabel('Route route').fill('GET /v1/:account_id/post')
    await form.getByLabel('Status status').fill('503')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await form.getByRole('alert').waitFor()
    expect(
      await form
        .locator('[aria-invalid=true]')
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).name)),
    ).toEqual(['route'])
  })

  it('opens a record without moving its row, and undoes its removal', async () => {
    const { id } = at.server.sandbox.db.tags.insert({ name: 'Mine', organisation: 1 })
    await open('#data/tags')
    const row = button(String(id))
    const top = () => row.evaluate((each) => each.getBoundingClientRect().top)
    const before = await top()
    await click(row)
    const record = at.page.getByRole('region', { name: `Record ${id} of tags` })
    await record.getByText('"Mine"').waitFor()
    expect(await top()).toBe(before)
    await record.getByRole('button', { name: 'Remove' }).click()
    await until(() => expect(at.server.sandbox.db.tags.get(id)).toBeUndefined())
    await button('Undo').click()
    await until(() => expect(at.server.sandbox.db.tags.get(id)?.name).toBe('Mine'))
  })

  it.runIf(isPhone)('copies the link on a phone', async () => {
    await open('#audit')
    await click(button('More'))
    await click(button('Copy link'))
    await until(async () => expect(await copied()).toBe(at.page.url()))
    expect(at.clicks).toBe(2)
  })

  it('keeps the tabs and the buttons in place', async () => {
    await ask('/v1/accounts')
    await open('#requests/1')
    const placeOf = (target: Locator) => target.evaluate((each) => each.getBoundingClientRect().x)
    const last = button('Copy as test request 1')
    const before = await placeOf(last)
    await button('Copy as curl request 1').click()
    await button('Copied request 1').waitFor()
    expect(await placeOf(last)).toBe(before)
    await open('#requests')
    const heights = new Set<number>()
    for (const name of ['Overview', 'Requests', 'Data', 'Audit and cost']) {
      await tab(name).click()
      heights.add(await tab(name).evaluate((each) => each.getBoundingClientRect().top))
    }
    expect(heights.size).toBe(1)
  })
})
