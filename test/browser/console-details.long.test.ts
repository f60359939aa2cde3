import { startServer } from 'creator-api-sandbox/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'

const sizes = [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const

/** Tests details of the console that users missed, by role and label. */
describe.skipIf(!hasBrowser()).each(sizes)('details of the console on %s', (size, viewport) => {
  const isPhone = size === 'a phone'
  let browser: Browser
  let server: Awaited<ReturnType<typeof startServer>>
  let page: Page
  let account: number

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const ask = (path: string, key: string = String(server.sandbox.keys['owner'])) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
  const until = (check: () => void | Promise<void>) =>
    vi.waitFor(check, { timeout: 10_000, interval: 50 })
  const open = async (hash = '') => {
    await page.goto('about:blank')
    await page.goto(`${server.url}/_sandbox/${hash}`)
    await page.locator('.connection.live').waitFor()
  }
  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  beforeAll(async () => {
    browser = await openBrowser()
    server = await startServer({ port: 0, scenario: 'agency', clock: 'frozen' })
    account = server.sandbox.db.accounts.find({ connected: true })!.id
    page = await browser.newPage({ viewport })
    page.setDefaultTimeout(10_000)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  }, 60_000)
  beforeEach(() => server.sandbox.reset())
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it('marks ignored parameters in lists of all worlds and of another world', async () => {
    const { keys } = server.sandbox.control.createWorld({ name: 'mine' })
    await ask(`/v1/${account}/posts?limt=5`)
    await ask(`/v1/${account}/posts?ofset=5`, keys['owner'])
    for (const [place, marks] of [
      ['#requests?worlds=all', ['ignores limt', 'ignores ofset']],
      ['#requests?worlds=is:mine', ['ignores ofset']],
    ] as const) {
      await open(place)
      for (const mark of marks) await page.getByText(mark, { exact: true }).waitFor()
    }
    server.sandbox.control.removeWorld('mine')
  })

  it('lists a request that was sent again, keeps the filters, and says what its route ignores', async () => {
    await ask(`/v1/${account}/posts?limt=5`)
    await open('#requests/1?worlds=all')
    await region('Request 1').getByText(/limt/).first().waitFor()
    await button('Send again').click()
    await region('Request 2').getByText('The route ignores these parameters: limt.').waitFor()
    expect(page.url()).toContain('worlds=all')
    await button('Close the request').click()
    // The client and the console sent it, so there are two lines.
    await until(async () =>
      expect(await page.getByText('ignores limt', { exact: true }).count()).toBe(2),
    )
  })

  it('copies a link to the open tab of a request', async () => {
    await ask('/v1/999/posts')
    await open('#requests/1')
    await page.getByRole('tab', { name: 'Why' }).click()
    await button('Copy link').click()
    await until(async () => expect(await copied()).toMatch(/#requests\/1\?.*tab=why/))
    const link = await copied()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('tab', { name: 'Why', selected: true }).waitFor()
    await page.getByRole('tabpanel', { name: 'Why' }).getByText('account_unknown').waitFor()
  })

  it('links from the reason of a refusal to what decided it', async () => {
    const why = page.getByRole('tabpanel', { name: 'Why' })
    const { sandbox } = server
    sandbox.act([{ type: 'role.change', role: 'analyst', permissions: [] }])
    await ask(`/v1/${account}/posts`, sandbox.keys['analyst'])
    sandbox.control.faults.add({ status: 502, times: 1 })
    await ask('/v1/accounts')
    await ask(`/v1/${account}/posts?limt=5`)
    sandbox.act([{ type: 'limits.set', minute: 3 }])
    await ask('/v1/accounts')
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
      await until(() => expect(page.url()).toContain(place))
    }
  })

  it('copies a refused request with the key as the journal shows it', async () => {
    await ask('/v1/accounts', 'wrong-key-1')
    await open('#requests/1')
    await page.getByText('The journal does not store this key.').waitFor()
    await button('Copy as curl request 1').click()
    await until(async () => expect(await copied()).toContain('Bearer <unknown key, 11 characters>'))
    server.sandbox.act([{ type: 'key.create', role: 'owner' }])
    const { key } = server.sandbox.db.apiKeys.all().at(-1)!
    await ask('/v1/accounts', key)
    await open('#requests/2')
    await button('Copy as curl request 2').click()
    await until(async () => expect(await copied()).toContain(`Bearer ${key}`))
  })

  it('shows the filters whole while a request is open', async () => {
    await ask('/v1/accounts')
    await open(isPhone ? '#requests' : '#requests/1')
    if (isPhone) await page.getByText('Filters').click()
    const filters = page.getByRole('search').getByRole('combobox')
    const cut = await filters.evaluateAll((all) =>
      all.filter((each) => each.getBoundingClientRect().width < 120).map((each) => each.ariaLabel),
    )
    expect(cut).toEqual([])
  })
})
