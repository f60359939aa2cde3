import { readFileSync } from 'node:fs'
import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { loadShippedScenario } from '../../src/scenario/prepare.ts'
import { factories } from '../../src/resources/factories.ts'
import { derivedTables, tableNames } from '../../src/resources/all-tables.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { makeRecordInEachTable } from '../support/make-records.ts'
import { createFreshSandbox, openClient } from '../support/client.ts'
import { getIndexedTables } from '../support/indexed-tables.ts'

const solo = await loadShippedScenario(
  shippedScenarios.find(({ name }) => name === 'solo') as (typeof shippedScenarios)[number],
)

describe('making records', () => {
  it('has a function for each table that is not derived', () => {
    const tables = tableNames.filter((name) => !derivedTables.includes(name))
    expect(factories.kinds.map(({ table }) => table).toSorted()).toEqual(tables.toSorted())
  })

  it('is documented for each table', () => {
    const page = readFileSync(new URL('../../docs/making-records.md', import.meta.url), 'utf8')
    const lines = [...page.matchAll(/^\| `make\.(\w+)` \| `(\w+)` /gm)]
    const told = lines.map(([, name, table]) => `${name} ${table}`)
    expect(told.toSorted(), 'Write a line for each into docs/making-records.md').toEqual(
      factories.kinds.map(({ name, table }) => `${name} ${table}`).toSorted(),
    )
  })

  // make.long.test.ts tests the other scenarios.
  it.each(['empty', 'solo', 'boundaries', 'launch-day'])(
    'makes one of each record in %s, without breaking invariants',
    async (name) => {
      const sandbox = await createFreshSandbox(name)
      const made = makeRecordInEachTable(sandbox)
      expectNoViolations(sandbox)
      expect(Object.keys(made)).toHaveLength(factories.kinds.length)
    },
  )
})

describe('a made record', () => {
  it('is visible in each route, and has plausible values', async () => {
    const { sandbox, get, account } = await openClient('solo')
    const post = sandbox.make.post({ text: '<p>Made by hand</p>' })
    const fan = sandbox.make.fan({ name: 'Mo' })
    const subscription = sandbox.make.subscription({ fanId: fan.id })
    const tip = sandbox.make.transaction({ fanId: fan.id, postId: post.id, amount: 20 })
    const { body } = await get(`/v1/${account()}/posts?limit=1`)
    expect(body.data.list[0]).toMatchObject({
      id: post.id,
      rawText: 'Made by hand',
      tipsAmount: '$20.00',
    })
    expect(subscription).toMatchObject({ accountId: account(), price: 9.99, isExpired: false })
    const net = 16 - (tip.vat_amount ?? 0)
    expect(tip).toMatchObject({ category: 'tip', status: 'done', net, currency: 'USD' })
    expectNoViolations(sandbox)
  })

  it('is the same for the same seed, and changes no other random values', async () => {
    const [one, other, untouched] = await Promise.all([
      createFreshSandbox('solo'),
      createFreshSandbox('solo'),
      createFreshSandbox('solo'),
    ])
    expect([one.make.fan(), one.make.fan()]).toEqual([other.make.fan(), other.make.fan()])
    expect(one.make.post()).toEqual(other.make.post())
    const act = (sandbox: Sandbox) => sandbox.act({ type: 'tip', amount: 20 }).happened
    expect(act(one)).toBe(act(untouched))
  })
  it('triggers scheduled events like any other', async () => {
    const sandbox = await createFreshSandbox('solo')
    const { id } = sandbox.make.post({ at: '2026-10-02T00:00:00Z' })
    expect(sandbox.db.posts.get(id)?.status).toBe('scheduled')
    sandbox.clock.advance('2d')
    expect(sandbox.db.posts.get(id)?.status).toBe('published')
  })

  it('takes its account, fan and references from the world if they are unambiguous', async () => {
    const sandbox = await createFreshSandbox('empty')
    const { id: fanId } = sandbox.make.fan()
    sandbox.make.subscription()
    const chat = sandbox.make.chat()
    const message = sandbox.make.message({ isFromFan: true, text: 'Hi' })
    expect([chat.fanId, message.chatId]).toEqual([fanId, chat.id])
    expect(sandbox.db.chats.get(chat.id)?.unreadCount).toBe(1)
    const earlier = sandbox.make.message({ at: '-1d' })
    expect(earlier.id).toBeLessThan(message.id)
    expectNoViolations(sandbox)
  })

  it.each<[string, (sandbox: Sandbox) => unknown, RegExp]>([
    [
      'the account',
      ({ make }) => make.post(),
      /^Failed to make the post \(accountId\): it is missing, and several could be meant \(account: \d+, \d+/,
    ],
    [
      'the fan',
      ({ make, db }) => make.chat({ accountId: db.accounts.slice(0, 1)[0]?.id }),
      /^Failed to make the chat \(fanId\): .*several could be meant \(fan of the account .*…\)\. Set the field\.$/,
    ],
    [
      'an unknown field',
      ({ make }) => make.fan({ nam: 'Mo' } as object),
      /^Failed to make the fan \(nam\): there is no such field\. The fields are id, name/,
    ],
    [
      'a field of another type',
      ({ make }) => make.post({ mediaFiles: 5 } as object),
      /^Failed to make the post \(mediaFiles: 5\): Invalid input: expected array/,
    ],
    [
      'no fields',
      ({ make }) => make.fan(5 as never),
      /^Failed to make the fan \(5\): it must be an object/,
    ],
    [
      'a time to come',
      ({ make }) => make.fan({ at: '2030-01-01T00:00:00Z' }),
      /only posts and mass messages can be in the future\. Use a time up to now \(.*\), or advance the clock first\.$/,
    ],
    [
      'a strange time',
      ({ make }) => make.fan({ at: 'soon' }),
      /^Failed to make the fan \(at: "soon"\): it must be a Date, epoch ms, RFC 3339/,
    ],
    [
      'a record that is not there',
      ({ make }) => make.comment({ postId: 7, accountId: 1, fanId: 2 }),
      /there is no record with that id in accounts/,
    ],
    [
      'a subscription that exists already',
      ({ make, db }) => {
        const { fanId, accountId } = db.subscriptions.slice(0, 1)[0]!
        return make.subscription({ fanId, accountId })
      },
      /the fan already has subscription \d+ to account \d+\. Update that subscription/,
    ],
  ])('says what it lacks or what is wrong: %s', async (_, make, message) => {
    const sandbox = await createFreshSandbox('agency')
    const before = JSON.stringify(sandbox.db.accounts.all())
    expect(() => make(sandbox)).toThrow(message)
    expect(() => make(sandbox)).toThrow(SandboxError)
    expect(JSON.stringify(sandbox.db.accounts.all())).toBe(before)
  })

  it('survives a snapshot, and is removed by a reset', async () => {
    const sandbox = await createFreshSandbox('solo')
    makeRecordInEachTable(sandbox)
    const copy = await createFreshSandbox('solo')
    await copy.control.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
    expect(copy.snapshot()).toEqual(sandbox.snapshot())
    expectNoViolations(copy)
    await sandbox.reset()
    expect(sandbox.snapshot().tables).toEqual((await createFreshSandbox('solo')).snapshot().tables)
  })
})

describe('the defaults', () => {
  it('complete records inserted into a table', async () => {
    const sandbox = await createFreshSandbox('solo')
    expect(sandbox.db.tags.insert({ name: 'Mine' })).toMatchObject({ organisation: 1, color: null })
    expect(() => sandbox.db.tags.insert({ nam: 'Mine' } as object)).toThrow('no such field')
  })

  it('complete the records of a scenario, in any order', async () => {
    const scenario = await parseScenario(
      `extends: solo
name: own
records:
  comments: [{ postId: 7, fanId: 9, text: Nice }]
  posts: [{ id: 7, text: Hello, at: -2d }]
  subscriptions: [{ fanId: 9 }]
  fans: [{ id: 9, name: Mo }]
`,
      'own.yaml',
      { names: ['solo'], find: async () => solo },
    )
    const sandbox = createSandbox({ scenario })
    await sandbox.ready
    expect(sandbox.db.posts.get(7)).toMatchObject({
      text: 'Hello',
      postedAt: '2026-09-29T09:30:00.000Z',
      commentCount: 1,
    })
    expect(getIndexedTables(sandbox.db).comments.in('byPost', 7).at(0)).toMatchObject({
      text: 'Nice',
      fanId: 9,
    })
    expectNoViolations(sandbox)
  })

  it('name an incomplete record of a scenario in the error', async () => {
    const scenario = await parseScenario(
      '{ extends: solo, name: own, records: { comments: [{ text: Nice }] } }',
      'own.yaml',
      { names: [], find: async () => solo },
    )
    await expect(createSandbox({ scenario }).ready).rejects.toThrow(
      /^Failed to load the scenario \(records\.comments\.0\): Failed to make the comment \(fanId\)/,
    )
  })
})
