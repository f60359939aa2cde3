import { createSandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'

const key = (text: string) => ({ headers: { 'x-api-key': text } })

describe('worlds by name', () => {
  it('sends <key>~<name> to its world, with its links and shares', async () => {
    const { sandbox, account } = await openClient()
    const owner = `${sandbox.keys['owner']}~worker-3`
    const ask = async (path: string, body?: object) => {
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const headers = { 'x-api-key': owner, 'content-type': 'application/json' }
      return (
        await (
          await sandbox.fetch(`${sandbox.baseUrl}/v1/${account()}${path}`, { headers, ...init })
        ).json()
      ).data
    }
    const { list } = await ask('/vault/media?limit=1')
    expect((await sandbox.fetch(list[0].files.thumb.url)).headers.get('content-type')).toBe(
      'image/jpeg',
    )
    const { id } = await ask('/tracking-links', { name: 'Shared' })
    const { url } = await ask(`/tracking-links/${id}/shares`, {})
    expect(await (await sandbox.fetch(url)).json()).toMatchObject({ name: 'Shared' })
    expect((await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, key(`${owner}~`))).status).toBe(401)

    expect(sandbox.world('worker-3').requests.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ])
    expect(sandbox.requests.map(({ status }) => status)).toEqual([401])
    expect(sandbox.db.trackingLinks.find({ id })).toBeUndefined()
  })
})

it('delays a request to a world until the data is ready', async () => {
  const sandbox = createSandbox({ scenario: 'solo', seed: 43 })
  const ask = (path: string) =>
    sandbox.fetch(`${sandbox.baseUrl}${path}`, key(`${sandbox.keys['owner']}~early`))
  const [world, health] = [ask('/v1/tags'), ask('/health')]
  expect((await health).status).toBe(200)
  expect(sandbox.control.worlds()).toEqual([])
  expect((await world).status).toBe(200)
  expect(sandbox.world('early').requests).toHaveLength(1)
})

it('sends a key of the main world that looks like the key of an isolated world to the main world', async () => {
  const sandbox = createSandbox({ scenario: 'solo', keys: { owner: 'mine~mine', analyst: 'mine' } })
  await sandbox.ready
  for (const text of ['mine~mine', 'mine', 'mine~mine~mine', 'mine~other'])
    expect((await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, key(text))).status).toBe(200)
  expect(sandbox.requests).toHaveLength(2)
  expect(sandbox.control.worlds().map(({ id }) => id)).toEqual(['mine', 'other'])
})
