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
  ['console', 150_000],
  ['reference', 60_000],
])('loads little for the page of %s: at most %i bytes', (name, most) => {
  const bytes = filesOf(join(root, 'dist', name)).reduce(
    (sum, [, text]) => sum + gzipSync(text ?? '').length,
    0,
  )
  expect(bytes).toBeLessThan(most)
})

it('serves the page and all its files with any mount path', async () => {
  const url = await serveOnFreePort(
    express().use('/creator', createApp(await createFreshSandbox())),
  )
  const page = await fetch(`${url}/creator/_sandbox`)
  expect([page.url, page.status, page.headers.get('content-type')]).toEqual([
    `${url}/creator/_sandbox/`,
    200,
    'text/html; charset=utf-8',
  ])
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(named.map((path) => path.replace(/-[\w-]+\./, '.'))).toEqual([
    './assets/icon.svg',
    './assets/index.js',
    './assets/index.css',
  ])
  for (const path of named) {
    const { status, headers } = await fetch(new URL(path, page.url))
    expect([path, status, headers.get('cache-control')]).toEqual([
      path,
      200,
      'max-age=31536000, immutable',
    ])
  }
  expect((await fetch(`${url}/creator/_sandbox?world=w1`)).url).toBe(
    `${url}/creator/_sandbox/?world=w1`,
  )
})

it('forbids other origins, inline code and frames with its content security policy', async () => {
  const { headers } = await fetch(`${await open()}/_sandbox/`)
  const policy = headers.get('content-security-policy')
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
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

it('loads without the token, but then shows no data', async () => {
  const url = await open({ controlToken: 'secret' })
  expect((await fetch(`${url}/_sandbox/`)).status).toBe(200)
  for (const path of ['state', 'events', 'series', 'routes', 'requests'])
    expect([path, (await fetch(`${url}/_sandbox/${path}`)).status]).toEqual([path, 401])
})

it.each([
  ['the name of another site', 'evil.example.test', ''],
  ['a page of another site', 'localhost', 'Origin: https://evil.example.test\r\n'],
])('rejects %s', async (_, host, origin) => {
  const url = await open()
  const answer = await sendRaw(
    url,
    `GET /_sandbox/ HTTP/1.1\r\nHost: ${host}\r\n${origin}Connection: close\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
})

it.each([
  '/_sandbox/assets/',
  '/_sandbox/assets/../index.html',
  '/_sandbox/assets/..%2f..%2fpackage.json',
  '/_sandbox/assets/%2e%2e/index.html',
  '/_sandbox/assets/index.js',
  '/_sandbox/index.html',
])('returns 404 for %s', async (path) => {
  const answer = await sendRaw(
    await open(),
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    error: expect.any(String),
  })
})

it('responds to HEAD without a body, and passes other methods to the control plane', async () => {
  const url = await open()
  const head = await fetch(`${url}/_sandbox/`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(`${url}/_sandbox/`, { method: 'POST' })).status).toBe(404)
})
