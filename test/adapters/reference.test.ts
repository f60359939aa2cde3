import { request } from 'node:http'
import { createApp } from 'creator-api-sandbox/express'
import { expect, it } from 'vitest'
import { freshSandbox } from '../support/matrix.ts'
import { listen } from '../support/server.ts'

async function open() {
  const sandbox = await freshSandbox()
  return { sandbox, url: await listen(createApp(sandbox)) }
}

it('serves the page and all that it names', async () => {
  const { url } = await open()
  const page = await fetch(`${url}/docs`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const named = [...(await page.text()).matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => path)
  expect(named).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js'])
  for (const path of named) expect([path, (await fetch(`${url}/${path}`)).status]).toEqual([path, 200])
})

it('forbids the page every other origin', async () => {
  const { url } = await open()
  const policy = (await fetch(`${url}/docs`)).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/https?:|\*/)
})

it('fills in the key of the owner for loopback names alone', async () => {
  const { sandbox, url } = await open()
  const key = sandbox.keys['owner']
  expect(await (await fetch(`${url}/docs`)).text()).toContain(`data-key="${key}"`)
  expect(await readAs(url, 'localhost:4010')).toContain(`data-key="${key}"`)
  sandbox.baseUrl = 'https://api.example.test'
  expect(await readAs(url, 'api.example.test')).toContain('data-key=""')
  for (const host of ['evil.example.test', '127.0.0.1.example.test', '10.0.0.1:4010'])
    expect(await readAs(url, host)).toContain('does not answer to the host')
})

it('lets no page of another origin read it', async () => {
  const { url } = await open()
  for (const path of ['/docs', '/docs/start.js']) {
    expect((await fetch(url + path, { headers: { origin: 'https://app.example.test' } })).status).toBe(403)
    const { headers } = await fetch(url + path, { headers: { origin: 'http://localhost:5173' } })
    expect([headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')]).toEqual([null, 'same-origin'])
  }
})

it.each([
  '/docs/package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs/swagger-ui.js',
  '/docs/swagger-ui-bundle.js/',
])('answers 404 to %s', async (path) => {
  const { url } = await open()
  const { status, body } = await readRaw(url, path)
  expect([status, JSON.parse(body)]).toEqual([404, { error: expect.any(String) }])
})

it('answers HEAD without a body, and leaves other paths and methods to the API', async () => {
  const { url } = await open()
  const head = await fetch(`${url}/docs`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const [method, path] of [
    ['GET', '/docsy'],
    ['POST', '/docs'],
  ] as const) {
    const answer = await fetch(url + path, { method })
    expect([method, answer.status, await answer.json()]).toEqual([method, 401, { error: expect.any(String) }])
  }
})

it('leads from /docs/ to /docs', async () => {
  const { url } = await open()
  const answer = await fetch(`${url}/docs/?x=1`)
  expect([answer.status, new URL(answer.url).pathname]).toEqual([200, '/docs'])
})

async function readAs(url: string, host: string): Promise<string> {
  return (await readRaw(url, '/docs', { host })).body
}

/** Sends the path as it is; fetch would tidy it up, and sets the host by itself. */
function readRaw(url: string, path: string, headers: Record<string, string> = {}): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, headers, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    asking.on('error', reject)
    asking.end()
  })
}
