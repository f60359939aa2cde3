import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { startServer } from 'creator-api-sandbox/server'
import { expect, it } from 'vitest'
import { serveUserPicture } from '../../src/pictures/serve-pictures.ts'
import { createFreshSandbox } from '../support/client.ts'
import { serveOnFreePort } from '../support/server.ts'

const publicHost = 'https://public.platform.example'

/** Returns the URLs of the pictures of the first account. */
async function getPictures(ask: typeof fetch, { baseUrl, keys, accounts }: Sandbox) {
  const headers = { 'x-api-key': keys['owner'] ?? '' }
  const response = await ask(`${baseUrl}/v1/${accounts[0]?.id}/me`, { headers })
  const { avatar, header, avatarThumbs, headerThumbs } = (await response.json()).data
  return [avatar, header, ...Object.values({ ...avatarThumbs, ...headerThumbs })] as string[]
}

async function expectPictures(ask: typeof fetch, addresses: readonly string[]) {
  for (const address of addresses) {
    const response = await ask(address)
    const type = response.headers.get('content-type')
    expect([address, response.status, type]).toEqual([address, 200, 'image/svg+xml'])
    expect(await response.text()).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" .*<\/svg>$/s,
    )
  }
}

it('handles requests to the public host with fetch, without a key, a signature or a journal entry', async () => {
  const sandbox = await createFreshSandbox('solo')
  const { id: account } = sandbox.db.accounts.all()[0]!
  const addresses = await getPictures(sandbox.fetch, sandbox)
  const pattern = new RegExp(`^${publicHost}/files/${account}/\\w+\\.svg$`)
  expect(addresses.filter((address) => !pattern.test(address))).toEqual([])
  const before = sandbox.requests.length
  await expectPictures(sandbox.fetch, addresses)
  expect(sandbox.requests).toHaveLength(before)
})

it('serves the same pictures under the base URL of a standalone server, and uses these URLs in responses', async () => {
  await using server = await startServer({ port: 0, scenario: 'solo' })
  const { sandbox, url } = server
  const { id: account } = sandbox.db.accounts.all()[0]!
  const addresses = await getPictures(fetch, sandbox)
  expect(addresses.every((address) => address.startsWith(`${url}/files/${account}/`))).toBe(true)
  await expectPictures(fetch, addresses)
  await sandbox.control.loadScenario({ name: 'solo', seed: 4 })
  expect((await getPictures(fetch, sandbox))[0]).toBe(addresses[0])
})

it('does not handle requests to the public host if the app is mounted in another server', async () => {
  const sandbox = await createFreshSandbox()
  sandbox.baseUrl = await serveOnFreePort(createApp(sandbox))
  const { id: account } = sandbox.db.accounts.all()[0]!
  const [avatar = ''] = await getPictures(fetch, sandbox)
  expect(avatar).toBe(`${publicHost}/files/${account}/avatar.svg`)
  expect((await fetch(avatar.replace(publicHost, sandbox.baseUrl))).status).toBe(401)
})

it('draws a different picture for each of a thousand users, and always the same one for a user', async () => {
  const draw = async (id: number) =>
    String((await serveUserPicture({ method: 'GET', url: `/files/${id}/avatar.svg` })).body)
  const drawn = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => draw(218_000_001 + index)),
  )

  expect(new Set(drawn).size).toBe(1000)
  expect(await draw(218_000_001)).toBe(drawn[0])
})

it.each([
  ['GET', '/files/7/avatar.png', 404],
  ['GET', '/files/x/avatar.svg', 404],
  ['GET', '/', 404],
  ['POST', '/files/7/avatar.svg', 405],
  ['HEAD', '/files/7/header_w480.svg', 200],
])('responds to %s %s with %i', async (method, url, status) => {
  expect((await serveUserPicture({ method, url })).status).toBe(status)
})
