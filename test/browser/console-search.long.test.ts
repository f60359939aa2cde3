import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { desktop, useConsolePage } from '../support/console-page.ts'

/** Tests the order of the search results, and the words that the search knows. */
describe.skipIf(!hasBrowser())('search of the console', () => {
  const at = useConsolePage(desktop)
  const { ask, button, region, until, open } = at
  const results = () => at.page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  const search = async (text: string) => {
    const box = at.page.getByRole('combobox', { name: /^Search/ })
    if ((await box.count()) === 0) await at.page.keyboard.press('Control+k')
    await box.fill(text)
  }
  const startsWith = (expected: readonly RegExp[]) =>
    until(async () => {
      const texts = await results().allTextContents()
      for (const [index, pattern] of expected.entries())
        expect(texts[index] ?? 'no result', texts.join('\n')).toMatch(pattern)
    })

  it('ranks ids, then names that begin with the text, then those that contain it, then other fields', async () => {
    const { sandbox } = at.server
    const [named, within] = ['Zorander Holm', 'Olga Bozorander'].map(
      (name, index) => sandbox.make.fan({ name, username: `user${index}` }).id,
    )
    await open()
    await search('zorander')
    await startsWith([
      new RegExp(`^fans Zorander Holm.*${named}`),
      new RegExp(`^fans Olga.*${within}`),
    ])
    await search(String(named))
    await startsWith([new RegExp(`^fans Zorander Holm.*${named}`)])
    await search('user0')
    await results().filter({ hasText: 'Zorander Holm' }).getByText('username: user0').waitFor()
    await search('zorandr')
    await startsWith([/^fans (?:Zorander|Olga)/])
  })

  it('finds actions, pages and functions by their words, with a typo and with an amount', async () => {
    await open()
    for (const [text, first] of [
      ['tip', /^action Tip$/],
      ['tip 20', /^action Tip, amount 20$/],
      ['subscirber', /^action .*ubscri/],
      ['clock', /^console Move the clock$/],
      ['clokc', /^console Move the clock$/],
      ['snapshot', /^console Save or restore a state/],
      ['audit', /^console Page Audit and cost$/],
    ] as const) {
      await search(text)
      await startsWith([first])
    }
    await search('tip 20')
    await results().first().click()
    await until(() => expect(at.page.url()).toContain('#actions/tip?amount=20'))
    expect(await at.page.getByLabel(/^Amount/).inputValue()).toBe('20')
  })

  it('lists the requests with a misspelt parameter first, also while records load slowly', async () => {
    at.server.sandbox.make.fan({ name: 'Limta Berg', username: 'limt77' })
    await ask(`/v1/${at.account}/posts?limt=5`)
    await ask(`/v1/${at.account}/posts`)
    await ask('/v1/999/posts')
    await open()
    await search('limt')
    await startsWith([/^request 1: GET .*limt=5, 200ignores limt$/, /^fans Limta Berg/])
    await search('not a connected')
    await startsWith([/^request 3: GET \/v1\/999\/posts, 404Account 999 is not/])

    // Until the records are loaded, no result of another text and none with a typo is shown.
    const seen = new Set<string>()
    await at.page.route('**/data/**', async (route) => {
      for (const text of await results().allTextContents()) seen.add(text)
      await route.continue()
    })
    await open()
    await search('zorn')
    await search('limt')
    await at.page.getByText('Searching records and requests…').waitFor()
    await startsWith([/^request 1: GET /])
    expect([...seen].filter((text) => !/^(?:request 1|fans Limta)/.test(text))).toEqual([])
    await at.page.unroute('**/data/**')
  })

  it('reads each table once after a pause, and opens the first result if Enter was pressed before', async () => {
    const { id } = at.server.sandbox.make.fan({ name: 'Zorander Holm', username: 'zora' })
    await open()
    const asked: string[] = []
    at.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await at.page.keyboard.press('Control+k')
    // Types in the page, because letters from this process have pauses on a busy machine.
    await at.page.getByRole('combobox', { name: /^Search/ }).evaluate(async (field) => {
      const input = field as HTMLInputElement
      for (const letter of 'zorander') {
        input.value += letter
        input.dispatchEvent(new InputEvent('input', { bubbles: true }))
        await new Promise(requestAnimationFrame)
      }
    })
    await at.page.keyboard.press('Enter')
    await at.page.getByText('The first result opens when it is found.').waitFor()
    await until(() => expect(at.page.url()).toContain(`record=${id}`))
    expect(asked.filter((path) => path.endsWith('/data/accounts')).length).toBeLessThanOrEqual(2)
  })

  it('finds requests by words for their status, and the slow ones', async () => {
    await ask('/v1/accounts')
    await ask('/v1/999/posts')
    at.server.sandbox.act([{ type: 'fault.add', status: 502, times: 1 }])
    await ask('/v1/accounts')
    await open()
    await search('refused')
    await startsWith([
      /^status All refused requests \(4xx\)$/,
      /^request 2: GET \/v1\/999\/posts, 404$/,
    ])
    await search('failed')
    await startsWith([/^status All refused/, /^status All failed requests \(5xx\)$/])
    await results().filter({ hasText: '3: GET /v1/accounts, 502' }).waitFor()
    await search('slow')
    await startsWith([/^request \d: GET .*took \d/])
    await search('reufsed')
    await startsWith([/^status All refused requests \(4xx\)$/])
    await results().first().click()
    await until(() => expect(at.page.url()).toContain('#requests?status=4'))
  })

  it('finds routes by method, path words and summary', async () => {
    const messages = 'POST /v1/:account_id/chats/:user_id/messages'
    await open()
    for (const [text, route] of [
      ['POST messages', messages],
      ['POST message', messages],
      ['send message', messages],
      ['send a message to a fan', messages],
      ['GET chats', 'GET /v1/:account_id/chats'],
      ['chats', 'GET /v1/:account_id/chats'],
      ['mass messages', 'GET /v1/:account_id/mass-messages'],
      ['delete post', 'DELETE /v1/:account_id/posts/:post_id'],
    ] as const) {
      await search(text)
      await until(async () => {
        const texts = await results().allTextContents()
        expect(
          texts.slice(0, 2).some((each) => each.startsWith(`route ${route}: `)),
          `${text}:\n${texts.join('\n')}`,
        ).toBe(true)
      })
    }
  })

  it('counts the records that it does not list, and finds worlds', async () => {
    const { sandbox } = at.server
    for (let count = 0; count < 7; count += 1)
      sandbox.make.fan({ name: `Zorander ${count}`, username: `zor${count}` })
    sandbox.control.createWorld({ name: 'myworld' })
    await open()
    await search('zorander')
    await results().filter({ hasText: '2 more fans with “zorander”' }).click()
    await region('Data').getByText('Zorander 0').first().waitFor()
    expect(at.page.url()).toContain('#data/fans?contains=zorander')
    await open()
    await search('myworld')
    await until(async () => expect((await results().allTextContents())[0]).toBe('world myworld'))
    await results().first().click()
    await button(/^World myworld/).waitFor()
    sandbox.control.removeWorld('myworld')
  })

  it('finds requests, records, documents and functions of the console, and opens them', async () => {
    await ask('/v1/999/posts')
    await ask('/v1/accounts', 'wrong-key-1')
    const { fans, posts, messages } = at.server.sandbox.db
    const [fan, post, message] = [fans.all()[2]!, posts.all()[5]!, messages.all()[5]!]
    const choose = async (text: string, hit: string | RegExp) => {
      await open()
      await search(text)
      await at.page.getByRole('option', { name: hit }).first().click()
    }
    for (const [text, hit, place] of [
      ['401', '2: GET /v1/accounts, 401', '#requests/2'],
      ['404', 'All requests with the status 404', '#requests?status=404'],
      ['request 1', '1: GET /v1/999/posts', '#requests/1'],
      ['#2', '2: GET /v1/accounts', '#requests/2'],
      [`fan ${fan.id}`, String(fan.id), `#data/fans?record=${fan.id}`],
      ['changed', 'What changed since load', '#data?since=load'],
      [String(post.id), `posts ${post.rawText.slice(0, 20)}`, `#data/posts?record=${post.id}`],
      [String(message.id), `(${message.id})`, `#data/messages?record=${message.id}`],
      ['/tags', 'GET /v1/tags: its requests', '#requests?route=GET'],
      ['/tags', 'GET /v1/tags: its documentation', '/docs#api/GET'],
      ['permissions', 'Page Keys and accounts', '#access'],
    ] as const) {
      await choose(text, hit)
      await until(() => expect(at.page.url()).toContain(place))
    }
    await open('#requests?status=404')
    await button('GET /v1/999/posts').waitFor()
    expect(await button('GET /v1/accounts').count()).toBe(0)
    // The keyboard opens the menu, and Tab moves the focus into the menu.
    await search('clock')
    await at.page.getByRole('option', { name: 'Move the clock', selected: true }).waitFor()
    await at.page.keyboard.press('Enter')
    await button('+ 1 minute').waitFor()
    await at.page.keyboard.press('Tab')
    await until(async () =>
      expect(await at.page.evaluate(() => document.activeElement?.textContent)).toBe('+ 1 minute'),
    )
    await choose('theme', 'Colours: dark')
    await until(async () =>
      expect(await at.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark'),
    )
    await choose('theme', 'Colours: as the system')
    await choose('undo', 'Save or restore a state')
    await button('Reset agency').click()
    await button('Undo').waitFor()
    await search('undo')
    await at.page.getByRole('option', { name: /^console Undo: The scenario/ }).click()
    await at.page.getByText(/^Undid the reset/).waitFor()
  })
})
