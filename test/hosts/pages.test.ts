import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort, sendRaw } from '../support/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const open = async (site: { controlToken?: string } = {}) =>
  serveOnFreePort(createApp(await createFreshSandbox(), site))
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('.'))
    .toSorted()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')])

it.each([
  ['console', 75_000],
  ['reference', 50_000],
])('loads little for the page of %s: at most %i bytes', (name, most) => {
  const bytes = filesOf(join(root, 'dist', name)).reduce(
    (sum, [, text]) => sum + gzipSync(text ?? '').length,
    0,
  )
  expect(bytes).toBeLessThan(most)
})

it.each([
  ['/_sandbox', '/_sandbox/', './assets'],
  ['/docs', '/docs', 'docs/assets'],
])('serves the page %s and all its files with any mount path', async (path, address, assets) => {
  const url = await serveOnFreePort(
    express().use('/creator', createApp(await createFreshSandbox())),
  )
  const page = await fetch(`${url}/creator${path}`)
  expect([page.url, page.status, page.headers.get('content-type')]).toEqual([
    `${url}/creator${address}`,
    200,
    'text/html; charset=utf-8',
  ])
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  expect(named.map((file) => file.replace(/-[\w-]+\./, '.'))).toEqual([
    `${assets}/icon.svg`,
    `${assets}/index.js`,
    `${assets}/index.css`,
  ])
  for (const file of named) {
    const { status, headers } = await fetch(new URL(file, page.url))
    expect([status, headers.get('cache-control')], file).toEqual([
      200,
      'max-age=31536000, immutable',
    ])
  }
})

it.each([
  ['/_sandbox', '/_sandbox/'],
  ['/docs/', '/docs'],
])('redirects %s to %s, with the world', async (from, to) => {
  const url = await open()
  const { status, url: address } = await fetch(`${url}${from}?world=w1`)
  expect([status, address]).toEqual([200, `${url}${to}?world=w1`])
})

it('forbids other origins, inline code and frames with its content security policy', async () => {
  const url = await open()
  const headers = { origin: 'http://localhost:5173' }
  const pages = await Promise.all(
    ['/_sandbox/', '/docs'].map((path) => fetch(url + path, { headers })),
  )
  const [console, reference] = pages.map((page) =>
    [
      'content-security-policy',
      'x-content-type-options',
      'cross-origin-resource-policy',
      'access-control-allow-origin',
      'referrer-policy',
      'cache-control',
    ].map((name) => page.headers.get(name)),
  )
  expect(reference).toEqual(console)
  const [policy, ...others] = console ?? []
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
    expect(policy).toContain(rule)
  expect(policy).not.toMatch(/https?:|\*|unsafe|data:/)
  expect(others.slice(0, 3)).toEqual(['nosniff', 'same-origin', null])
})

it('loads the console without the token, but then shows no data', async () => {
  const url = await open({ controlToken: 'secret' })
  expect((await fetch(`${url}/_sandbox/`)).status).toBe(200)
  for (const path of ['state', 'events', 'series', 'routes', 'requests'])
    expect([path, (await fetch(`${url}/_sandbox/${path}`)).status]).toEqual([path, 401])
})

it('contains no key, because the page reads keys from the control plane', async () => {
  const sandbox = await createFreshSandbox()
  const url = await serveOnFreePort(createApp(sandbox))
  expect(await (await fetch(`${url}/docs`)).text()).not.toContain(sandbox.keys['owner'])
})

it.each([
  '/_sandbox/assets/',
  '/_sandbox/assets/../index.html',
  '/_sandbox/assets/..%2f..%2fpackage.json',
  '/_sandbox/assets/%2e%2e/index.html',
  '/_sandbox/assets/index.js',
  '/_sandbox/index.html',
  '/docs/package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs/index.html',
  '/docs/assets/',
])('returns 404 for %s', async (path) => {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
  const answer = await sendRaw(await open(), request)
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    error: path.startsWith('/docs')
      ? expect.stringContaining('The documentation is at /docs.')
      : expect.any(String),
  })
})

it.each([
  ['/_sandbox/', 'POST', '/_sandbox/', 404],
  ['/docs', 'POST', '/docs', 401],
  ['/docs', 'GET', '/docsy', 401],
])(
  'responds to HEAD %s without a body, but with no page to %s %s',
  async (page, method, path, status) => {
    const url = await open()
    const head = await fetch(url + page, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const other = await fetch(url + path, { method })
    expect([other.status, await other.json()]).toEqual([status, { error: expect.any(String) }])
  },
)
