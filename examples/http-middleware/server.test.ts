import type { Server } from 'node:http'
import { createSandbox } from 'creator-api-sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve } from './server.ts'

const sandbox = createSandbox({ scenario: 'solo' })
let server: Server

beforeAll(async () => {
  await sandbox.ready
  server = await serve(sandbox)
})
afterAll(() => server.close())

const account = () => sandbox.db.accounts.all()[0]?.id
const send = (path: string, init: RequestInit = {}) =>
  fetch(path.startsWith('/') ? `${sandbox.baseUrl}${path}` : path, {
    ...init,
    headers: {
      authorization: `Bearer ${sandbox.keys['owner']}`,
      'content-type': 'application/json',
    },
  })

it('answers its own routes and the API', async () => {
  expect(await (await send('/mine')).text()).toBe('mine')
  expect((await send(`/v1/${account()}/posts`)).status).toBe(200)
  expect((await send('/v1/nothing-of-the-kind')).status).toBe(404)
})

it('forwards request bodies', async () => {
  const created = await send(`/v1/${account()}/posts`, {
    method: 'POST',
    body: JSON.stringify({ text: 'Hello' }),
  })

  expect(await created.json()).toMatchObject({ data: { text: 'Hello' } })
})

it('serves media unchanged', async () => {
  const { data } = (await (
    await send(`/v1/${account()}/posts?media_type=photos&limit=1`)
  ).json()) as {
    data: { list: { media: { files: { thumb: { url: string } } }[] }[] }
  }
  const response = await send(data.list[0]?.media[0]?.files.thumb.url ?? '')
  const bytes = new Uint8Array(await response.arrayBuffer())

  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9])
})
