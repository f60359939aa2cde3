import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { build as buildWithVite } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alias } from '../../vitest.config.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { listenOnFreePort } from '../support/server.ts'
import type { Listening } from '../support/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
}

describe.skipIf(!hasBrowser())('the example page with a service worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'browser-worker-'))
  const problems: string[] = []
  let metafile: Metafile
  let server: Listening
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    metafile = await bundle(folder)
    server = await serve(folder)
    browser = await openBrowser()
    page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${server.origin}/index.html`)
    await page.getByText(/^\d posts$/).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('lists posts', async () => {
    const texts = await page.locator('li').allTextContents()

    expect(await page.getByRole('status').textContent()).toBe(`${texts.length} posts`)
    expect(texts.length).toBeGreaterThan(2)
    expect(texts).not.toContain('')
  })

  it('shows thumbnails that can be decoded', async () => {
    const image = page.locator('img').first()
    expect(await image.getAttribute('src')).toContain('https://api.example.test/media-proxy?')

    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
    expect(
      await image.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [
        naturalWidth,
        naturalHeight,
      ]),
    ).toEqual([expect.toSatisfy(isPositive), expect.toSatisfy(isPositive)])
  })

  it('logs no errors', () => {
    expect(problems).toEqual([])
  })

  it('shows changes that the page made to the sandbox', async () => {
    await page.getByRole('button', { name: 'Lapse the session' }).click()

    await page.getByText(/^424 /).waitFor()
    expect(await page.locator('li').count()).toBe(0)
  })

  it('loads no built-in module of Node.js, and only loads media bytes on request', () => {
    expect(
      Object.values(metafile.inputs).flatMap(({ imports }) =>
        imports.map(({ path }) => path).filter(isBuiltin),
      ),
    ).toEqual([])
    const main = Object.values(metafile.outputs).find(({ entryPoint }) =>
      entryPoint?.endsWith('main.ts'),
    )
    expect(
      Object.keys(main?.inputs ?? {}).filter((input) => input.includes('media-bytes')),
    ).toEqual([])
  })
})

describe.skipIf(!hasBrowser())('a page that Vite builds', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.vite-page-'))

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('fills in templates in the language of its scenario, and loads no other data than it uses', async () => {
    writeFileSync(join(folder, 'index.html'), germanPage)
    await buildWithVite({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      resolve: { alias },
      build: { target: 'es2022', minify: false },
    })
    copyFileSync(
      join(root, 'node_modules/msw/lib/mockServiceWorker.js'),
      join(folder, 'dist/mockServiceWorker.js'),
    )
    const server = await serve(join(folder, 'dist'))
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      await page.goto(`${server.origin}/index.html`)
      await page.waitForFunction(() => document.title !== 'loading')

      expect(await page.title()).toMatch(/^200 Hallo [\p{Letter}-]+$/u)
      expect(loaded).toContainEqual(expect.stringMatching(/assets\/de-/))
      expect(loaded).not.toContainEqual(expect.stringMatching(/assets\/(cs_CZ|zu_ZA)-/))
    } finally {
      await browser.close()
      server.stop()
    }
  })
})

/** A page whose scenario has German texts. Its title is the status and text of the first post. */
const germanPage = `<!doctype html><title>loading</title><script type="module">
addEventListener('error', ({ message }) => (document.title = message))
addEventListener('unhandledrejection', ({ reason }) => (document.title = reason.message))
import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import { setupWorker } from 'msw/browser'

const sandbox = createSandbox({
  baseUrl: 'https://api.example.test',
  scenario: {
    name: 'german',
    locale: 'de',
    now: '2026-10-01T09:30:00Z',
    organisations: [
      { name: 'Agentur', roles: { owner: ['*'] }, accounts: [{ id: 7, username: 'anna', name: 'Anna' }] },
    ],
    records: { posts: [{ accountId: 7, text: 'Hallo {{location.state}}' }] },
  },
})
await setupWorker(...handlers(sandbox)).start({ onUnhandledRequest: 'bypass', quiet: true })
await sandbox.ready
const response = await fetch('https://api.example.test/v1/7/posts', {
  headers: { authorization: 'Bearer ' + sandbox.keys.owner },
})
document.title = response.status + ' ' + (await response.json()).data.list[0].rawText
</script>`

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

/** Bundles the page for browsers. Any Node.js built-in module would cause an error. */
async function bundle(folder: string): Promise<Metafile> {
  const example = join(root, 'examples/browser-worker')
  copyFileSync(join(example, 'index.html'), join(folder, 'index.html'))
  copyFileSync(
    join(root, 'node_modules/msw/lib/mockServiceWorker.js'),
    join(folder, 'mockServiceWorker.js'),
  )
  const { metafile } = await build({
    entryPoints: [join(example, 'main.ts')],
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    logLevel: 'silent',
  })
  return metafile
}

function serve(folder: string): Promise<Listening> {
  return listenOnFreePort(({ url = '/' }, response) => {
    try {
      const body = readFileSync(join(folder, new URL(url, 'http://localhost').pathname))
      const type = contentTypes[extname(url)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type }).end(body)
    } catch {
      // The page needs only its own files.
      response.writeHead(404).end()
    }
  })
}
