import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { tableNames } from '../../src/resources/all-tables.ts'
import type { TableName } from '../../src/resources/all-tables.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { fillTexts } from '../../src/scenario/fill-texts.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const file = `
name: mine
now: 2026-10-01T09:30:00Z
organisations:
  - name: '{{person.fullName}}'
    roles: { owner: ['*'] }
    accounts:
      - { id: 7, username: '{{internet.username}}', name: '{{person.fullName}}', about: '\\{{hi}}' }
records:
  fans:
    - { id: 100, count: 5, name: '{{person.fullName}}' }
    - { count: 2, name: 'Fan \\{{name}}' }
  chats:
    - { accountId: 7, fanId: 102 }
  messages:
    - { accountId: 7, fanId: 102, isFromFan: true, text: '{{helpers.arrayElement(["Hi", "Hello"])}} {{word.noun}}', at: -2d }
timeline:
  - { at: +1m, note: '{{person.firstName}} joins', do: { type: subscriber.new, account_id: 7, name: '{{person.fullName}}', username: '{{internet.username}}' } }
  - { at: +1m, do: { type: post.publish, account_id: 7, text: '\\{{literal}} {{word.noun}}' } }
`
const load = async (yaml: string, options: SandboxOptions = {}) => {
  const sandbox = createSandbox({ ...options, scenario: await parseScenario(yaml, 'mine.yaml') })
  await sandbox.ready
  return sandbox
}
const readTexts = async (yaml: string, options: SandboxOptions = {}) => {
  const sandbox = await load(yaml, options)
  const { problems } = await sandbox.play()
  return {
    problems,
    account: sandbox.db.accounts.get(7),
    fans: sandbox.db.fans.all().map(({ id, name }) => ({ id, name })),
    messages: sandbox.db.messages.all().map(({ text }) => text),
    posts: sandbox.db.posts.all().map(({ text }) => text),
    usernames: sandbox.db.fans.all().map(({ username }) => username),
  }
}

it('fills in the texts of accounts, records and steps, for each record', async () => {
  const { account, fans, messages, posts, usernames, problems } = await readTexts(file)

  expect(problems).toEqual([])
  expect(account).toMatchObject({ about: '{{hi}}', name: expect.stringMatching(/^[^{]+$/) })
  expect(account?.username).toMatch(/^[\w.-]+$/)
  const counted = fans.filter(({ id }) => id >= 100 && id < 105)
  expect(counted).toHaveLength(5)
  expect(new Set(counted.map(({ name }) => name)).size).toBe(5)
  expect(fans.filter(({ name }) => name === 'Fan {{name}}')).toHaveLength(2)
  expect(messages).toEqual([expect.stringMatching(/(Hi|Hello) \w+/)])
  expect(posts).toEqual([expect.stringMatching(/{{literal}} \w+/)])
  expect(JSON.stringify([fans, usernames])).not.toContain('{{person')
})

it('returns the same texts for the same seed, and others for another seed or language', async () => {
  const german = file.replace('name: mine', 'name: mine\nlocale: de')
  const nameOf = async (...args: Parameters<typeof readTexts>) =>
    (await readTexts(...args)).fans.find(({ id }) => id === 100)?.name

  expect(await readTexts(file)).toEqual(await readTexts(file))
  expect(await nameOf(file)).not.toBe(await nameOf(file, { seed: 5 }))
  expect(await nameOf(file)).not.toBe(await nameOf(german))
})

it('keeps the texts of a record if other records are added', async () => {
  const more = file.replace('  fans:\n', '  fans:\n    - { id: 90, name: "{{person.fullName}}" }\n')
  const [before, after] = [(await readTexts(file)).fans, (await readTexts(more)).fans]

  expect(after).toEqual(expect.arrayContaining(before.filter(({ id }) => id >= 100 && id < 105)))
})

it('never fills in names of organisations, chapters, requests, and what tests or clients send', async () => {
  const text = '{{person.fullName}}'
  const yaml = file.replace(
    'timeline:',
    `timeline:
  - { at: +1s, chapter: '${text}', request: { key: owner, method: POST, path: /v1/7/posts, body: { text: '${text}' } } }`,
  )
  const sandbox = await load(yaml)
  await sandbox.play()
  sandbox.act({ type: 'post.publish', text })
  sandbox.make.post({ text })
  sandbox.control.act({ type: 'post.publish', text })
  await sendAsOwner(sandbox, 'POST', '/v1/7/posts', { text })

  expect(sandbox.db.organisations.get(1)?.name).toBe(text)
  expect(sandbox.control.replay().chapters).toMatchObject([{ name: text }])
  expect(sandbox.db.posts.all().filter((post) => post.text.includes(text))).toHaveLength(5)
})

it.each([
  [
    ', name: "{{person.fullName}}"',
    ', name: "{{person.fullNam}}"',
    /mine\.yaml:\d+:\d+, at organisations\.0\.accounts\.0\.name\): it is "{{person.fullNam}}", but .*there is no person\.fullNam; did you mean person\.fullName/,
  ],
  [
    'count: 5',
    'count: 1e9',
    /at records\.fans\.0\.count\): it is 1000000000, but it must be at most 1000000/,
  ],
  ['count: 5', 'count: 999999', /at records\.fans\): .*at most 1000000 records/],
  [
    '{{word.noun}}',
    '{{string.alpha(30000000)}}',
    /at records\.messages\.0\.text\).*more than 10000/,
  ],
  [
    '{{person.firstName}} joins',
    '{{person.firstNam}} joins',
    /at timeline\.0\.note\).*did you mean person\.firstName/,
  ],
  [
    'name: mine',
    'name: mine\nlocale: den',
    /mine\.yaml:3:9, at locale\): it is "den", but .*did you mean de\?/,
  ],
  [
    '{{internet.username}}',
    '{{string.alpha(300)}}',
    /accounts\.0\.username\): its template results in .*at most 200 characters/,
  ],
])('rejects %s → %s with its position', async (good, bad, message) => {
  const yaml = file.replace(good.replaceAll('"', "'"), bad.replaceAll('"', "'"))
  expect(yaml).not.toBe(file)
  const error = await load(yaml).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(SandboxError)
  expect((error as Error).message).toMatch(message)
})

it('loads faker only for scenarios with templates', async () => {
  const scenario = await parseScenario(file.replaceAll(/(?<!\\){{/g, '\\{{'), 'mine.yaml')
  const filled = await fillTexts(scenario, { seed: 1, start: 0 })

  expect(filled.organisations[0]?.accounts[0]?.name).toBe('{{person.fullName}}')
  expect(
    await fillTexts({ ...scenario, locale: 'xx' as 'en' }, { seed: 1, start: 0 }),
  ).toMatchObject({ name: 'mine' })
})

it('writes everything as a scenario that results in the same world', async () => {
  const sandbox = await createFreshSandbox('everything')
  const { yaml } = await sandbox.control.presentScenario()
  const again = await load(yaml)

  expect(sandbox.db.trackingLinks.get(6104)?.campaignName).toBe('Over: hello {{name}}')
  expect(yaml).toContain('Over: hello \\\\{{name}}')
  for (const table of tableNames)
    expect([table, toMap(again, table)]).toEqual([table, toMap(sandbox, table)])
  const { yaml: second } = await again.control.presentScenario()
  expect(second.replace('the scenario present', 'the scenario everything') === yaml).toBe(true)
})

function toMap({ db }: Sandbox, table: TableName): object {
  return Object.fromEntries(db[table].all().map((row) => [row.id, row]))
}

it('records texts with braces, which a replay does not fill in', async () => {
  const sandbox = await load(file)
  sandbox.control.startRecording()
  sandbox.act({ type: 'post.publish', text: 'Hello {{person.fullName}}' })
  const { yaml } = await sandbox.control.stopRecording()
  const again = await load(yaml)
  const { problems } = await again.play()

  expect(problems).toEqual([])
  expect(again.db.posts.all().map(({ text }) => text)).toContainEqual(
    expect.stringContaining('Hello {{person.fullName}}'),
  )
  expect(again.db.fans.get(100)).toEqual(sandbox.db.fans.get(100))
})
