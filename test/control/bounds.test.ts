import { createApp } from 'creator-api-sandbox/express'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { openControlClient } from '../support/control.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

it.each([
  ['8,000 keys', Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join('\n')],
  ['forty thousand errors', `"${'\\q'.repeat(40_000)}"`],
  ['brackets without end', '['.repeat(20_000)],
])('rejects YAML with %s in a short message', async (_, yaml) => {
  const { message } = (await parseScenario(yaml, 'yaml').catch((error: unknown) => error)) as Error
  expect(message.length).toBeLessThan(5_000)
})

it('rejects a duplicate key, and reports its position', async () => {
  await expect(parseScenario('name: a\nnow: b\nname: c', 'mine.yaml')).rejects.toThrow(
    '(mine.yaml:3:1): Map keys must be unique.',
  )
})

it.each([
  ['POST', '/_sandbox/faults', (text: string) => ({ route: text, status: 400 })],
  ['POST', '/_sandbox/actions', (text: string) => ({ type: text })],
  ['POST', '/_sandbox/actions', (text: string) => ({ type: 'note', text, [text]: 1 })],
  ['POST', '/_sandbox/clock', (text: string) => ({ advance: text })],
  ['POST', '/_sandbox/clock', (text: string) => ({ set: text })],
  ['POST', '/_sandbox/replay', (text: string) => ({ command: 'seek', to: text })],
  ['PUT', '/_sandbox/scenario', (text: string) => ({ name: text })],
  ['PUT', '/_sandbox/scenario', (text: string) => ({ yaml: `extends: ${text}` })],
  ['PUT', '/_sandbox/scenario', (text: string) => ({ yaml: `${text}: 1\nname: 5` })],
  [
    'PUT',
    '/_sandbox/snapshot',
    (text: string) => ({ version: 1, [text]: text, scenario: text, tables: { [text]: [] } }),
  ],
] as const)(
  'repeats at most 200 characters of the request: %s %s',
  async (method, path, toBody) => {
    const { ask } = await openControlClient()
    for (const length of [150, 199, 10_000, 500_000]) {
      const { status, body } = await ask(method, path, { body: toBody('z'.repeat(length)) })
      if (status !== 400) continue
      expect(body.error).not.toMatch(/z{201}/)
    }
  },
)

it.each([
  '/v1/Z',
  '/v1/1/posts/Z',
  '/v1/Z/posts',
  '/v1/1/posts?limit=Z',
  '/v1/1/posts?before_publish_time=Z',
  '/_sandbox/Z',
  '/_sandbox/data/Z',
])('repeats at most 200 characters of the address %s', async (path) => {
  const { sandbox, ask } = await openControlClient()
  const url = path
    .replace('/1/', `/${sandbox.db.accounts.all()[0]!.id}/`)
    .replace('Z', 'z'.repeat(5_000))
  const { status, body } = await ask('GET', url, {
    headers: { authorization: `Bearer ${sandbox.keys['owner']}` },
  })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body.error).not.toMatch(/z{201}/)
})

it('generates the document once for each scenario', async () => {
  const sandbox = await createFreshSandbox('solo')
  const address = await serveOnFreePort(createApp(sandbox))
  const read = async () => (await fetch(`${address}/openapi.json`)).text()
  const first = await read()
  // The examples in the document are records from the time of its generation, so generating the
  // document again would change the examples.
  for (const { id } of sandbox.db.posts.all()) sandbox.db.posts.remove(id)
  expect(await read()).toBe(first)
  await sandbox.control.loadScenario({ name: 'empty' })
  expect(await read()).not.toBe(first)
})
