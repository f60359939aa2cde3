import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { readJsonLines } from '../../src/scenario/json-lines.ts'
import { readYaml } from '../../src/scenario/yaml.ts'
import { derivedTables, tableNames } from '../../src/resources/all-tables.ts'
import { createBearerHeader, openControlClient } from '../support/control.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const account = 401_200_300

/** Returns the stored records without the API keys, because each world has different keys. */
function getRecords({ db }: Sandbox) {
  const names = tableNames.filter((name) => !derivedTables.includes(name) && name !== 'apiKeys')
  return Object.fromEntries(names.map((name) => [name, db[name].all()]))
}

it('writes the current world as a scenario with the same records', async () => {
  const { sandbox, ask } = await openControlClient({ scenario: 'launch-day' })
  sandbox.seek('First messages')
  sandbox.act([
    { type: 'limits.set', minute: 20 },
    { type: 'session.lapse', account_id: account },
  ])
  const { status, body } = await ask('GET', '/_sandbox/scenario?name=as-it-was')
  expect([status, body.name]).toEqual([200, 'as-it-was'])
  expect(body.left_out).toContain('the rest of the story')
  const scenario = await parseScenario(body.yaml, 'as-it-was.yaml')
  const other = createSandbox({ scenario })
  await other.ready
  expect(getRecords(other)).toEqual(getRecords(sandbox))
  expect([other.clock.iso(), other.keys]).toEqual([sandbox.clock.iso(), sandbox.keys])
  expect(other.check()).toMatchObject({ holds: true })
})

it('reads the scenario of a world as fast as JSON, without the YAML parser', async () => {
  const { read } = await openControlClient({ scenario: 'launch-day' })
  const { yaml } = await read('scenario')
  const { value, getPosition: positionOf } = readJsonLines(yaml)!
  expect(value).toEqual((await readYaml(yaml)).document.toJS())
  const line = yaml.split('\n').findIndex((text: string) => text === '  posts:') + 3
  expect(positionOf(['records', 'posts', 1, 'text'])).toEqual({ line, col: 7 })
})

it.each([
  ['a key twice', 'name: "a"\nname: "b"\n'],
  ['a key of a record twice', 'records:\n  tags:\n    - {"id":1,"id":2}\n'],
  ['nothing behind a colon', 'records:\n  tags:\n'],
  ['a value that is no JSON', 'name: solo\n'],
  ['a number that JSON cannot represent', 'seed: 12345678901234567890\n'],
  ['a list inside a separate line', 'timeline:\n  - {"at":"0s"}\n    - {"at":"1s"}\n'],
  ['a comment', '# mine\nname: "a"\n'],
])('leaves %s to the YAML parser', (_, text) => {
  expect(readJsonLines(text)).toBeUndefined()
})

it('reports the position of a mistake in a generated scenario, as in any other', async () => {
  const wrong =
    'name: "a"\nnow: "2026-10-01T09:00:00Z"\norganisations: [{"name":"A","roles":{}}]\nrecords:\n  tags:\n    - {"id":"x"}\n'
  await expect(parseScenario(wrong, 'mine.yaml')).rejects.toThrow(
    /mine\.yaml:6:13, at records\.tags\.0\.id/,
  )
})

it('records control actions as a scenario that produces the same world when played', async () => {
  const { sandbox, ask, read } = await openControlClient({ scenario: 'launch-day' })
  expect(await read('recording')).toEqual({ since: null, steps: 0, gap: null })
  expect((await ask('DELETE', '/_sandbox/recording')).body.error).toMatch(/no recording is running/)
  const begun = await ask('POST', '/_sandbox/recording')
  expect(begun.body).toEqual({ since: sandbox.clock.iso(), steps: 0, gap: null })
  expect((await ask('POST', '/_sandbox/recording')).body.error).toMatch(
    /a recording has been running since/,
  )
  await ask('POST', '/_sandbox/actions', { body: { type: 'tip', account_id: account, amount: 20 } })
  expect((await read('recording')).steps).toBe(1)
  const { body } = await ask('DELETE', '/_sandbox/recording?name=evening')
  expect(body).toMatchObject({ name: 'evening', steps: 1, gap: null, left_out: [] })
  expect((await read('recording')).since).toBeNull()

  const replayed = createSandbox({ scenario: await parseScenario(body.yaml, 'evening.yaml') })
  await replayed.ready
  await replayed.play({ until: '0s' })
  expect(replayed.db.transactions.all()).toEqual(sandbox.db.transactions.all())
})

it('reports a recording that started after changes, and drops it after a reset', async () => {
  const { sandbox, ask, read } = await openControlClient({ scenario: 'launch-day' })
  sandbox.act({ type: 'tip', account_id: account, amount: 20 })
  expect((await ask('POST', '/_sandbox/recording')).body.gap).toMatch(
    /before the recording started/,
  )
  await ask('POST', '/_sandbox/reset')
  expect((await read('recording')).gap).toBeNull()
})

it('handles a body that is nested deeper than the stack, in a recording, an audit and a fault', async () => {
  const { sandbox, ask } = await openControlClient({ scenario: 'launch-day' })
  const body = '['.repeat(5_000) + ']'.repeat(5_000)
  sandbox.faults.add({ status: 503, request_body: { text: 'Hello' } })
  await ask('POST', '/_sandbox/recording')
  const { headers } = createBearerHeader(sandbox.keys['owner'])
  expect((await ask('POST', `/v1/${account}/posts`, { headers, body })).status).toBe(400)
  expect((await ask('GET', '/_sandbox/audit')).status).toBe(200)
  expect((await ask('DELETE', '/_sandbox/recording')).body.yaml).toContain(
    '"answered":{"status":400',
  )
})

it('does not stop the recording of the command', async () => {
  const { sandbox, ask } = await openControlClient()
  new ServedSandbox(sandbox).record()
  expect((await ask('DELETE', '/_sandbox/recording')).body.error).toMatch(
    /it was started by the command record/,
  )
})

it('shows the variation, and the routes that an overlay changed', async () => {
  const { sandbox, read } = await openControlClient()
  expect(await read('state')).toMatchObject({ variation: null, overlay: null })
  sandbox.act({ type: 'variation.set', seed: 7, only: ['key-order'] })
  expect((await read('state')).variation).toMatchObject({ seed: 7, only: ['key-order'] })
  expect((await read('pulse')).variation).toMatchObject({ seed: 7 })

  const overlay = await readOverlay({
    routes: { 'GET /v1/tags': { answer: { '$.list[*].name': { rename: 'title' } } } },
  })
  const over = await openControlClient({ options: { overlay } })
  expect((await over.read('state')).overlay).toEqual(['GET /v1/tags'])
})

it('serves pictures of records without a token and without a journal entry', async () => {
  const { sandbox, ask } = await openControlClient({ site: { controlToken: 'open sesame' } })
  const asked = { headers: { authorization: 'Bearer open sesame' } }
  const { body } = await ask('GET', '/_sandbox/data/vaultMedia?limit=1&pictures=true', asked)
  const [media] = body.items
  expect(body.pictures).toEqual({ [media.id]: `media/${media.asset}/thumb` })
  const post = sandbox.db.posts.find(({ mediaFiles }) => mediaFiles.length > 0)!
  expect((await ask('GET', `/_sandbox/data/posts/${post.id}`, asked)).body.picture).toMatch(
    /^media\/[\w-]+\/thumb$/,
  )
  const { body: chats } = await ask('GET', '/_sandbox/data/chats?limit=50&pictures=true', asked)
  expect(Object.values(chats.pictures)[0]).toMatch(/^files\/\d+\/avatar_c50\.svg$/)
  expect((await ask('GET', '/_sandbox/data/tags?limit=1', asked)).body).not.toHaveProperty(
    'pictures',
  )

  const thumb = await ask('GET', `/_sandbox/${Object.values(body.pictures)[0]}`)
  expect([thumb.status, thumb.headers['content-type']]).toEqual([200, 'image/jpeg'])
  const face = await ask('GET', `/_sandbox/${Object.values(chats.pictures)[0]}`)
  expect([face.status, face.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect((await ask('GET', '/_sandbox/media/none/thumb')).status).toBe(404)
  expect(
    (await ask('GET', '/_sandbox/media/none/thumb', { headers: { host: 'evil.example' } })).status,
  ).toBe(403)
  expect(sandbox.requests).toEqual([])
})
