import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { getSchemaDefinition } from '../../src/lib/schema-parts.ts'
import { isSecretName } from '../../src/lib/credentials.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { toHttpArchive } from '../../src/control/har.ts'
import { openClient } from '../support/client.ts'

const secret = 'hunter2-hunter2'
const account = 100_200_300
const lists = `/v1/${account}/vault/lists`

/** Sends a request with the owner's key. The body is a string that is sent unchanged. */
async function send(
  sandbox: Sandbox,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<void> {
  await sandbox.fetch(sandbox.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${sandbox.keys['owner']}`,
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })
}

/**
 * Opens a sandbox with a log and a recording. `collect` returns everything that it stores or
 * displays about its requests.
 */
async function openRecorded() {
  const log: string[] = []
  const sandbox = createSandbox({ scenario: 'solo', log: (line) => log.push(line) })
  await sandbox.ready
  const finish = new ServedSandbox(sandbox).record()
  const collect = () =>
    JSON.stringify([sandbox.requests, toHttpArchive(sandbox.requests), finish('mine'), log])
  return { sandbox, log, collect }
}

it.each<[string, string, { body?: string; headers?: Record<string, string> }?]>([
  ...[
    'X-Goog-Api-Key',
    'X-RapidAPI-Key',
    'Ocp-Apim-Subscription-Key',
    'api_key',
    'auth',
    'access-key',
    'x-access-key',
    'x-jwt',
    'key',
    'password',
    'X-Amz-Security-Token',
    'x-session-id',
    'cookie',
  ].map((name): [string, string, object] => [
    `the header ${name}`,
    '/health',
    { headers: { [name]: secret } },
  ]),
  ...[
    'token',
    'key',
    'password',
    'apiKey',
    'api_key',
    'accessToken',
    'client-secret',
    'X-RapidAPI-Key',
    'pwd',
    'auth',
  ].map((name): [string, string, object] => [
    `the field ${name}`,
    lists,
    { body: JSON.stringify({ name: 'a', [name]: secret }) },
  ]),
  ['a list', lists, { body: JSON.stringify({ tokens: [secret, { a: [secret] }] }) }],
  ['a field in a list', lists, { body: JSON.stringify([{ deep: [{ key: secret }] }]) }],
  ['an object', lists, { body: JSON.stringify({ auth: { user: 'a', value: secret } }) }],
  ['an escaped name', lists, { body: `{"api\\u005fkey" : "${secret}"}` }],
  ['an escaped value', lists, { body: String.raw`{"token":"hunter2-hunter2\"x"}` }],
  ['a body cut off', lists, { body: `{"name":"a","token":"${secret}` }],
  ['a body that is not JSON', lists, { body: `{token: '${secret}'}` }],
  ['a form', lists, { body: `name=a&api%5Fkey=${secret}` }],
  ['a multipart form', lists, { body: `--x\r\nContent-Disposition: form-data\r\n\r\n${secret}` }],
  ['a percent-encoded name', `${lists}?api%5Fkey=${secret}`],
  ['a value with separators', `${lists}?token=a/${secret}?b=${secret};c=${secret}`],
  ['a second parameter', `${lists}?limit=1&password=${secret}`],
  ['a name with brackets', `${lists}?auth[token]=${secret}`],
  ['a matrix parameter', `/v1/${account};token=${secret}/posts`],
  ['the page', '/health', { headers: { referer: `https://a.example/?x=1&key=${secret}` } }],
])('stores no secret of %s', async (_, path, sent) => {
  const { sandbox, collect } = await openRecorded()
  await send(sandbox, path, sent)
  expect(sandbox.requests).toHaveLength(1)
  expect(collect()).not.toContain('hunter2')
})

it.each([
  ['a path', '/v1/%73k_live_51Habc/posts'],
  ['an unknown path', '/v1/sk%5Flive_51Habc'],
  ['a part of a path', '/v1/a%2Fsk_live_51Habc'],
  ['a value', `${lists}?q=%73k_live_51Habc`],
  ['a name', `${lists}?sk_live_51Habc=1`],
  ['any prefix', '/v1/acme_prod_51Habc'],
])('stores no key from %s', async (_, path) => {
  const { sandbox, collect } = await openRecorded()
  await send(sandbox, path)
  expect(decodeURIComponent(collect())).not.toContain('51Habc')
})

it('masks keys in texts, in names of fields, and in responses that repeat them', async () => {
  const { sandbox, post } = await openClient()
  await post(lists, { name: 'my sk_live_51Habc' })
  await post(lists, { name: 'a', sk_live_51Habc: true })
  await post(lists, { name: ['sk_live_51Habc'] })
  expect(JSON.stringify(sandbox.requests)).not.toContain('51Habc')
  expect(sandbox.db.vaultLists.find({ name: 'my sk_live_51Habc' })).toBeDefined()
})

it('does not mask values that only look like secrets', async () => {
  const { sandbox, post } = await openClient()
  await post(`/v1/${account}/upload/signed/create`, {
    key: 'upload/1/photo.jpg',
    parts: 1,
    contentType: 'image/jpeg',
  })
  await post(lists, { name: 'key: token, author' }, { headers: { 'idempotency-key': 'abc' } })
  const [list, upload] = sandbox.requests
  expect(upload?.request.body).toContain('"key":"upload/1/photo.jpg"')
  expect(list?.request.body).toBe('{"name":"key: token, author"}')
  expect(list?.request.headers['idempotency-key']).toBe('abc')
})

it('masks each field of the API that has a secret name', () => {
  const looking = routes.flatMap(({ id, query, body, plainFields = [] }) =>
    [query, body].flatMap((schema) =>
      Object.keys((schema && getSchemaDefinition(schema).shape) ?? {})
        .filter((name) => isSecretName(name) && !plainFields.includes(name))
        .map((name) => `${id} ${name}`),
    ),
  )
  expect(looking).toEqual([])
})

it('shortens long paths in log lines', async () => {
  const { sandbox, log } = await openRecorded()
  await send(sandbox, `/v2/${'0'.repeat(15_000)}`)
  expect(log).toHaveLength(1)
  expect(log[0]?.length).toBeLessThan(500)
})
