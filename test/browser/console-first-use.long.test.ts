import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** Tests what a user of the console notices in the first hour. */
describe.skipIf(!hasBrowser())('first use of the console', () => {
  const at = useConsolePage(desktop)
  const { ask, button, region, until, open } = at

  it('shows the newest saved states, the scenarios and the last undo without scrolling', async () => {
    const { control } = at.server.sandbox
    for (let count = 0; count < 6; count += 1) control.keepSnapshot({ name: `mine-${count}` })
    await open()
    await button(/^Scenario agency$/).click()
    await button('Reset agency').click()
    await at.page.getByText('The scenario was reset.').waitFor()
    await button(/^Scenario agency$/).click()
    const menu = at.page.getByRole('dialog', { name: 'Scenario agency' })
    await menu.getByRole('list', { name: 'Saved states' }).waitFor()
    const scenarios = menu.getByRole('group', { name: 'Scenarios' }).getByRole('button')
    await scenarios.first().waitFor()
    const { y, height } = (await menu.boundingBox())!
    for (const target of [
      menu.getByRole('button', { name: /^Go back to \d\d:\d\d:\d\d: mine-5/ }),
      menu.getByRole('list', { name: 'Before the last change' }).getByText('Before the reset'),
      menu.getByText('Scenarios', { exact: true }),
      scenarios.first(),
    ]) {
      const box = (await target.boundingBox())!
      expect(box.y + Math.min(box.height, 40)).toBeLessThanOrEqual(y + height)
    }
    await menu.getByRole('searchbox', { name: 'Find a scenario' }).fill('launch')
    await scenarios.filter({ hasText: 'launch-day' }).waitFor()
    await scenarios.filter({ hasText: 'solo' }).waitFor({ state: 'detached' })
    await menu.getByRole('button', { name: /^Go back to .*Before the reset/ }).click()
    await at.page.getByText(/^Back at /).waitFor()
    for (const { name } of control.snapshots()) control.removeSnapshot(name)
  })

  it('offers the fans of the chosen account, and keeps that account', async () => {
    const { sandbox } = at.server
    const other = sandbox.db.accounts
      .all()
      .find(({ id, connected }) => connected && id !== at.account)!
    sandbox.act({ type: 'subscriber.new', account_id: at.account, name: 'Zora Berg' })
    sandbox.act({ type: 'subscriber.new', account_id: other.id, name: 'Zora Lund' })
    await open('#actions/tip')
    const form = region('Actions')
    const fan = form.getByRole('combobox', { name: /^Fan/ })
    const account = form.getByRole('combobox', { name: /^Account/ })
    const options = form.getByRole('listbox', { name: 'Records of fans' }).getByRole('option')
    // A fan selects the account until the user has chosen one.
    await fan.fill('Zora Lund')
    await options.first().click()
    await until(async () => expect(await account.inputValue()).toBe(String(other.id)))
    await form.getByText(`The account is now ${other.username}`).waitFor()
    await account.selectOption(String(at.account))
    await fan.fill('Zora')
    await until(async () =>
      expect((await options.allTextContents()).map((text) => text.slice(0, 9))).toEqual([
        'Zora Berg',
      ]),
    )
    await account.selectOption(String(other.id))
    await fan.fill('')
    await until(async () => expect(await options.count()).toBeGreaterThan(3))
    const offered = await options.allTextContents()
    expect(offered[0]).toMatch(/^Zora Lund/)
    for (const text of offered) {
      const fanId = Number(/\((\d+)\)$/.exec(text)?.[1])
      expect(sandbox.db.subscriptions.find({ fanId, accountId: other.id }), text).toBeDefined()
    }
    await options.first().click()
    expect(await account.inputValue()).toBe(String(other.id))
    await button('Send tip').click()
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    expect(await account.inputValue()).toBe(String(other.id))
  })

  it('resets an open form to the accounts of another scenario', async () => {
    const { sandbox } = at.server
    await open('#actions/tip')
    const account = region('Actions').getByRole('combobox', { name: /^Account/ })
    await account.selectOption({ index: 1 })
    await button(/^Scenario agency$/).click()
    await button('Load solo').click()
    await button(/^Scenario solo$/).waitFor()
    const first = sandbox.db.accounts.find({ connected: true })!.id
    await until(async () => expect(await account.inputValue()).toBe(String(first)))
    await button('Send tip').click()
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    await sandbox.control.loadScenario({ name: 'agency' })
  })

  it('sends a request as another role', async () => {
    const { sandbox } = at.server
    await ask('/v1/accounts')
    await open('#requests/1')
    await button('Edit and send').click()
    const role = at.page.getByLabel('Send as')
    expect(await role.locator('option').allTextContents()).toEqual([
      'as sent',
      ...Object.keys(sandbox.keys),
    ])
    await role.selectOption('analyst')
    await button('Send').last().click()
    await region('Request 2').getByText('console, as analyst').waitFor()
  })

  it('does not offer a story that the scenario does not have', async () => {
    const { sandbox } = at.server
    await open()
    const panel = region('What happens')
    await panel.getByText('No action yet.').waitFor()
    expect(await panel.getByText('Play the story').count()).toBe(0)
    await sandbox.clock.advance('1h')
    await panel.getByRole('link', { name: 'What changed', exact: true }).click()
    await region('What changed')
      .getByRole('status')
      .getByText(/changed since/)
      .waitFor()
  })

  it('marks requests that were repeated without backoff', async () => {
    const { sandbox } = at.server
    sandbox.control.faults.add({ status: 502, times: 3 })
    // Without a connection, a busy machine sends the retries immediately too.
    const headers = { authorization: `Bearer ${sandbox.keys['owner']}` }
    for (let count = 0; count < 4; count += 1)
      await sandbox.fetch(`${at.server.url}/v1/accounts`, { headers })
    await open('#requests')
    await at.page.getByText('repeated without backoff', { exact: true }).first().waitFor()
    expect(await at.page.getByText('no backoff', { exact: true }).count()).toBe(0)
  })

  it('names the records of a list of changes, with their values before and after it', async () => {
    const { sandbox } = at.server
    const fan = sandbox.make.fan({ name: 'Zorander Holm', username: 'zor' })
    const [account] = sandbox.db.accounts.all()
    sandbox.control.keepSnapshot({ name: 'before' })
    sandbox.db.fans.update(fan.id, { username: 'other' })
    const chat = sandbox.db.chats.find({ accountId: account!.id })!
    sandbox.act({
      type: 'message.from_fan',
      account_id: chat.accountId,
      fan_id: chat.fanId,
      text: 'A long hello from Zorander',
    })
    await open('#data?since=before')
    const panel = region('What changed')
    await panel.getByText('Zorander Holm').waitFor()
    await panel.getByText('username: "zor" → "other"').waitFor()
    await panel
      .locator('.fact', { hasText: `${chat.id}` })
      .getByText(/lastMessageId: .* → \d+ A long hello from Zorander/)
      .waitFor()
    sandbox.control.removeSnapshot('before')
  })
})
