import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** A desktop at a zoom of 200 %. */
const zoomed = { width: 720, height: 450 }

describe.skipIf(!hasBrowser())('what the console says about the sandbox', () => {
  const at = useConsolePage(desktop)
  const { ask, button, region, open, until } = at

  it('takes the selected route into the form with all fields of a fault', async () => {
    await open('#actions')
    const faults = region('Faults')
    await faults.getByRole('combobox').first().selectOption('GET /v1/accounts')
    await faults.getByText('All fields of a fault').click()
    const field = faults.getByLabel('Route route')
    await until(async () => expect(await field.inputValue()).toBe('GET /v1/accounts'))
  })

  it('lists a key that was created after the page was opened', async () => {
    await open('#access')
    await region('Keys').getByText('analyst').first().waitFor()
    at.server.sandbox.act({
      type: 'key.create',
      organisation: 1,
      role: 'reader',
      permissions: ['api_posts_list'],
    })
    await region('Keys').getByText('reader', { exact: true }).waitFor()
  })

  it('asks for the organisation of a key with a new role, and copies the key', async () => {
    await open('#access')
    await at.page.getByRole('link', { name: 'New key' }).click()
    const form = region('Actions').locator('form')
    await form.getByLabel(/^Role/).fill('posts_only')
    await form.getByLabel(/^Permissions/).fill('api_posts_*')
    await button('Create key').click()
    const complaint = at.page.getByRole('alert').filter({ hasText: 'organisation is missing' })
    expect(await complaint.textContent()).toMatch(
      /^Failed to apply key.create: .* 1 \(Northlight Management\), 2 \(/,
    )
    const wrong = at.page.locator('[aria-invalid=true]')
    expect(await wrong.evaluateAll((all) => all.map((each) => each.getAttribute('name')))).toEqual([
      'organisation',
    ])
    const organisation = form.getByLabel(/^Organisation/)
    expect(await organisation.getAttribute('aria-required')).toBe('true')
    await organisation.selectOption('Northlight Management')
    await button('Create key').click()
    await button('Copy the key').click()
    const { key } = at.server.sandbox.db.apiKeys.find({ role: 'posts_only' })!
    await until(async () => expect(await at.copied()).toBe(key))
    await at.page.getByRole('link', { name: 'All keys and accounts' }).click()
    await region('Keys').getByText('posts_only', { exact: true }).waitFor()
  })

  it('offers the stories on the stage of a scenario without one', async () => {
    await at.page.goto(`${at.server.url}/_sandbox/#stage`)
    const stage = at.page.getByRole('main', { name: 'Stage' })
    await stage.getByRole('button', { name: /^Load launch-day/ }).waitFor()
    for (const control of [stage.getByRole('slider'), stage.getByRole('button', { name: 'Play' })])
      expect(await control.count()).toBe(0)
    expect(await region('What happens').isVisible()).toBe(false)
  })

  it('undoes a move of the clock, and keeps the actions before it and before a saved state', async () => {
    at.server.sandbox.act({ type: 'tip', account_id: at.account, amount: 21 })
    at.server.sandbox.control.keepSnapshot({ name: 'after-tip' })
    await open()
    const happened = region('What happens').getByRole('listitem').filter({ hasText: '$21.00' })
    await happened.waitFor()
    const { clock } = at.server.sandbox
    const before = clock.now()
    await button(/^Clock/).click()
    await button('+ 7 days').click()
    await until(() => expect(clock.now() - before).toBe(7 * 86_400_000))
    await at.page.keyboard.press('Escape')
    await button('Undo').click()
    await at.page.getByText(/^Undid the move of the clock/).waitFor()
    expect(clock.now()).toBe(before)
    await happened.waitFor()
    await button('Scenario agency').click()
    await button(/^Go back to/)
      .first()
      .click()
    await at.page.getByText(/^Back at/).waitFor()
    await happened.waitFor()
  })

  it('names a missing key and a wrong key by one badge each', async () => {
    await ask(`/v1/${at.account}/posts?limt=5`)
    await ask('/v1/accounts', 'wrong-key-1')
    await fetch(`${at.server.url}/v1/accounts`)
    await open()
    for (const mark of ['no key', 'wrong key'])
      await region('Requests').getByText(mark, { exact: true }).waitFor()
    await open('#requests')
    const rows = region('Requests, newest first').getByRole('row')
    await rows.getByText('no key', { exact: true }).waitFor()
    await rows.getByText('wrong key', { exact: true }).waitFor()
    // The audit adds its badges later.
    await rows.getByText('ignores limt', { exact: true }).waitFor()
    expect(await rows.filter({ hasText: 'no key' }).getByText('wrong key').count()).toBe(0)
  })

  it('tells equal messages apart by their fan and time', async () => {
    const { messages, fans } = at.server.sandbox.db
    const all = messages.all()
    const text = 'a coworker told me about you'
    const message = all.find((each) => each.text.includes(text))
    await open()
    await at.page.keyboard.press('/')
    await at.page.getByRole('combobox', { name: /^Search/ }).fill(text)
    const hit = at.page.getByRole('option', { name: String(message!.id) })
    await hit.getByText(`from ${fans.get(message!.fanId)!.name.slice(0, 20)}`).waitFor()
    await hit.getByText(message!.createdAt.slice(0, 10)).waitFor()
  })

  it('says in the documents that Try it would use up a fault', async () => {
    at.server.sandbox.act([
      { type: 'fault.add', status: 502, route: 'GET /v1/:account_id/posts', times: 3 },
    ])
    await at.page.goto(`${at.server.url}/docs#api/listPosts`)
    const form = region('Try it')
    await form.getByText('This request would use up one of 3.').waitFor()
    await at.page.goto(`${at.server.url}/docs#api/listTags`)
    await form.getByText('Key of').waitFor()
    expect(await form.getByText('Active fault').count()).toBe(0)
  })

  it('shortens a long URL on the overview and in the journal', async () => {
    await ask(`/v1/accounts?${'value='.repeat(200)}`)
    await open()
    const link = region('Requests').getByRole('link', { name: /^GET \/v1\/accounts/ })
    await link.waitFor()
    expect((await link.boundingBox())!.height).toBeLessThan(60)
    await open('#requests')
    expect((await button(/^GET \/v1\/accounts/).boundingBox())!.height).toBeLessThan(60)
  })
})

describe.skipIf(!hasBrowser())('a console at a zoom of 200 %', () => {
  const at = useConsolePage(zoomed)

  it('shows all names in the header', async () => {
    await at.open()
    for (const name of ['Scenario agency', /^World main/, /^Clock/]) {
      const { cut, right } = await at.button(name).evaluate((each) => ({
        cut: each.scrollWidth - each.clientWidth,
        right: each.getBoundingClientRect().right,
      }))
      expect([name, cut, right < zoomed.width]).toEqual([name, 0, true])
    }
  })
})

describe.skipIf(!hasBrowser())('a journal that dropped requests', () => {
  const at = useConsolePage(desktop, { journalSize: 5 })

  it('says how many of the requests it stores, on each page and beyond the last one', async () => {
    for (let count = 0; count < 8; count += 1) await at.ask('/v1/accounts')
    for (const view of ['', '#requests']) {
      await at.open(view)
      await at.page.getByText('the last 5 of 8 requests in this world').waitFor()
    }
    await at.button('Export as HAR').click()
    await at.page.getByText('Exported the last 5 of 8 requests.').waitFor()
    await at.open('#requests?before=3')
    await at.page.getByText('The journal stores only the last 5 of 8 requests.').waitFor()
    expect(await at.page.getByText('Point your client at').count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser())('a console with large tables', () => {
  const at = useConsolePage(desktop, { scenario: 'large' })

  it('searches what fits, and says what it left out', async () => {
    const message = at.server.sandbox.db.messages.all().at(-1)!
    const text = message.text.replaceAll(/<[^>]*>/g, '')
    await at.open()
    await at.page.keyboard.press('/')
    await at.page.getByRole('combobox', { name: /^Search/ }).fill(text)
    await at.page
      .getByText(/^Only the newest 50,000 records were searched of: .*messages/)
      .waitFor()
    expect(await at.page.getByRole('option').count()).toBeGreaterThan(0)
    expect(await at.page.getByText('No result').count()).toBe(0)
  })
})
