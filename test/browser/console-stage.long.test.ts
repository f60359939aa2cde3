import type { BrowserContextOptions, Page } from 'playwright-core'
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { startServer } from 'creator-api-sandbox/server'
import { describe, expect, it } from 'vitest'
import { findAccessibilityIssues } from '../support/accessibility.ts'
import { hasBrowser, readShifts, recordShifts, until, useBrowser } from '../support/browser.ts'
import { serveOnFreePort } from '../support/server.ts'

const stories = ['launch-day', 'viral-post', 'agency-morning', 'bad-day', 'quarter-close'] as const

describe.skipIf(!hasBrowser())('the stage and the tabs of the console', () => {
  const browser = useBrowser()

  const serve = async (scenario: string) => {
    const sandbox = createSandbox({ scenario: scenario as 'solo' })
    await sandbox.ready
    return { sandbox, origin: await serveOnFreePort(createApp(sandbox)) }
  }
  const open = async (
    address: string,
    options: BrowserContextOptions = { viewport: { width: 1280, height: 720 } },
  ) => {
    const page = await browser.newPage(options)
    await recordShifts(page)
    await page.goto(address)
    return page
  }

  it.each(stories)(
    'keeps its layout while %s plays, and shows the main figure and the captions',
    async (scenario) => {
      const { sandbox, origin } = await serve(scenario)
      const page = await open(`${origin}/_sandbox/#stage`)
      await page.locator('.stage-number').waitFor()
      const before = (await readShifts(page)).total
      await sandbox.play({ speed: sandbox.control.replay().duration_ms / 5_000 })
      const { caption, watch } = sandbox.control.replay()
      await until(async () =>
        expect(await page.locator('.stage-caption').textContent()).toBe(caption),
      )
      await until(async () =>
        expect(
          Number((await page.locator('.stage-number').textContent())?.replace(/[$,]/g, '')),
        ).toBe(watch[0]?.value),
      )
      expect((await readShifts(page)).total - before).toBeLessThan(0.02)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // Waits until the contrast is sufficient, because elements have low contrast while they
        // fade or change colour.
        await until(async () => {
          await waitForAnimations(page)
          expect(await findAccessibilityIssues(page)).toEqual([])
        })
      }
    },
    90_000,
  )

  it("shows the next chapters at the start, and then payments with the creator's share", async () => {
    const { sandbox, origin } = await serve('launch-day')
    const page = await open(`${origin}/_sandbox/#stage`)
    const feed = page.getByRole('region', { name: 'What happens' })
    const next = feed.getByText('Next: First claims')
    await next.waitFor()
    const share = (await next.boundingBox())!.width / (await feed.boundingBox())!.width
    expect(share).toBeGreaterThan(0.5)
    await sandbox.control.replay({ command: 'seek', to: '34s' })
    await feed.getByText('Ida Holm subscribed through').waitFor()
    const event = feed.getByRole('listitem').filter({ hasText: 'Ida Holm subscribed through' })
    // The amount includes the VAT that the fan paid.
    expect(await event.textContent()).toContain('$8.99 − $1.17 tax − $1.80 fee = $6.02 yours')
    const { ids } = sandbox.control.happenings().findLast(({ type }) => type === 'link.claim')!
    expect(sandbox.db.transactions.get(String(ids?.['transaction']))).toMatchObject({
      amount: 8.99,
      vat_amount: 1.17,
      fee: 1.8,
      net: 6.02,
    })
  })

  it('shows the requests of clients on the stage', async () => {
    const { sandbox, origin } = await serve('launch-day')
    const page = await open(`${origin}/_sandbox/#stage`)
    const headers = { authorization: `Bearer ${sandbox.keys.owner}` }
    const ask = (path: string) => fetch(`${origin}${path}`, { headers })
    await ask('/v1/accounts')
    const feed = page.getByRole('region', { name: 'What happens' })
    await feed.getByText('Next: First claims').waitFor()
    expect(await feed.textContent()).not.toContain('Your client')
    await page.getByRole('button', { name: 'Requests' }).click()
    await feed.getByText('Your client: GET …/accounts').waitFor()
    await ask('/v1/401200300/posts/999999')
    const refused = feed.getByRole('listitem').filter({ hasText: 'GET …/posts/…, Post 999999' })
    await refused.getByText('404').waitFor()
    expect(page.url()).toContain('#stage?requests=1')
    await waitForAnimations(page)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('r')
    await refused.waitFor({ state: 'detached' })
  })

  it('reads the data of the plots once per view, and again if there is new data', async () => {
    const sandbox = createSandbox({ scenario: 'solo', clock: 'running' })
    await sandbox.ready
    const origin = await serveOnFreePort(createApp(sandbox))
    const page = await open('about:blank')
    const reads: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // The requests of the last minutes have their own plot.
      if (pathname.endsWith('/series') && searchParams.get('span') !== '15m')
        reads.push(request.url())
    })
    await page.goto(`${origin}/_sandbox/`)
    await page.getByRole('img', { name: /^Subscribers/ }).waitFor()
    const clock = page.locator('header time').first()
    for (let second = 0; second < 4; second += 1) {
      const before = await clock.textContent()
      await until(async () => expect(await clock.textContent()).not.toBe(before))
    }
    expect(reads).toHaveLength(1)
    await page.getByRole('combobox', { name: /^Time/ }).selectOption('7d')
    await until(() => expect(reads).toHaveLength(2))
    sandbox.act({ type: 'tip', amount: 20 })
    await until(() => expect(reads).toHaveLength(3))
    sandbox.clock.advance('1d')
    await until(() => expect(reads.length).toBeGreaterThan(3))
  })

  it('can be controlled with only the keyboard', async () => {
    const { sandbox, origin } = await serve('launch-day')
    const page = await open(`${origin}/_sandbox/`)
    await page.getByText('Live').waitFor()
    await page.keyboard.press('f')
    await page.locator('.stage-number').waitFor()
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'PageUp']) await page.keyboard.press(key)
    await until(() => expect(sandbox.control.replay().chapter).toBe('First tips'))
    await page.keyboard.press('Space')
    await until(() => expect(sandbox.control.replay().status).toBe('playing'))
    await page.keyboard.press('Space')
    await until(() => expect(sandbox.control.replay().status).toBe('paused'))
    await page.keyboard.press('2')
    await until(() => expect(sandbox.control.replay().chapter).toBe('First claims'))
    await page.keyboard.press('s')
    await until(() => expect(sandbox.control.replay().speed).toBe(2))
    await page.getByRole('button', { name: '5×' }).click()
    await until(() => expect(sandbox.control.replay().speed).toBe(5))
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('The next chapter').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('shares one event stream between eight tabs, and moves it to another tab when its tab is closed', async () => {
    const { sandbox, origin } = await serve('solo')
    const pages = await browser.newPages(8)
    for (const page of pages) {
      await page.goto(`${origin}/_sandbox/`)
      await page.getByText('Live').waitFor()
    }
    const saysIt = (text: string, from: number) => {
      sandbox.act({ type: 'note', text })
      return Promise.all(
        pages
          .slice(from)
          .map((page) => page.locator('.caption', { hasText: text }).first().waitFor()),
      )
    }
    await saysIt('To all tabs.', 0)
    await pages[0]?.close()
    await saysIt('To those that are left.', 1)
  })

  it('shows that a world does not exist, and creates it on request', async () => {
    const { sandbox, origin } = await serve('solo')
    const page = await open(`${origin}/_sandbox/?world=mine`)
    for (let turn = 0; turn < 2; turn += 1) {
      await page.getByText('No world mine').waitFor()
      expect(sandbox.control.worlds()).toEqual([])
      await page.getByRole('button', { name: 'Create it' }).click()
      await page.getByText('Live').waitFor()
      if (turn === 0) sandbox.control.removeWorld('mine')
    }
    expect(sandbox.control.worlds().map(({ id }) => id)).toEqual(['mine'])
  })

  it('reconnects to a restarted server, and removes the error message', async () => {
    const first = await startServer({ port: 0, scenario: 'launch-day' })
    const page = await open(`${first.url}/_sandbox/`)
    await page.getByText('Live').waitFor()
    await first.stop()
    await page.getByText('Connection lost, trying again').waitFor()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    // A panel that reloads at the same time also shows the message.
    const complaint = page.locator('.problem', {
      hasText: 'The sandbox does not respond. Check that the server is still running.',
    })
    await complaint.waitFor()
    const second = await startServer({
      port: Number(new URL(first.url).port),
      scenario: 'launch-day',
    })
    await page.getByText('Live').waitFor()
    await complaint.waitFor({ state: 'detached' })
    await second.stop()
  })

  it('keeps the position of journal rows, and keeps filters and selection after a reload', async () => {
    const { sandbox, origin } = await serve('solo')
    sandbox.act({ type: 'limits.set', minute: 1_000_000 })
    const headers = { authorization: `Bearer ${sandbox.keys.owner}` }
    const ask = (path: string) => sandbox.fetch(sandbox.baseUrl + path, { headers })
    for (let count = 0; count < 10_000; count += 1) await ask(`/v1/tags?offset=${count}`)
    const page = await open(`${origin}/_sandbox/#requests`)
    const rows = page.locator('.requests tbody tr')
    await until(async () => expect(await rows.count()).toBe(100))
    const before = (await readShifts(page)).total
    for (let count = 0; count < 12; count += 1) await ask(`/v1/nowhere/${count}`)
    await page.getByRole('button', { name: '12 new' }).waitFor()
    expect(await rows.first().textContent()).toContain('/v1/tags')
    expect((await readShifts(page)).total - before).toBeLessThan(0.02)
    await page.getByRole('button', { name: '12 new' }).click()
    await page.getByLabel('Status').selectOption('4')
    await until(async () => expect(await rows.count()).toBe(12))
    await rows.first().getByRole('button').click()
    await page.locator('.refusal').waitFor()
    const address = page.url()
    expect(address).toMatch(/#requests\/10012\?(?:.*&)?status=4(?:&|$)/)
    await page.reload()
    await page.locator('.refusal').waitFor()
    expect([page.url(), await page.getByLabel('Status').inputValue()]).toEqual([address, '4'])
    await page.getByRole('navigation').getByRole('link', { name: 'Data' }).click()
    await page.goBack()
    await page.locator('.refusal').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Request 10,013').waitFor()
    await page.getByText('console, as owner').waitFor()
  })

  it('does not use more memory after three hours of sandbox time at speed 1,000', async () => {
    const { sandbox, origin } = await serve('viral-post')
    const page = await open(`${origin}/_sandbox/`)
    await page.getByText('Live').waitFor()
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    const before = await nodes()
    sandbox.control.replay({ command: 'play', speed: 1_000, loop: true })
    // Three hours of the story take 11 s of real time.
    await page.waitForTimeout(11_000)
    sandbox.control.replay({ command: 'pause' })
    expect(await nodes()).toBeLessThan(before + 3_000)
  })
})

/** Waits until colour transitions have finished. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))),
  )
}
