import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createTemporaryFolder,
  expectRefusal,
  serveCommand,
  writeTemporaryFile,
} from '../support/command.ts'
import type { RunningCommand } from '../support/command.ts'

const solo = ['--scenario', 'solo']
type Keys = Promise<Record<string, string>>
const keysOf = async ({ control }: RunningCommand): Keys => {
  const { keys } = await control('state')
  return Object.fromEntries(keys.map(({ role, key }: { role: string; key: string }) => [role, key]))
}
/** Starts a server with the given flags, returns its keys, and stops the server. */
const keysWith = async (...flags: string[]) => {
  const server = await serveCommand(...solo, ...flags)
  const keys = await keysOf(server)
  for (const key of Object.values(keys)) expect(server.printed).toContain(key)
  expect(server.printed).toContain(`curl -H 'Authorization: Bearer ${keys['owner']}'`)
  await server.stop()
  return keys
}

it('creates a key file that only its user can read, and reads it at the next start', async () => {
  const file = join(createTemporaryFolder(), 'keys.json')
  const keys = await keysWith('--keys-file', file)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(keys)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(keys).not.toEqual(await keysWith())
  expect(await keysWith('--keys-file', file)).toEqual(keys)
})

it.each(['{"owner": "mine"}', '\uFEFF{"owner": "mine"}'])('reads the key file %j', async (text) => {
  const file = writeTemporaryFile(text, 'keys.json')
  expect(await keysWith('--keys-file', file)).toMatchObject({ owner: 'mine' })
})

it('warns about keys for roles that the scenario does not have', async () => {
  const file = writeTemporaryFile('{"owner": "mine", "onwer": "other"}', 'keys.json')
  const { stop } = await serveCommand(...solo, '--keys-file', file)
  const { stderr } = await stop()
  expect(stderr).toContain(
    '--keys-file has keys for roles that do not exist in the scenario, so they are not used: ' +
      'onwer. The roles are owner',
  )
})

it('stores random keys with the saved world', async () => {
  const file = join(createTemporaryFolder(), 'state.json')
  const seeded = await keysWith('--state', file)
  const keys = await keysWith('--state', file, '--keys', 'random')
  expect(keys['owner']).not.toBe(seeded['owner'])
  const server = await serveCommand('--state', file, '--keys', 'random')
  expect(await keysOf(server)).toEqual(keys)
  await server.control('reset', {})
  expect(await keysOf(server)).toEqual(keys)
  expect(await keysWith('--keys', 'random')).not.toEqual(keys)
})

it.each([
  ['{"owner": "a b"}', 'the key of "owner" must have 1 to 200 characters, without spaces'],
  ['{"owner": 5}', 'the key of "owner" must be a string'],
  ['[]', 'it must be an object with a key for each role'],
  ['{"owner": "a", "analyst": "a"}', 'it must have a different key for each role'],
  ['{', 'it is not well-formed JSON'],
])('rejects a file of keys with %s, and does not change it', async (text, problem) => {
  const file = writeTemporaryFile(text, 'keys.json')
  await expectRefusal(
    [...solo, '--port', '0', '--keys-file', file],
    `Failed to read the key file (${file}): ${problem}. Fix it, or use another --keys-file.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
})

it('warns once about guessable keys if the server can be reached from the network', async () => {
  // A loopback address that the command treats as a network address.
  const open = ['--host', '::ffff:127.0.0.1', '--control-token', 'secret', '--quiet']
  const warningWith = async (...flags: string[]) =>
    (await (await serveCommand(...solo, ...open, ...flags)).stop()).stderr
  expect(await warningWith()).toMatch(
    /^Warning: the API keys are derived from their roles, [^\n]*--keys random, --keys-file FILE[^\n]*\n$/,
  )
  expect(await warningWith('--keys', 'random')).toBe('')
  expect((await (await serveCommand(...solo)).stop()).stderr).toBe('')
})

it('rejects keys from two sources, and a file that cannot be created', async () => {
  const file = join(createTemporaryFolder(), 'nowhere/keys.json')
  await expectRefusal(['--keys', 'random', '--keys-file', file], 'Use only one')
  await expectRefusal(['--keys-file', file], `Failed to write the key file (${file})`)
  expect(existsSync(file)).toBe(false)
})
