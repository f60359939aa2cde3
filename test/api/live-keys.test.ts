import { createSandbox } from 'creator-api-sandbox'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { createTemporaryFolder, expectRefusal, serveCommand } from '../support/command.ts'
import { openClient } from '../support/client.ts'

const live = 'acme_live_51Habc'
/** A scenario whose owner key looks like a live key. */
const withLiveKey = (key = live) =>
  parseScenario(
    `{ extends: solo, name: own, records: { apiKeys: [{ id: 1, key: ${key}, organisation: 1, role: owner, permissions: ['*'] }] } }`,
    'own.yaml',
  )

it.each([
  ['authorization', `Bearer ${live}`],
  ['x-api-key', live],
  ['authorization', 'Bearer sk_prod_51Habc'],
  ['authorization', `Bearer ${live}~worker-1`],
])('rejects a key that looks live in %s: %s', async (name, value) => {
  const { sandbox, get } = await openClient('solo', { scenario: await withLiveKey() })
  const { status } = await get('/v1/tags', { key: null, headers: { [name]: value } })
  expect(status).toBe(401)
  const [request] = sandbox.requests
  expect(request?.note).toContain('looks like a live API key')
  expect(request?.key).toMatch(/^<.+>$/)
  expect(JSON.stringify(request)).not.toContain('51Habc')
  expect(sandbox.control.worlds()).toEqual([])
})

it('rejects and masks keys with a prefix from the options', async () => {
  const { sandbox, get } = await openClient('solo', {
    scenario: await withLiveKey('(zz-51Habc'),
    liveKeyPrefixes: ['(zz-'],
  })
  expect((await get('/v1/tags', { key: '(zz-51Habc' })).status).toBe(401)
  await get('/v1/(zz-51Habc')
  expect(sandbox.requests[1]?.note).toContain('looks like a live API key')
  expect(JSON.stringify(sandbox.requests)).not.toContain('51Habc')
})

it('accepts keys that look live if the option allows it, and masks them', async () => {
  const { sandbox, get } = await openClient('solo', {
    keys: { owner: live },
    allowLiveLookingKeys: true,
  })
  expect((await get('/v1/tags', { key: live })).status).toBe(200)
  await get(`/v1/${live}`)
  expect(sandbox.requests[0]).toMatchObject({ note: null, path: '/v1/%3Ckey%20of%20owner%3E' })
})

it('rejects a configured key that looks live, and does not repeat it in the error', async () => {
  expect(() => createSandbox({ keys: { owner: live } })).toThrow(
    'Failed to create the sandbox (keys.owner): it looks like a key of a live service.',
  )
  expect(() => createSandbox({ keys: { owner: live }, allowLiveLookingKeys: true })).not.toThrow()
  const { sandbox } = await openClient()
  expect(() => sandbox.act({ type: 'key.create', role: 'owner', key: live })).toThrow(
    'key looks like a key of a live service',
  )
})

it('rejects a key file that contains a key that looks live', async () => {
  const file = join(createTemporaryFolder(), 'keys.json')
  const flags = ['--scenario', 'solo', '--keys-file', file]
  writeFileSync(file, JSON.stringify({ owner: live }))
  const refused =
    `Failed to read the key file (${file}): the key of "owner" looks like a key of a live ` +
    `service. Replace it, or set --allow-live-looking-keys.\n`
  await expectRefusal([...flags, '--port', '0'], refused)
  writeFileSync(file, JSON.stringify({ owner: 'zz-51Habc' }))
  const prefix = ['--live-key-prefix', 'zz-']
  await expectRefusal([...flags, ...prefix, '--port', '0'], refused)
  const { url } = await serveCommand(...flags, ...prefix, '--allow-live-looking-keys')
  const headers = { authorization: 'Bearer zz-51Habc' }
  expect((await fetch(`${url}/v1/tags`, { headers })).status).toBe(200)
})
