import { createSandbox } from 'creator-api-sandbox'
import type { SiteOptions } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen as serveSandbox } from '../../src/hosts/server/listen.ts'
import { openPort } from '../../src/hosts/server/port.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { serveOnFreePort, sendRaw } from '../support/server.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const page = 'https://app.example.test'

/** Tests both the app mounted in another server and the command's server. */
describe.each(['the app', 'the server'])('%s', (face) => {
  async function open(options: SiteOptions = {}) {
    const log: string[] = []
    const sandbox = createSandbox({
      baseUrl: 'https://api.example.test',
      scenario: 'solo',
      log: (line) => log.push(line),
    })
    await sandbox.ready
    const serve = async () => {
      const port = await openPort({ port: 0, host: '127.0.0.1' })
      onTestFinished(() => port.close())
      serveSandbox(new ServedSandbox(sandbox), port, {
        host: '127.0.0.1',
        baseUrl: sandbox.baseUrl,
        ...options,
      })
      return port.url
    }
    const url =
      face === 'the app' ? await serveOnFreePort(createApp(sandbox, options)) : await serve()
    const feed = `/v1/${sandbox.db.accounts.all()[0]?.id}/posts?limit=1`
    const authorization = `Authorization: Bearer ${sandbox.keys['owner']}`
    const send = async (
      path: string,
      headers: readonly string[],
      { method = 'GET', version = '1.1' } = {},
    ) => {
      const answer = await sendRaw(
        url,
        [`${method} ${path} HTTP/${version}`, ...headers, 'Connection: close', '', ''].join('\r\n'),
      )
      return {
        status: Number(answer.slice(9, 12)),
        head: answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase(),
        answer,
      }
    }
    return { sandbox, feed, authorization, log, send }
  }

  it('serves the API only under its own host names', async () => {
    const { send, feed, authorization } = await open({ allowHosts: ['Box.internal'] })
    const statusOf = async (host: string) =>
      (await send(feed, [`Host: ${host}`, authorization])).status
    for (const host of [
      '127.0.0.1',
      'localhost:4010',
      'LOCALHOST:1',
      '127.9.9.9:80',
      '[::1]:4010',
      'API.example.test:8443',
      'BOX.internal:1',
    ])
      expect([host, await statusOf(host)]).toEqual([host, 200])
    const foreign = [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.',
      '127.0.0.1@evil.example',
      '10.0.0.1',
      '[::2]:1',
      '',
      'x:y',
      'a b',
    ]
    for (const host of foreign) expect([host, await statusOf(host)]).toEqual([host, 403])
    expect((await send(feed, [authorization], { version: '1.0' })).status).toBe(403)
    for (const headers of [
      [],
      ['Host: localhost', 'Host: evil.example'],
      ['Host: localhost', 'hOST: localhost'],
    ])
      expect([headers, (await send(feed, [...headers, authorization])).status]).toEqual([
        headers,
        400,
      ])
    expect(
      (await send(`http://evil.example${feed}`, ['Host: localhost', authorization])).status,
    ).toBe(403)
  })

  it('rejects a request before checking its key, without a charge, and adds it to the log and the journal', async () => {
    const { sandbox, send, feed, authorization, log } = await open()
    sandbox.act({ type: 'credits.set', credits: 5 })
    sandbox.faults.add({ status: 502, times: 1 })
    for (const [headers, refused] of [
      [['Host: evil.example'], 'The server does not accept the host "evil.example"'],
      [
        ['Host: localhost', `Origin: ${page}`],
        `The server does not accept requests from pages of "${page}"`,
      ],
    ] as const) {
      for (const path of [
        feed,
        '/v1/nowhere',
        '/media-proxy?url=x',
        '/upload/main/x/1',
        '/share/x',
        '/openapi.json',
      ]) {
        const { status, head, answer } = await send(path, [...headers, authorization])
        expect([path, status, JSON.parse(answer.slice(head.length))]).toEqual([
          path,
          403,
          { error: expect.stringContaining(refused) },
        ])
        expect(sandbox.requests[0]).toMatchObject({
          path,
          status: 403,
          credits: 0,
          error: expect.stringContaining(refused),
          near_misses: [],
        })
        expect(log.at(-1)).toContain(refused)
      }
      expect((await send(feed, headers)).status).toBe(403)
    }
    expect(sandbox.control.pulse().organisations[0]).toMatchObject({
      credits: 5,
      used: { minute: 0, day: 0 },
    })
    expect(sandbox.faults.list()).toHaveLength(1)
  })

  it('serves /health under any host name', async () => {
    const { send } = await open()
    for (const method of ['GET', 'HEAD'])
      expect((await send('/health?x', ['Host: evil.example'], { method })).status).toBe(200)
    expect((await send('/health', [], { version: '1.0' })).status).toBe(200)
    expect((await send('/health', ['Host: evil.example'], { method: 'POST' })).status).toBe(403)
    expect((await send('/health', ['Host: evil.example', `Origin: ${page}`])).status).toBe(403)
  })

  it('rejects all changes by a page of another site that sends no origin', async () => {
    const { sandbox, send, feed, authorization } = await open()
    const site = ['Host: localhost', 'Sec-Fetch-Site: cross-site']
    const key = `X-API-Key: ${sandbox.keys['owner']}~made`
    const [media] = sandbox.db.vaultMedia.all()
    const link = await send(`/v1/${media?.accountId}/vault/media/${media?.id}`, [
      'Host: localhost',
      authorization,
    ])
    const { data } = JSON.parse(link.answer.slice(link.head.length))
    const before = JSON.stringify(sandbox.snapshot())
    for (const [method, path] of [
      ['GET', '/_sandbox/state?world=made'],
      ['GET', '/_sandbox/snapshot'],
      ['POST', '/_sandbox/worlds'],
      ['POST', '/_sandbox/reset'],
      ['DELETE', '/_sandbox/faults'],
      ['GET', feed],
      ['DELETE', feed],
      ['PUT', '/upload/main/x/1'],
    ] as const)
      expect([path, (await send(path, [...site, key], { method })).status]).toEqual([path, 403])
    expect(sandbox.control.worlds()).toEqual([])
    expect(JSON.stringify(sandbox.snapshot())).toBe(before)

    const { pathname, search } = new URL(data.files.full.url)
    for (const path of [`${pathname}${search}`, '/health', '/openapi.json', '/docs', '/_sandbox/'])
      expect([path, (await send(path, site)).status]).toEqual([path, 200])
    expect(
      (await send(feed, [...site, 'Origin: http://localhost:5173', authorization])).status,
    ).toBe(200)
  })

  it('accepts requests from pages of loopback origins, of its base URL, of itself, and of the allowed origins', async () => {
    const { send, feed, authorization } = await open({
      allowHosts: ['box.internal'],
      allowOrigins: [`${page}:443/`, 'null', 'capacitor://localhost'],
    })
    const ask = (origin: string, host = 'localhost') =>
      send(feed, [`Host: ${host}`, `Origin: ${origin}`, authorization])
    for (const origin of [
      'http://localhost:5173',
      'https://127.0.0.1',
      'http://[::1]:3000',
      'https://api.example.test',
      page,
      'null',
      'capacitor://localhost',
    ]) {
      const { status, head } = await ask(origin)
      expect([origin, status]).toEqual([origin, 200])
      expect(head).toContain(`access-control-allow-origin: ${origin}`)
      expect(head).toContain('vary: origin')
    }
    expect((await ask('http://box.internal:4010', 'Box.internal:4010')).status).toBe(200)
    for (const origin of [
      'http://box.internal:1',
      'http://localhost.evil.example',
      'http://localhost@evil.example',
      `${page}.evil.example`,
      'http://app.example.test',
      'file://',
      '',
    ])
      expect([origin, (await ask(origin)).status]).toEqual([origin, 403])
    const preflight = (origin: string) =>
      send(
        feed,
        [
          'Host: localhost',
          `Origin: ${origin}`,
          'Access-Control-Request-Method: POST',
          'Access-Control-Request-Headers: authorization,content-type',
        ],
        { method: 'OPTIONS' },
      )
    const allowed = await preflight(page)
    expect(allowed.status).toBe(204)
    expect(allowed.head).toMatch(/access-control-allow-methods: .*patch/)
    expect(allowed.head).toContain('access-control-allow-headers: authorization,content-type')
    const refused = await preflight('https://evil.example')
    expect([refused.status, refused.head.includes('access-control')]).toEqual([403, false])
  })

  it('rejects requests of allowed origins and other hosts to the control plane and the pages', async () => {
    const { send } = await open({ allowOrigins: [page, 'null'] })
    for (const path of ['/_sandbox/state', '/_sandbox/', '/docs', '/_sandbox/openapi.json'])
      for (const origin of [page, 'null'])
        expect([path, (await send(path, ['Host: localhost', `Origin: ${origin}`])).status]).toEqual(
          [path, 403],
        )
    for (const path of ['/docs', '/_sandbox/'])
      expect((await send(path, ['Host: evil.example'])).status).toBe(403)
  })

  it('sends no CORS headers if they are disabled', async () => {
    const { send, feed, authorization } = await open({ cors: false, allowOrigins: [page] })
    for (const origin of [page, 'http://localhost:5173']) {
      const { status, head } = await send(feed, [
        'Host: localhost',
        `Origin: ${origin}`,
        authorization,
      ])
      expect([status, head.includes('access-control')]).toEqual([200, false])
    }
    expect(
      (await send(feed, ['Host: localhost', 'Origin: https://evil.example', authorization])).status,
    ).toBe(403)
  })

  it('forbids browsers from guessing the type of a response', async () => {
    const { send, feed, authorization } = await open()
    const api = [feed, '/v1/nowhere', '/health', '/media-proxy?x', '/nothing', '/%']
    const pages = [
      '/docs',
      '/docs/nothing',
      '/_sandbox/',
      '/_sandbox/state',
      '/_sandbox/nothing',
      '/_sandbox/assets/x',
    ]
    const answers = await Promise.all([
      ...[...api, ...pages].map((path) => send(path, ['Host: localhost', authorization])),
      ...[...api, ...pages, '/openapi.json'].map((path) =>
        send(path, ['Host: localhost', 'Origin: https://evil.example']),
      ),
      send(feed, ['Host: localhost', authorization, 'Origin: http://localhost']),
      send(
        feed,
        ['Host: localhost', 'Origin: http://localhost', 'Access-Control-Request-Method: GET'],
        { method: 'OPTIONS' },
      ),
      send(feed, ['Host: a', 'Host: b']),
      ...(face === 'the app' ? [] : [send(feed, []), send(feed, ['Host: a', 'not a header'])]),
    ])
    for (const { head } of answers) expect(head).toContain('x-content-type-options: nosniff')
  })
})

it('accepts any IP address as host if it does not only listen on loopback', async () => {
  const sandbox = createSandbox({ scenario: 'empty' })
  const { handle } = createRouting(new ServedSandbox(sandbox), { hosts: ['0.0.0.0'] })
  const statusOf = async (url: string, host: string) =>
    (
      await handle({
        method: 'GET',
        url,
        header: (name) => (name === 'host' ? host : null),
        body: null,
      })
    ).status
  for (const host of ['10.0.0.1:4010', '[fe80::1]:4010', '192.168.1.7']) {
    expect([host, await statusOf('/v1/tags', host)]).toEqual([host, 401])
    expect([host, await statusOf('/_sandbox/state', host)]).toEqual([host, 200])
  }
  expect(await statusOf('/v1/tags', 'evil.example')).toBe(403)
})

it('does not check host and origin in process', async () => {
  const sandbox = createSandbox({ scenario: 'empty' })
  const headers = new Headers({ host: 'evil.example', origin: page })
  const call = {
    method: 'GET',
    url: '/v1/tags',
    header: (name: string) => headers.get(name),
    body: null,
  }
  expect((await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, { headers })).status).toBe(401)
  expect((await sandbox.handle(call)).status).toBe(401)
})

it.each([
  [{ allowOrigins: [`${page}/path`] }, `allowOrigins[0]: "${page}/path"): it must be an origin`],
  [{ allowOrigins: ['*'] }, 'must be an origin such as https://app.example.test, or null'],
  [{ allowHosts: ['localhost:4010'] }, 'must be a host name or an IP address, without a port'],
  [{ allowHost: ['x'] }, 'there is no such field. Allowed: hosts, allowHosts'],
  [{ cors: 'no' }, 'Failed to create the server (cors: "no")'],
  [null, 'Failed to create the server'],
])('rejects the options %j', (options, text) => {
  const sandbox = createSandbox({ scenario: 'empty' })
  expect(() => createApp(sandbox, options as SiteOptions)).toThrow(text)
})
