import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** Tests what the console shows and keeps when the world is loaded again, reset or moved. */
describe.skipIf(!hasBrowser())('worlds at the console', () => {
  const at = useConsolePage(desktop)
  const { ask, button, region, until, open } = at

  it('loads the loaded scenario with the same start and seed, and others now or with its start', async () => {
    const { control } = at.server.sandbox
    const start = '2026-10-05T08:00:00.000Z'
    await control.loadScenario({ name: 'agency', now: start, seed: 11 })
    await open()
    await button(/^Scenario agency$/).click()
    await at.page.getByText('start 2026-10-05 08:00:00 UTC, seed 11').waitFor()
    await button(/^Load agency /).click()
    await at.page.getByText('Loaded agency. It starts at 2026-10-05 08:00:00 UTC.').waitFor()
    expect(control.state()).toMatchObject({ scenario: 'agency', start, seed: 11 })

    await button(/^Scenario agency$/).click()
    await at.page.getByText('Start time', { exact: true }).click()
    await at.page.getByRole('checkbox', { name: /^Keep the start of this world/ }).check()
    await button('Load solo').click()
    await button(/^Scenario solo$/).waitFor()
    expect(control.state()).toMatchObject({ scenario: 'solo', start })

    await button(/^Scenario solo$/).click()
    await button(/^Load agency .* Starts at 2026-10-01 09:30:00 UTC/).click()
    await button(/^Scenario agency$/).waitFor()
    expect(control.state()).toMatchObject({ start: '2026-10-01T09:30:00.000Z', seed: 7 })

    await control.loadScenario({ name: 'agency', now: start })
    await open()
    await button(/^Scenario agency$/).click()
    await at.page.getByText('Start time', { exact: true }).click()
    await button('Start agency at 2026-10-01 09:30:00').click()
    await until(() => expect(control.state().start).toBe('2026-10-01T09:30:00.000Z'))
  })

  it('closes or marks an open request, record and result when the world goes back', async () => {
    const { sandbox } = at.server
    await ask('/v1/accounts')
    await open('#requests/1')
    await region('Request 1').getByText('GET /v1/accounts').first().waitFor()
    sandbox.reset()
    await region('Request 1').getByText('This request is gone.').waitFor()
    await ask('/v1/tags')
    await until(async () =>
      expect(await region('Request 1').getByText('GET /v1/tags').count()).toBe(0),
    )

    const { id } = sandbox.db.tags.insert({ name: 'Mine', organisation: 1 })
    await open(`#data/tags/${id}`)
    await region(`Record ${id} of tags`).getByText('"Mine"').waitFor()
    sandbox.reset()
    await region(`Record ${id} of tags`)
      .getByText(`No record of tags ${id} in this world.`)
      .waitFor()

    const { fanId } = sandbox.db.subscriptions.find({ accountId: at.account })!
    await open(`#actions/tip?fan_id=${fanId}&amount=20`)
    await button('Send tip').click()
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    await button(/^Scenario agency$/).click()
    await button('Reset agency').click()
    await at.page.getByText('The last result belongs to the state before that.').waitFor()
    expect(await at.page.getByRole('link', { name: /^transaction / }).count()).toBe(0)
  })

  it('counts the listed requests of all worlds', async () => {
    const { control } = at.server.sandbox
    const { keys } = control.createWorld({ name: 'mine' })
    await ask('/v1/accounts')
    for (let count = 0; count < 3; count += 1) await ask('/v1/tags', keys['owner'])
    for (const [place, count] of [
      ['#requests?worlds=all', '4 requests of all worlds'],
      ['#requests?worlds=is:mine', '3 requests of the world mine'],
      ['#requests?worlds=is:~main', '1 request of the world main'],
      ['#requests', '1 request in this world, 3 in other worlds'],
      ['', '1 request in this world, 3 in other worlds'],
    ] as const) {
      await open(place)
      const panel = region(place === '' ? 'Requests' : 'Journal')
      await panel.getByText(count, { exact: true }).waitFor()
    }
    control.removeWorld('mine')
  })

  it('lists the load and the last request before the saved states, newest first', async () => {
    const { sandbox } = at.server
    for (const { name } of sandbox.control.snapshots()) sandbox.control.removeSnapshot(name)
    await ask('/v1/accounts')
    sandbox.control.keepSnapshot({ name: 'first' })
    sandbox.control.keepSnapshot({ note: 'Before the test' })
    sandbox.db.tags.insert({ name: 'Later', organisation: 1 })
    await open('#data')
    const states = at.page.getByRole('list', { name: 'States' })
    await states.getByText('Since before the test').waitFor()
    await until(async () =>
      expect(await states.locator('strong').allTextContents()).toEqual([
        'Since load',
        'Since my last request',
        'Since before the test',
        'Since first',
      ]),
    )
    const times = /^20\d\d-.* UTC, (?:just now|\d+ min ago)$/
    expect(await states.getByText(times).count()).toBe(3)
    for (const { name } of sandbox.control.snapshots()) sandbox.control.removeSnapshot(name)
  })

  it('lists only the changes since a typed sandbox time, and names the state it compares with', async () => {
    const { sandbox } = at.server
    for (const { name } of sandbox.control.snapshots()) sandbox.control.removeSnapshot(name)
    const minutesFrom = async (minutes: number) => {
      await sandbox.clock.advance(`${minutes}m`)
      return sandbox.clock.iso().slice(0, 19).replace('T', ' ')
    }
    const start = await minutesFrom(0)
    sandbox.db.tags.insert({ name: 'Early', organisation: 1 })
    const early = await minutesFrom(5)
    sandbox.control.keepSnapshot({ name: 'first' })
    const late = await minutesFrom(10)
    sandbox.db.tags.insert({ name: 'Late', organisation: 1 })
    await minutesFrom(10)
    await open('#data')
    const form = region('What changed')
    const ask = async (text: string) => {
      await form.getByLabel('Since sandbox time, UTC').fill(text)
      await form.getByRole('button', { name: 'Show' }).click()
    }
    const status = form.getByRole('status')
    await ask('soon')
    await form.getByText(/^“soon” is not a time\. Write it like 14:02, /).waitFor()
    await ask('2099-01-01')
    await form.getByText(/^“2099-01-01” is later than the clock of the sandbox, /).waitFor()
    for (const text of [
      late.slice(11),
      late.slice(11, 16),
      late,
      `${late.replace(' ', 'T')}Z`,
      '10 minutes ago',
      '10 min',
    ]) {
      await open('#data')
      await ask(text)
      await status.getByText(`1 table changed since ${late} UTC.`).waitFor()
      await status.getByText(/Earlier values are from the saved state first \(20.* UTC, /).waitFor()
      await form.getByText('1 added, 0 changed, 0 removed').waitFor()
    }
    await ask(start.slice(11))
    await status.getByText(/Earlier values are from the load \(20/).waitFor()
    await form.getByText('2 added, 0 changed, 0 removed').waitFor()
    await ask(early)
    await form.getByText('1 added, 0 changed, 0 removed').waitFor()
    sandbox.control.removeSnapshot('first')
  })

  it('explains that a record of a link does not exist, with links to where it may be and no commands', async () => {
    const { control } = at.server.sandbox
    control.createWorld({ name: 'mine' })
    await open('#data/posts/999999')
    const record = region('Record 999999 of posts')
    await record
      .getByText(
        'No post 999999 in this world. It may have been deleted, or it may belong to ' +
          'another world.',
      )
      .waitFor()
    for (const name of ['Edit', 'Remove'])
      expect(await record.getByRole('button', { name }).count()).toBe(0)
    await record.getByRole('link', { name: 'Look in the world mine' }).click()
    await button(/^World mine/).waitFor()
    await record.getByText(/^No post 999999 in this world/).waitFor()
    await record.getByRole('link', { name: 'All posts of this world' }).click()
    await record.waitFor({ state: 'detached' })
    control.removeWorld('mine')
    await open('#data/fans/1')
    await region('Record 1 of fans')
      .getByText(/^No fan 1 in this world/)
      .waitFor()
    expect(await at.page.getByRole('link', { name: 'Send tip' }).count()).toBe(0)
  })
})
