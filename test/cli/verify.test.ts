import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from 'creator-api-sandbox/server'
import { readOverlay } from 'creator-api-sandbox/overlay'
import type { OverlayInput } from 'creator-api-sandbox/overlay'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createTemporaryFolder,
  runInProcess,
  serveCommand,
  writeTemporaryFile,
} from '../support/command.ts'
import { serveOnFreePort } from '../support/server.ts'

const posts = 'GET /v1/:account_id/posts'
const hidden: OverlayInput = {
  routes: {
    [posts]: {
      answer: { '$.list[*].text': { rename: 'caption' }, '$.list[*].rawText': { type: 'integer' } },
    },
    'GET /v1/:account_id/posts/labels': { path: '/v1/:account_id/labels' },
  },
}

/** Starts a fake live service and puts its key in the environment. */
async function openService() {
  const { sandbox, url, stop } = await startServer({
    port: 0,
    scenario: 'solo',
    overlay: await readOverlay(hidden),
  })
  onTestFinished(stop)
  vi.stubEnv('LIVE_KEY', sandbox.keys.owner)
  onTestFinished(() => void vi.unstubAllEnvs())
  const account = sandbox.db.accounts.all()[0]?.id ?? 0
  return { sandbox, url, account, folder: createTemporaryFolder() }
}

const verify = (live: string, ...flags: string[]) =>
  runInProcess('verify', '--live', live, '--key-env', 'LIVE_KEY', ...flags)

it('verifies a service, and serves the overlay that it wrote', async () => {
  const { sandbox, url, folder, account } = await openService()
  const [out, report] = [join(folder, 'observed.yaml'), join(folder, 'verify.md')]
  const routes = ['--account', String(account), '--routes', '/v1/{account_id}/p*s']
  const flags = [...routes, '--out', out, '--report', report]
  const { code, stdout, stderr } = await verify(url, ...flags)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('This costs up to 100 credits')
  expect(stdout).toMatch(
    /differs {3}GET \/v1\/:account_id\/posts\n +\$\.list\[\*\]\.rawText is integer, not string\n +\$\.list\[\*\]\.text is missing, but there is a new field caption/,
  )
  expect(stdout).toContain('absent    GET /v1/:account_id/posts/labels: it answers 400')
  expect(stdout + readFileSync(out, 'utf8') + readFileSync(report, 'utf8')).not.toContain(
    sandbox.keys.owner,
  )
  const again = await verify(url, ...flags)
  expect(again.stdout).toContain('It cost 0 credits.')
  const mine = await serveCommand('--scenario', 'solo', '--overlay', out)
  const page = await mine.api('/v1/ACCOUNT/posts?limit=1')
  expect(await page.json()).toMatchObject({
    data: { list: [{ caption: expect.any(String), rawText: expect.any(Number) }] },
  })
})

it('does not send the key to other hosts', async () => {
  const { folder } = await openService()
  const received: string[] = []
  const other = await serveOnFreePort((incoming, response) => {
    received.push(incoming.url ?? '')
    response.end('{}')
  })
  const redirecting = await serveOnFreePort((_, response) =>
    response.writeHead(302, { location: `${other}/v1/accounts` }).end(),
  )
  const { stderr } = await verify(redirecting, '--report', join(folder, 'verify.md'))
  expect([stderr, received]).toEqual([
    expect.stringContaining('it redirects to another host, and the key is not sent to other hosts'),
    [],
  ])
})

it.each([
  [['--key-env', 'LIVE_KEY'], 'Add --live URL'],
  [['--live', 'http://api.example.test', '--key-env', 'LIVE_KEY'], 'use https'],
  [['--live', 'https://user:secret@a.test', '--key-env', 'LIVE_KEY'], 'not contain a password'],
  [['--live', 'http://127.0.0.1:9', '--key-env', 'NO_SUCH_KEY'], 'Set it to the API key'],
  [['--live', 'http://127.0.0.1:9', '--key-env', 'a key'], 'name of a variable'],
  [['--live', 'http://127.0.0.1:9', '--key-env', 'LIVE_KEY'], 'row: the connection failed'],
])('rejects %j', async (flags, problem) => {
  vi.stubEnv('LIVE_KEY', 'some-key')
  const { code, stderr } = await runInProcess('verify', ...flags)
  vi.unstubAllEnvs()
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  expect(stderr).not.toMatch(/some-key|secret/)
})

it('only overwrites reports', async () => {
  const { url } = await openService()
  const file = writeTemporaryFile('# Mine', 'notes.md')
  const { stderr } = await verify(url, '--report', file)
  expect([stderr, readFileSync(file, 'utf8')]).toEqual([
    expect.stringContaining('it is not overwritten'),
    '# Mine',
  ])
})

it('forwards the requests of a client without changing them', async () => {
  const { sandbox, url, account, folder } = await openService()
  const out = join(folder, 'observed.yaml')
  const watch = await serveCommand('watch', '--live', url, '--out', out)
  const headers = { 'x-api-key': sandbox.keys.owner }
  const get = (path: string) => fetch(watch.url + path, { headers })
  const direct = await (await fetch(`${url}/v1/${account}/posts`, { headers })).json()
  const { data } = await (await get(`/v1/${account}/posts`)).json()
  expect(data).toEqual(direct.data)
  expect((await get(`/v1/${account}/labels`)).status).toBe(200)
  expect((await get(`/v1/${account}/posts/labels`)).status).toBe(400)
  expect((await get(`/v1/${account}/users/no-such-name`)).status).toBe(404)
  expect((await get('/v1/accounts/')).status).toBe(404)
  const created = await fetch(`${watch.url}/v1/${account}/vault/lists`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Beach' }),
  })
  expect(created.status).toBe(200)
  const table = await (await fetch(`${watch.url}/_sandbox/`)).text()
  expect(table).toContain('differs   GET /v1/:account_id/posts\n')
  expect(table).toContain('refused   GET /v1/:account_id/posts/labels: it answered 400 ')
  expect(table).not.toMatch(/differs +GET \/v1\/:account_id\/users/)
  expect(table).toContain('same      POST /v1/:account_id/vault/lists\n')
  expect(table).toContain('unknown   GET /v1/:id/labels\n')
  const { stdout, code } = await watch.stop()
  expect([code, stdout.includes('new field caption')]).toEqual([0, true])
  const written = readFileSync(out, 'utf8')
  expect(written).toContain('"$.list[*].text": {"rename":"caption"}')
  for (const value of [sandbox.keys.owner, 'Beach', String(account)])
    expect(written + stdout).not.toContain(value)
})

it('streams long responses without inspecting them, and reports an unreachable service', async () => {
  const long = JSON.stringify({ data: 'x'.repeat(2 * 1024 * 1024) })
  const isLong = (path: string) => path.startsWith('/v1/tags')
  const live = await serveOnFreePort((incoming, response) => {
    response.setHeader('content-type', 'application/json')
    if (incoming.url === '/v1/accounts') response.destroy()
    else response.end(isLong(incoming.url ?? '') ? long : '{"error":"No."}')
  })
  const watch = await serveCommand('watch', '--live', live)
  expect(await (await fetch(`${watch.url}/v1/tags`)).text()).toBe(long)
  expect((await fetch(`${watch.url}/v1/accounts`)).status).toBe(502)
  expect(await (await fetch(`${watch.url}/_sandbox/`)).text()).toBe(
    '0 differs, 0 absent, 0 refused, 0 same, 0 not tried\n',
  )
})
