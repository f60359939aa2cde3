import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from 'creator-api-sandbox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { runInProcess, serveCommand, createTemporaryFolder } from '../support/command.ts'
import { serveOnFreePort } from '../support/server.ts'

/** Opens a live service that returns the given data for every request. */
function openService(data: unknown): Promise<string> {
  return serveOnFreePort((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(typeof data === 'string' ? data : JSON.stringify({ data }))
  })
}

/** Verifies and watches a service. Returns the output of both commands. */
async function examine(data: unknown, key = 'some-plain-key-1'): Promise<string> {
  const live = await openService(data)
  vi.stubEnv('LIVE_KEY', key)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = createTemporaryFolder()
  const [out, report] = [join(folder, 'out.yaml'), join(folder, 'report.md')]
  const watched = join(folder, 'watched.yaml')
  const flags = ['--live', live, '--key-env', 'LIVE_KEY', '--account', '7', '--enums']
  const files = ['--out', out, '--report', report]
  const verified = await runInProcess('verify', ...flags, '--routes', '/v1/*/posts*', ...files)
  const watch = await serveCommand('watch', '--live', live, '--out', watched, '--enums')
  const headers = { authorization: `Bearer ${key}` }
  for (const path of ['/v1/tags', '/v1/7/posts', '/v1/7/subscribers', `/v1/${key}/other`])
    await fetch(watch.url + path, { headers })
  const table = await (await fetch(`${watch.url}/_sandbox/`)).text()
  const ended = await watch.stop()
  for (const overlay of [out, watched]) {
    const sandbox = createSandbox({ scenario: 'solo', overlay })
    await sandbox.ready
    const path = `/v1/${sandbox.db.accounts.all()[0]?.id}/posts`
    expect((await sendAsOwner(sandbox, 'GET', path)).status).toBe(200)
    sandbox.close()
  }
  const texts = [out, report, watched].map((file) => readFileSync(file, 'utf8'))
  const printed = [verified, ended].flatMap(({ stdout, stderr }) => [stdout, stderr])
  return [...printed, table, ...texts].join('\n')
}

/**
 * Returns a response that contains a name at every position that verification could write to a
 * file.
 */
const around = (name: string) => ({
  [name]: 1,
  id: { deep: { [name]: 'a' } },
  list: [{ [name]: { inner: 1 }, text: { [name]: { [name]: 2 } }, type: name }],
  hasMore: name,
})

it.each([
  ['the key', 'some-plain-key-1', 'some-plain-key-1'],
  ['a part of it', 'some-plain-key-1_more', 'some-plain-key-1'],
  ['a key of the usual form', 'sk_test_abcdefgh', 'other-plain-key'],
  ['a key that looks live', 'acme_live_abcdef', 'other-plain-key'],
  ['what looks like a key', 'a8f3e1b2c4d5e6f7a8b9', 'other-plain-key'],
])('omits the name of a field that is %s', async (_, name, key) => {
  const written = await examine(around(name), key)
  expect(written).not.toContain(name)
  expect(written).not.toContain(key)
})

it('writes plain names', async () => {
  expect(await examine({ list: [{ someNewField: 1 }] })).toContain('someNewField')
})

it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'])(
  'writes a valid overlay for a service with fields named %s',
  async (name) => {
    const json = JSON.stringify(around('NAME')).replaceAll('"NAME":', `"${name}":`)
    await examine(`{"data":${json}}`)
    await examine(`{"data":[${json},{"id":{"id":1}}]}`)
  },
)
