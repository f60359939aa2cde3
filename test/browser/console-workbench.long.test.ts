import { readFileSync } from 'node:fs'
import { createSandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { startServer } from 'creator-api-sandbox/server'
import { describe, expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { hasBrowser } from '../support/browser.ts'
import { useConsolePage } from '../support/console-page.ts'

describe.skipIf(!hasBrowser())('the workbench of the console', () => {
  const at = useConsolePage({ width: 1280, height: 720 }, { scenario: 'bad-day' })
  const { addTag, ask, button, region, until, open, copied } = at
  const downloadOf = async (press: string) => {
    const [file] = await Promise.all([at.page.waitForEvent('download'), button(press).click()])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }

  it('shows the findings, JSON and pictures of a request below a small player, and can edit it, copy it and make its route fail', async () => {
    await ask(`/v1/${at.account}/posts?limit=1&colour=red`)
    await open('#requests/1')
    await at.page.locator('.warning', { hasText: 'colour' }).first().waitFor()
    expect((await region('Player').boundingBox())!.height).toBeLessThan(130)
    await at.page.getByRole('tab', { name: 'Request', exact: true }).click()
    await at.page.getByText('authorization').waitFor()
    await at.page.getByRole('tab', { name: 'Answer' }).click()
    const folded = at.page.locator('.json details:not([open]) > summary')
    await until(async () => {
      if ((await folded.count()) > 0) await folded.first().click()
      expect(await at.page.locator('.json a[target=_blank] + img').count()).toBeGreaterThan(0)
    })
    await button('Copy as curl request 1').click()
    await until(async () => expect(await copied()).toMatch(/^curl .*colour=red/))
    await button('Copy as test request 1').click()
    await until(async () => expect(await copied()).toContain('expect(response.status).toBe(200)'))
    await button('Edit and send').click()
    await at.page.locator('.editor').getByLabel('Path').fill('/v1/tags')
    await at.page.locator('.editor').getByRole('button', { name: 'Send' }).click()
    await at.page.locator('.headline', { hasText: 'GET /v1/tags' }).waitFor()
    await button('Fail 502').click()
    await at.page.getByText('The next request of GET /v1/tags fails with 502.').waitFor()
    expect((await ask('/v1/tags')).status).toBe(502)
    const har = await downloadOf('Export as HAR')
    expect(JSON.parse(har.text).log.entries.length).toBeGreaterThan(1)
    await button('Hide older').click()
    await at.page.getByText(/^Older requests are hidden/).waitFor()
  })

  it('opens a record in a drawer, with its changes, their causes and the records that it references', async () => {
    const id = await addTag('Mine')
    await open(`#data/tags?record=${id}`)
    const drawer = region(`Record ${id} of tags`)
    await drawer.getByRole('link', { name: 'POST /v1/tags' }).click()
    await at.page.getByText('Request 1', { exact: true }).waitFor()
    await at.page.goBack()
    await drawer.getByRole('button', { name: 'Edit' }).click()
    const text = drawer.getByLabel('The record as JSON')
    await text.fill((await text.inputValue()).replace('Mine', 'Yours'))
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('changed name').waitFor()
    expect(at.server.sandbox.db.tags.get(id)?.name).toBe('Yours')

    at.server.sandbox.act({ type: 'tip', account_id: at.account, amount: 20 })
    const { id: happened, ids, text: told } = at.server.sandbox.control.happenings().at(-1)!
    await open(`#data/transactions?record=${String(ids?.['transaction'])}`)
    await at.page.getByRole('link', { name: told }).click()
    await at.page.locator(`#happening-${happened}.selected`).waitFor()
  })

  it('adds and removes records, and explains why an edit is rejected', async () => {
    await open('#data/tags')
    await button('New record').click()
    const field = at.page.getByLabel(/^Fields of a record of tags/)
    await field.fill('{ "colour": 1 }')
    await button('Add').click()
    await at.page.getByRole('alert').filter({ hasText: 'colour' }).waitFor()
    await field.fill('{ "name": "By hand" }')
    await button('Add').click()
    const { id } = await vi.waitFor(
      () =>
        at.server.sandbox.db.tags.find({ name: 'By hand' }) ?? Promise.reject(new Error('not yet')),
    )
    await region(`Record ${id} of tags`).getByRole('button', { name: 'Remove' }).click()
    await until(() => expect(at.server.sandbox.db.tags.get(id)).toBeUndefined())
  })

  it('shows pictures of records without requests to the API', async () => {
    await open('#data/vaultMedia')
    const picture = at.page.locator('img.thumbnail').first()
    await until(async () =>
      expect(
        await picture.evaluate((image: HTMLImageElement) => image.naturalWidth),
      ).toBeGreaterThan(0),
    )
    expect(at.server.sandbox.requests).toEqual([])
  })

  it('saves the world as a snapshot, restores it, and saves the world as a scenario', async () => {
    await open('#data/posts')
    const snapshot = await downloadOf('Save the state as a file')
    await addTag('Later')
    await at.page.getByLabel('Restore a state from a file').setInputFiles({
      name: snapshot.name,
      mimeType: 'application/json',
      buffer: Buffer.from(snapshot.text),
    })
    await until(() => expect(at.server.sandbox.db.tags.find({ name: 'Later' })).toBeUndefined())
    const written = await downloadOf('Save as a scenario')
    await at.page.getByText(/^Saved\. The scenario does not contain:/).waitFor()
    expect(written.name).toBe('bad-day-as-it-was.yaml')
    const copy = createSandbox({ scenario: await parseScenario(written.text, written.name) })
    await copy.ready
    expect(copy.db.posts.all()).toEqual(at.server.sandbox.db.posts.all())
  })

  it('records a session, and saves it as a scenario that produces the same world when played', async () => {
    await open('#data/posts')
    await button('Reset, then record').click()
    await at.page.getByText('0 steps since').waitFor()
    await addTag('Recorded')
    await at.page.getByText('1 step since').waitFor()
    const { name, text } = await downloadOf('Stop and save')
    expect(name).toBe('recorded.yaml')
    await at.page.getByText('Saved 1 step.').waitFor()
    const replayed = createSandbox({ scenario: await parseScenario(text, name) })
    await replayed.ready
    await replayed.play({ until: '1s' })
    expect(replayed.db.tags.find({ name: 'Recorded' })).toBeDefined()
  })

  it('always shows unusual states, each with a button that ends it', async () => {
    const { sandbox } = at.server
    await open()
    const chips = region('Unusual states')
    await chips.getByText('All is as usual').waitFor()
    sandbox.act([
      { type: 'session.lapse', account_id: at.account },
      { type: 'limits.set', minute: 5 },
      { type: 'credits.set', credits: 0 },
      { type: 'fault.add', status: 502 },
      { type: 'fault.add', status: 503, route: 'GET /v1/:account_id/posts', times: 3 },
      { type: 'fault.add', delay_ms: 2_000 },
      { type: 'variation.set', seed: 3, only: ['key-order'] },
    ])
    const rows = [
      ['502, every route', 'Remove: 502, every route'],
      ['503 × 3, GET posts', 'Remove: 503 × 3, GET posts'],
      ['2 s delay, every route', 'Remove: 2 s delay, every route'],
      ['Session of', 'Restore'],
      [': 5 requests a minute', 'Allow 1,000'],
      [': no credits left', 'Give 10,000'],
      ['Responses vary: key-order', 'Stop'],
    ] as const
    for (const [text, undo] of rows)
      await chips.locator('.chip', { hasText: text }).getByRole('button', { name: undo }).click()
    await chips.getByText('All is as usual').waitFor()
    expect(sandbox.control.state().variation).toBeNull()
  })

  it('shows the routes that an overlay changes, and why the overlay cannot be removed', async () => {
    const overlay = await readOverlay({
      routes: { 'GET /v1/tags': { answer: { '$.list[*].name': { rename: 'title' } } } },
    })
    const over = await startServer({ port: 0, scenario: 'solo', overlay })
    await at.page.goto(`${over.url}/`)
    await at.page.getByText('An overlay changes 1 route').waitFor()
    expect(at.page.url()).toMatch(/\/_sandbox\/$/)
    await at.page.getByText('Why it stays').click()
    await at.page.getByText(/^GET \/v1\/tags\. It was given when the server started/).waitFor()
    await over.stop()
  })

  it('creates, forks, opens and removes isolated worlds', async () => {
    await addTag('Mine')
    await open()
    await button(/^World main/).click()
    await at.page.getByLabel('Name').fill('mine')
    await button('Fork this world').click()
    await at.page.getByRole('button', { name: 'World mine', exact: true }).waitFor()
    expect(at.server.sandbox.world('mine').db.tags.find({ name: 'Mine' })).toBeDefined()
    expect(await at.page.title()).toContain('mine')
    await at.page.getByRole('button', { name: 'World mine', exact: true }).click()
    await at.page.getByRole('navigation', { name: 'Worlds' }).getByText('main').click()
    await button(/^World main/).waitFor()
    await button(/^World main/).click()
    await button('Remove the world mine').click()
    await at.page
      .getByRole('dialog', { name: 'Remove the world mine' })
      .getByRole('button', { name: 'Remove the world mine' })
      .click()
    await until(() => expect(at.server.sandbox.control.worlds()).toEqual([]))
  })

  it('shows net revenue as in the earnings route, or gross revenue, each with a label', async () => {
    at.server.sandbox.seek('Throttled')
    await open()
    const { start } = at.server.sandbox.control.state()
    const range = new URLSearchParams({
      start_date: start,
      end_date: at.server.sandbox.clock.iso(),
    })
    await at.page.getByRole('combobox', { name: /^Account/ }).selectOption(String(at.account))
    const shown = (title: string) =>
      at.page.getByRole('img', { name: new RegExp(`^${title} revenue: \\$`) })
    const route = await ask(`/v1/${at.account}/earnings/chart?${range.toString()}`)
    const { total, gross } = ((await route.json()) as { data: { total: number; gross: number } })
      .data
    await until(async () =>
      expect(await shown('Net').getAttribute('aria-label')).toContain(`$${total.toFixed(2)}.`),
    )
    await at.page.getByRole('combobox', { name: /^Revenue/ }).selectOption('gross')
    await until(async () =>
      expect(await shown('Gross').getAttribute('aria-label')).toContain(`$${gross.toFixed(2)}.`),
    )
  })

  it('shows a preview while the timeline is dragged, and does not move the chapters', async () => {
    await open()
    const chapters = at.page.getByRole('list', { name: 'Chapters' })
    const places = () =>
      chapters
        .getByRole('button')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left))
    await chapters.getByRole('button').first().waitFor()
    const before = await places()
    const box = (await at.page.getByRole('slider', { name: 'Timeline' }).boundingBox())!
    await at.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await at.page.locator('.preview span', { hasText: 'Throttled' }).waitFor()
    await at.page.mouse.down()
    await at.page.mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 3 })
    expect(at.server.sandbox.control.replay().at_ms).toBe(0)
    await at.page.mouse.up()
    await until(() => expect(at.server.sandbox.control.replay().chapter).toBe('The session lapses'))
    expect(await places()).toEqual(before)
  })

  it('hides the controls of the stage when idle, and keeps the caption in a box of three lines', async () => {
    await open('#stage')
    await at.page.getByRole('button', { name: 'Play', exact: true }).click()
    await at.page.locator('.stage.idle').waitFor()
    const lines = await at.page.locator('.stage-caption').evaluate((box) => {
      const { lineHeight } = getComputedStyle(box)
      return Math.round(box.clientHeight / Number.parseFloat(lineHeight))
    })
    expect(lines).toBe(3)
    await at.page.mouse.move(200, 200)
    await at.page.locator('.stage:not(.idle)').waitFor()
  })

  it.each([390, 720, 1280, 1920])(
    'does not extend beyond the sides of a page of %i px',
    async (width) => {
      at.server.sandbox.seek('Throttled')
      await at.page.setViewportSize({ width, height: 844 })
      for (const view of [
        'overview',
        'requests',
        'actions',
        'data/posts',
        'access',
        'audit',
        'worlds',
        'stage',
      ]) {
        await open(`#${view}`)
        await at.page.locator('.stage-number, main .panel').first().waitFor()
        const beyond = await at.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([view, beyond]).toEqual([view, 0])
      }
      const overlap = await at.page.evaluate(() => {
        const [figures, feed] = ['.stage-figures', '.stage-feed'].map((part) =>
          document.querySelector(part)!.getBoundingClientRect(),
        )
        const plot = document.querySelector('.stage .plot')?.getBoundingClientRect()
        const caption = document.querySelector('.stage-caption')!.getBoundingClientRect()
        const controls = document.querySelector('.stage-controls')!.getBoundingClientRect()
        const isBeside = figures!.right <= feed!.left + 1 && (plot?.right ?? 0) <= feed!.left + 1
        return {
          isApart: isBeside || figures!.bottom <= feed!.top + 1,
          isFree: caption.bottom <= controls.top + 1,
        }
      })
      expect(overlap).toEqual({ isApart: true, isFree: true })
    },
  )
})
