import { request } from 'node:http'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

async function open() {
  const sandbox = await createFreshSandbox()
  return { sandbox, url: await serveOnFreePort(createApp(sandbox)) }
}

it('serves the page and all its files with any mount path', async () => {
  const url = await serveOnFreePort(
    express().use('/creator', createApp(await createFreshSandbox())),
  )
  const page = await fetch(`${url}/creator/docs`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(named.map((path) => path.replace(/-[\w-]+\./, '.'))).toEqual([
    'docs/assets/icon.svg',
    'docs/assets/index.js',
    'docs/assets/index.css',
  ])
  for (const path of named) {
    const { status, headers } = await fetch(new URL(path, page.url))
    expect([path, status, headers.get('cache-control')]).toEqual([
      path,
      200,
      'max-age=31536000, immutable',
    ])
  }
})

it('forbids other origins, inline code and frames with its content security policy', async () => {
  const { url } = await open()
  const [docs, page] = await Promise.all([fetch(`${url}/docs`), fetch(`${url}/_sandbox/`)])
  const safe = [
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'cross-origin-resource-policy',
    'cache-control',
  ]
  const headersOf = ({ headers }: Response) => safe.map((name) => headers.get(name))
  expect(headersOf(docs)).toEqual(headersOf(page))
  expect(docs.headers.get('content-security-policy')).toContain("connect-src 'self';")
})

it('contains no key, because the page reads keys from the control plane', async () => {
  const { sandbox, url } = await open()
  expect(await (await fetch(`${url}/docs`)).text()).not.toContain(sandbox.keys['owner'])
})

it('denies other origins and foreign hosts access to the page', async () => {
  const { url } = await open()
  expect(
    (await fetch(`${url}/docs`, { headers: { origin: 'https://app.example.test' } })).status,
  ).toBe(403)
  const { headers } = await fetch(`${url}/docs`, { headers: { origin: 'http://localhost:5173' } })
  expect([
    headers.get('access-control-allow-origin'),
    headers.get('cross-origin-resource-policy'),
  ]).toEqual([null, 'same-origin'])
  for (const host of ['evil.example.test', '127.0.0.1.example.test'])
    expect((await readRaw(url, '/docs', { host })).body).toContain('does not accept the host')
})

it.each([
  '/docs/package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs/index.html',
  '/docs/assets/',
])('returns 404 for %s', async (path) => {
  const { url } = await open()
  const { status, body } = await readRaw(url, path)
  expect([status, JSON.parse(body)]).toEqual([
    404,
    { error: expect.stringContaining('The documentation is at /docs.') },
  ])
})

it('responds to HEAD without a body, and passes other paths and methods to the API', async () => {
  const { url } = await open()
  const head = await fetch(`${url}/docs`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const [method, path] of [
    ['GET', '/docsy'],
    ['POST', '/docs'],
  ] as const) {
    const answer = await fetch(url + path, { method })
    expect([method, answer.status, await answer.json()]).toEqual([
      method,
      401,
      { error: expect.any(String) },
    ])
  }
})

it('redirects /docs/ to /docs, with the world', async () => {
  const { url } = await open()
  const answer = await fetch(`${url}/docs/?world=mine`)
  expect([answer.status, answer.url]).toEqual([200, `${url}/docs?world=mine`])
})

/** Sends the path unchanged. fetch would normalise the path and set its own Host header. */
function readRaw(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: string }> {
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
