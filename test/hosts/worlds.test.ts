import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'

const key = (text: string) => ({ headers: { 'x-api-key': text } })

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
