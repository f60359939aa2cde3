import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../support/browser.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
}

describe.skipIf(!hasBrowser())('the example page with a service worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'browser-worker-'))
  const problems: string[] = []
  let metafile: Metafile
  let server: Server
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    metafile = await bundle(folder)
    server = await serve(folder)
    browser = await openBrowser()
    page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`)
    await page.getByText(/^\d posts$/).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
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

async function serve(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    try {
      const body = readFileSync(join(folder, new URL(url, 'http://localhost').pathname))
      response
        .writeHead(200, {
          'content-type': contentTypes[extname(url)] ?? 'application/octet-stream',
        })
        .end(body)
    } catch {
      // The page needs only its own files.
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
