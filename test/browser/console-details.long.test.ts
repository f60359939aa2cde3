import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** Tests details of the console that users overlooked. Finds elements by role and label. */
describe.skipIf(!hasBrowser())('details of the console', () => {
  const at = useConsolePage(desktop)
  const { button, region, ask, until, open, copied } = at

  it('marks ignored parameters in lists of all worlds and of another world', async () => {
    const { keys } = at.server.sandbox.control.createWorld({ name: 'mine' })
    await ask(`/v1/${at.account}/posts?limt=5`)
    await ask(`/v1/${at.account}/posts?ofset=5`, keys['owner'])
    for (const [place, marks] of [
      ['#requests?worlds=all', ['ignores limt', 'ignores ofset']],
      ['#requests?worlds=is:mine', ['ignores ofset']],
    ] as const) {
      await open(place)
      for (const mark of marks) await at.page.getByText(mark, { exact: true }).waitFor()
    }
    at.server.sandbox.control.removeWorld('mine')
  })

  it('lists a request that was sent again, keeps the filters, and reports what its route ignores', async () => {
    await ask(`/v1/${at.account}/posts?limt=5`)
    await open('#requests/1?worlds=all')
    await region('Request 1 of the world main').getByText(/limt/).first().waitFor()
    await button('Send again').click()
    await region('Request 2 of the world main')
      .getByText('The route ignores these parameters: limt.')
      .waitFor()
    expect(at.page.url()).toContain('worlds=all')
    await button('Close the request').click()
    // Both the client and the console sent the request, so there are two lines.
    await until(async () =>
      expect(await at.page.getByText('ignores limt', { exact: true }).count()).toBe(2),
    )
  })

  it('copies a link to the open tab of a request', async () => {
    await ask('/v1/999/posts')
    await open('#requests/1')
    await at.page.getByRole('tab', { name: 'Why' }).click()
    await button('Copy link').click()
    await until(async () => expect(await copied()).toMatch(/#requests\/1\?.*tab=why/))
    const link = await copied()
    await at.page.goto('about:blank')
    await at.page.goto(link)
    await at.page.getByRole('tab', { name: 'Why', selected: true }).waitFor()
    await at.page.getByRole('tabpanel', { name: 'Why' }).getByText('account_unknown').waitFor()
  })

  it('names the roles that may send a refused request, and links from an error to its causes', async () => {
    const why = at.page.getByRole('tabpanel', { name: 'Why' })
    const { sandbox } = at.server
    sandbox.act([{ type: 'role.change', role: 'analyst', permissions: [] }])
    await ask(`/v1/${at.account}/posts`, sandbox.keys['analyst'])
    sandbox.control.faults.add({ status: 502, times: 1 })
    await ask('/v1/accounts')
    await ask(`/v1/${at.account}/posts?limt=5`)
    sandbox.act([{ type: 'limits.set', minute: 3 }])
    await ask('/v1/accounts')
    await open('#requests/1')
    await region('Request 1')
      .getByText(/Refused: The role analyst .* (?:role|roles) .*owner/)
      .waitFor()
    for (const [id, link, place] of [
      [1, 'Change the role', '#actions/role.change?role=analyst'],
      [1, 'Permissions of each key', '#access'],
      [1, 'permission_missing', '#guides/errors/codes'],
      [2, 'fault 1', '#actions/fault.add'],
      [2, 'GET /v1/accounts', '/docs#api/'],
      [3, 'Rule ignored-parameter', '#audit/ignored-parameter'],
      [4, 'Set the limits', '#actions/limits.set'],
      [4, /^…/, '#access'],
    ] as const) {
      await open(`#requests/${id}?tab=why`)
      await why.getByRole('link', { name: link, exact: true }).click()
      await until(() => expect(at.page.url()).toContain(place))
    }
  })

  it('copies a rejected request with the key as shown in the journal', async () => {
    await ask('/v1/accounts', 'wrong-key-1')
    await open('#requests/1')
    await at.page.getByText('The journal does not store this key.').waitFor()
    await button('Copy as curl request 1').click()
    await until(async () => expect(await copied()).toContain('Bearer unknown-key-11-characters'))
    at.server.sandbox.act([{ type: 'key.create', role: 'owner' }])
    const { key } = at.server.sandbox.db.apiKeys.all().at(-1)!
    await ask('/v1/accounts', key)
    await open('#requests/2')
    await button('Copy as curl request 2').click()
    await until(async () => expect(await copied()).toContain(`Bearer ${key}`))
  })

  it('lets the user name a state, says how old it is, and lists saved states before automatic ones', async () => {
    await open()
    await button('Scenario agency').click()
    await at.page.getByLabel('Name', { exact: true }).fill('Before the import')
    await button('Save this state').click()
    await at.page.getByText(/^Saved this state as .*: Before the import\.$/).waitFor()
    for (let turn = 0; turn < 4; turn += 1) at.server.sandbox.control.keepSnapshot()
    at.server.sandbox.db.tags.insert({ name: 'Later', organisation: 1 })
    await open('#data')
    await button('Since Before the import').click()
    await at.page.getByText('1 added, 0 changed, 0 removed').waitFor()
    await open()
    await button('Scenario agency').click()
    const kept = at.page.getByRole('list', { name: 'Saved states' })
    await kept
      .getByText(/Saved just now, scenario agency/)
      .first()
      .waitFor()
    expect(await kept.getByRole('listitem').count()).toBe(1)
    const automatic = (name: string) => at.page.getByRole('list', { name }).getByRole('listitem')
    expect(await automatic('Before the last change').count()).toBe(1)
    await at.page.getByText('More states').click()
    expect(await automatic('Before earlier changes').count()).toBe(3)
    await kept.getByRole('button', { name: /^Go back to .*: Before the import/ }).click()
    await until(() => expect(at.server.sandbox.db.tags.find({ name: 'Later' })).toBeUndefined())
    at.server.sandbox.control.removeSnapshot('saved-1')
  })

  it('offers one Undo at a time, while it can be applied, and reports what it undid', async () => {
    const { sandbox } = at.server
    const undo = at.page.getByRole('button', { name: 'Undo', exact: true })
    await at.page.clock.install()
    await ask('/v1/accounts')
    await open('#requests/1')
    await button('Fail 502').click()
    await undo.waitFor()
    await button('Fail 429').click()
    await at.page.getByText('The next request of GET /v1/accounts fails with 429.').waitFor()
    expect(await undo.count()).toBe(1)
    await undo.click()
    await at.page.getByText('Removed the fault: GET /v1/accounts answers normally.').waitFor()
    expect(sandbox.control.faults.list()).toHaveLength(1)
    await ask('/v1/accounts')
    await button('Fail 502').click()
    await undo.waitFor()
    // Triggers the fault. After that, the creation of the fault can no longer be undone.
    await ask('/v1/accounts')
    await undo.waitFor({ state: 'detached' })
    const { id } = sandbox.db.tags.insert({ name: 'Mine', organisation: 1 })
    const sent: string[] = []
    at.page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await open()
    await button('Scenario agency').click()
    await button('Reset agency').click()
    await until(() => expect(sandbox.db.tags.get(id)).toBeUndefined())
    await undo.click()
    await at.page.getByText(/^Undid the reset\. The world is back at .* UTC in agency/).waitFor()
    expect(sandbox.db.tags.get(id)?.name).toBe('Mine')
    // The world is too large for a single snapshot.
    expect(sent).not.toContain('/_sandbox/snapshot')
    at.page.removeAllListeners('request')
    expect(sandbox.control.snapshots().map(({ note }) => note)).not.toContain('Before the reset')
    sandbox.act([{ type: 'fault.add', status: 502 }])
    await button(/^Remove/).click()
    await undo.waitFor()
    await at.page.clock.fastForward(2_000)
    sandbox.reset()
    await undo.waitFor({ state: 'detached' })
    sandbox.act([{ type: 'fault.add', status: 502 }])
    await button(/^Remove/).click()
    await undo.click()
    await until(() => expect(sandbox.control.faults.list()).toHaveLength(1))
  })

  it('explains an unknown name in a form, accepts a complete name, and suggests whole-word matches first', async () => {
    const { sandbox } = at.server
    // A fan of another account than the initial selection of the form.
    const other = sandbox.db.accounts.all().findLast(({ connected }) => connected)!.id
    sandbox.act({ type: 'subscriber.new', account_id: other, name: 'Anna Berg' })
    sandbox.act({ type: 'subscriber.new', account_id: at.account, name: 'Hannah Lund' })
    sandbox.make.fan({ name: 'Nils Neu', username: 'neu77' })
    await open('#actions/tip')
    const form = region('Actions').locator('form')
    await form.getByRole('combobox', { name: /^Fan/ }).fill('Nobody Atall')
    await form.getByLabel(/^Amount/).fill('20')
    await button('Send tip').click()
    await form.getByText('No fan has the name "Nobody Atall".').waitFor()
    expect(await form.locator('[aria-invalid=true]').getAttribute('name')).toBe('fan_id')
    await form.getByRole('combobox', { name: /^Fan/ }).fill('anna')
    const options = at.page.getByRole('listbox', { name: 'Records of fans' }).getByRole('option')
    await options.filter({ hasText: 'Anna Berg' }).waitFor()
    const names = await options.allTextContents()
    const hannah = names.findIndex((name) => name.includes('Hannah Lund'))
    expect(names.findIndex((name) => name.includes('Anna Berg'))).toBeLessThan(
      hannah === -1 ? names.length : hannah,
    )
    expect(names[0]).toMatch(/\banna/i)
    await form.getByRole('combobox', { name: /^Fan/ }).fill('anna berg')
    await form.getByLabel(/^Amount/).click()
    await button('Send tip').click()
    await at.page.getByRole('link', { name: /^transaction / }).waitFor()
    expect(sandbox.db.transactions.all().at(-1)).toMatchObject({ accountId: other, amount: 20 })
    await form.getByRole('combobox', { name: /^Fan/ }).fill('nils neu')
    await form.getByLabel(/^Amount/).click()
    await button('Send tip').click()
    await form.getByText(/^This fan has no subscription/).waitFor()
  })

  it('shows new requests after older ones were hidden and the journal was cleared', async () => {
    await ask('/v1/accounts')
    await open('#requests')
    await button('GET /v1/accounts').waitFor()
    await button('Hide older').click()
    await button('GET /v1/accounts').waitFor({ state: 'detached' })
    at.server.sandbox.control.clearRequests()
    await ask('/v1/tags')
    await button('GET /v1/tags').waitFor()
  })

  it('reports that the request of an old link is no longer in the journal', async () => {
    await ask('/v1/accounts')
    await open('#requests')
    await button('GET /v1/accounts').click()
    await region('Request 1').waitFor()
    const link = at.page.url()
    at.server.sandbox.control.clearRequests()
    await ask('/v1/tags')
    await at.page.goto('about:blank')
    await at.page.goto(link)
    await at.page.getByText('This request is gone').waitFor()
  })

  it('reports that a page, an action, a state or a table of a link does not exist', async () => {
    for (const [place, text] of [
      ['#data/pots', /pots/],
      ['#actions/tipp', 'No action tipp.'],
      ['#data?since=gone', /Failed to find the snapshot .*it does not exist/],
      ['#overview/999', 'Action 999 is older than the list.'],
      ['#nowhere', 'There is no page “nowhere”. This is the overview.'],
    ] as const) {
      await open(place)
      await at.page.getByText(text).first().waitFor()
    }
  })
})
