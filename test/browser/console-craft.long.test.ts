import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** Tests sizes, colours and wording that all panels share. */
describe.skipIf(!hasBrowser())('the craft of the console', () => {
  const at = useConsolePage(desktop)
  const { ask, button, region, open, until } = at

  it('has a font of 14 px, controls of 28 px, and the first request within 240 px', async () => {
    await ask('/v1/accounts')
    await open('#requests')
    const row = button('GET /v1/accounts')
    await row.waitFor()
    expect((await row.boundingBox())!.y).toBeLessThanOrEqual(240)
    expect(await at.page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
      '14px',
    )
    for (const control of [at.page.getByLabel('Status'), button('Search'), button('Newest')])
      expect((await control.boundingBox())!.height).toBe(28)
    const filters = region('Journal').getByRole('search')
    expect((await filters.boundingBox())!.height).toBeLessThan(40)
  })

  it('uses red only for what was refused', async () => {
    await ask('/v1/999/posts')
    const colours = async () => {
      await button('Close the request').waitFor()
      return at.page.evaluate(() => {
        const probe = document.createElement('i')
        probe.style.color = 'var(--bad)'
        document.body.append(probe)
        const red = getComputedStyle(probe).color
        probe.remove()
        return [...document.querySelectorAll<HTMLElement>('#console *')]
          .filter((each) => getComputedStyle(each).color === red && each.childElementCount === 0)
          .map((each) => each.className)
      })
    }
    await open('#requests/1')
    await region('Request 1').getByText('Refused:').waitFor()
    for (const name of await colours()) expect(name).toMatch(/^(?:badge bad|reason|)$/)
    at.server.sandbox.act({ type: 'session.lapse', account_id: at.account })
    await open('#access')
    expect(
      await region('Accounts and sessions')
        .getByText('session lapsed')
        .first()
        .getAttribute('class'),
    ).toBe('badge warn')
  })

  it('shows in tables what a person looks for: names before ids, relative times, and amounts', async () => {
    at.server.sandbox.act({ type: 'tip', account_id: at.account, amount: 20 })
    const { accounts, transactions } = at.server.sandbox.db
    await open('#data/transactions')
    const records = region('Records of transactions')
    const row = records.getByRole('row').filter({ hasText: transactions.all().at(-1)!.id })
    const { username } = accounts.get(at.account)!
    const cell = row.getByRole('cell', { name: username, exact: true })
    await cell.waitFor()
    expect(await cell.getAttribute('title')).toBe(String(at.account))
    for (const name of ['now', '20.00'])
      await row.getByRole('cell', { name, exact: true }).first().waitFor()
    expect((await records.getByRole('columnheader').allTextContents()).slice(0, 6)).toEqual([
      'fanId',
      'amount',
      'status',
      'transaction_created_at',
      'accountId',
      'id ↓',
    ])
    const tables = at.page.getByLabel('Table').getByRole('option')
    await tables.nth(1).waitFor({ state: 'attached' })
    expect(
      (await tables.allTextContents()).slice(0, 5).map((text) => text.replace(/ .*/, '')),
    ).toEqual(['accounts', 'posts', 'fans', 'subscriptions', 'transactions'])
  })

  it('separates thousands, and writes months as words', async () => {
    at.server.sandbox.act({ type: 'credits.set', credits: 5000 })
    await open('#overview')
    await region('What happens').getByText('has 5,000 credits left').waitFor()
    await region('Over sandbox time')
      .getByText(/^\d+ Sept$/)
      .first()
      .waitFor()
  })

  it('shows the names of all tags, and opens a record or a request by a click on its row', async () => {
    await open('#data/trackingLinks')
    const links = region('Records of trackingLinks')
    const tagged = links.getByRole('cell', { name: /^[A-Z][a-z]+, [A-Z][a-z ]+$/ }).first()
    await tagged.click()
    await button('Close the record').waitFor()
    await ask('/v1/accounts')
    await open('#requests')
    await region('Requests, newest first').getByText('owner').click()
    await button('Close the request').waitFor()
    await at.page.getByText('Requests 1 to 1').waitFor()
  })

  it('links a fan to all of its payments, and filters a table by account', async () => {
    const { fanId, accountId } = at.server.sandbox.db.transactions.all()[0]!
    const { transactions } = at.server.sandbox.db
    await open(`#data/fans?record=${fanId}`)
    await at.page
      .getByRole('link', { name: / as fanId$/ })
      .first()
      .waitFor()
    await at.page.locator(`a[href*="transactions?fanId=${fanId}"]`).click()
    const ofFan = transactions.where({ fanId: fanId ?? 0 }).length
    await at.page.getByText(`1 to ${Math.min(50, ofFan)} of ${ofFan}`).waitFor()
    await button(`Only fanId ${fanId} ✕`).click()
    await region('Data')
      .getByRole('combobox', { name: /^Account/ })
      .selectOption(String(accountId))
    const ofAccount = transactions.where({ accountId }).length.toLocaleString('en')
    await at.page.getByText(`1 to 50 of ${ofAccount}`).waitFor()
  })

  it('opens the search with recent results and commands', async () => {
    await open()
    await at.page.keyboard.press('/')
    const options = at.page.getByRole('option')
    await options.filter({ hasText: 'Move the clock' }).waitFor()
    await at.page.getByRole('combobox', { name: /^Search/ }).fill('lapses')
    await at.page.getByRole('option', { name: 'Session lapses' }).first().click()
    await until(() => expect(at.page.url()).toContain('#actions/session.lapse'))
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('heading', { name: 'Actions' }).click()
    await at.page.keyboard.press('/')
    await until(async () => expect(await options.first().textContent()).toContain('Session lapses'))
  })

  it('sends the headers that the user adds in Try it', async () => {
    await at.page.goto(`${at.server.url}/docs#api/listTags`)
    const form = region('Try it')
    await form.getByText('Headers', { exact: true }).click()
    await form
      .getByLabel('Add or change, one on each line')
      .fill('X-Request-Id: 12\nauthorization: Bearer wrong-key-1')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('401').waitFor()
    const [request] = at.server.sandbox.control.requests()
    expect(request?.request.headers['x-request-id']).toBe('12')
    expect(await region('Code').textContent()).toContain('X-Request-Id: 12')
  })
})
