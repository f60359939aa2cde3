import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox } from 'creator-api-sandbox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createDevelopmentServer } from './app.ts'

const sandbox = createSandbox({ scenario: 'solo' })
let server: Server
let origin: string

beforeAll(async () => {
  await sandbox.ready
  server = createDevelopmentServer(sandbox).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Media links start with the base URL, which must therefore include the mount path.
  sandbox.baseUrl = `${origin}/creator-api`
})
beforeEach(() => sandbox.reset())
afterAll(() => server.close())

const account = () => sandbox.db.accounts.all()[0]?.id
const get = (url: string) =>
  fetch(url, { headers: { authorization: `Bearer ${sandbox.keys['owner']}` } })

it('answers its own routes and the API', async () => {
  expect(await (await fetch(origin)).text()).toBe('<h1>1 accounts</h1>')
  expect((await get(`${sandbox.baseUrl}/v1/${account()}/posts`)).status).toBe(200)
  expect((await fetch(`${origin}/creator-api/health`)).status).toBe(200)
})

it('returns media links that include the mount path', async () => {
  const { data } = (await (
    await get(`${sandbox.baseUrl}/v1/${account()}/posts?media_type=photos&limit=1`)
  ).json()) as {
    data: { list: { media: { files: { thumb: { url: string } } }[] }[] }
  }
  const link = data.list[0]?.media[0]?.files.thumb.url ?? ''

  expect(link.startsWith(`${origin}/creator-api/media-proxy?`)).toBe(true)
  expect((await fetch(link)).headers.get('content-type')).toBe('image/jpeg')
})

it('accepts bodies that express.json has already parsed', async () => {
  const response = await fetch(`${sandbox.baseUrl}/v1/${account()}/posts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.keys['owner']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'Hello' }),
  })

  expect(await response.json()).toMatchObject({ data: { text: 'Hello' } })
})

it('serves the control plane under the mount path', async () => {
  const response = await fetch(`${sandbox.baseUrl}/_sandbox/state`)

  expect(await response.json()).toMatchObject({ scenario: 'solo' })
})
