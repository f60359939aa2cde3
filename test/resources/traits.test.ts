import { readFileSync } from 'node:fs'
import type { Sandbox } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import { startServer } from 'creator-api-sandbox/server'
import { expect, it } from 'vitest'
import { createFreshSandbox, openClient } from '../support/client.ts'
import { expectNoViolations, expectResponsesMatchRecords } from '../support/invariants.ts'
import { idsOf } from '../support/read-all-pages.ts'

const traits = {
  fan: ['whale', 'lapsed', 'trial', 'silent'],
  post: ['paid', 'scheduled', 'viral'],
  message: ['paid', 'unread'],
} as const
const allTraits = Object.entries(traits).flatMap(([name, own]) =>
  own.map((trait) => ({ name: name as keyof typeof traits, trait })),
)

/** Makes a record with a trait whose name the compiler does not know. */
const makeAny = (sandbox: Sandbox, name: string, fields: object) =>
  (sandbox.make as unknown as Record<string, (fields: object) => { id: number }>)[name]?.(fields)

it.each(allTraits)('makes a $trait $name whose records are consistent', async ({ name, trait }) => {
  for (const scenario of ['empty', 'solo', 'launch-day']) {
    const sandbox = await createFreshSandbox(scenario)
    const accountId = sandbox.accounts[0]?.id
    makeAny(sandbox, name, { trait, accountId })
    makeAny(sandbox, name, { trait, accountId })
    expectNoViolations(sandbox)
    if (scenario !== 'launch-day') await expectResponsesMatchRecords(sandbox, { most: 5 })
  }
})

it('makes fans with subscriptions and payments', async () => {
  const { sandbox, get, account } = await openClient('empty')
  const whale = sandbox.make.fan({ trait: 'whale', name: 'Wanda' })
  const lapsed = sandbox.make.fan({ trait: 'lapsed' })
  const trial = sandbox.make.fan({ trait: 'trial' })
  const silent = sandbox.make.fan({ trait: 'silent' })
  const payments = (fan: { id: number }, category: string) =>
    sandbox.db.transactions.where((row) => row.fanId === fan.id && row.category === category).length
  expect(whale.name).toBe('Wanda')
  const fans = [whale, lapsed, trial, silent]
  expect(fans.map((fan) => payments(fan, 'tip'))).toEqual([10, 0, 0, 0])
  expect(fans.map((fan) => payments(fan, 'new_subscription'))).toEqual([1, 1, 0, 1])
  const list = async (type: string) => {
    const { body } = await get(`/v1/${account()}/subscribers?type=${type}`)
    return idsOf(body.data.list as { id: number }[]).toSorted()
  }
  expect(await list('active')).toEqual([whale.id, trial.id, silent.id].toSorted())
  expect(await list('expired')).toEqual([lapsed.id])
})

it('makes posts and messages with everything that they need', async () => {
  const { sandbox, get, account } = await openClient('empty')
  const paid = sandbox.make.post({ trait: 'paid', price: 25 })
  expect([paid.price, paid.mediaFiles]).toEqual([25, [sandbox.db.vaultMedia.all()[0]?.id]])
  expect(sandbox.make.post({ trait: 'scheduled' }).status).toBe('scheduled')
  const viral = sandbox.make.post({ trait: 'viral', text: '<p>Everywhere</p>' })
  expect(viral).toMatchObject({ text: '<p>Everywhere</p>', commentCount: 10, tipCount: 5 })
  const unread = sandbox.make.message({ trait: 'unread', text: 'Hi' })
  const offer = sandbox.make.message({ trait: 'paid', fanId: unread.fanId })
  expect([offer.chatId, offer.price, offer.purchasedAt]).toEqual([unread.chatId, 20, null])
  const { body } = await get(`/v1/${account()}/chats?filter=unread`)
  expect(body.data.list).toHaveLength(1)
})

it('makes many records at once', async () => {
  const sandbox = await createFreshSandbox('empty')
  const fans = sandbox.make.fan.many(50, (index) => ({ name: `Fan ${index}` }))
  expect(fans.map(({ name }) => name)).toEqual(fans.map((_, index) => `Fan ${index}`))
  const paid = sandbox.make.post.many(3, { trait: 'paid' })
  expect(paid.map(({ price }) => price)).toEqual([15, 15, 15])
  expect(sandbox.make.tag.many(0)).toEqual([])
  expectNoViolations(sandbox)
})

it('makes none of many records if one is invalid', async () => {
  const sandbox = await createFreshSandbox('empty')
  expect(() =>
    sandbox.make.fan.many(3, (index) => (index === 2 ? ({ nam: 'Mo' } as object) : {})),
  ).toThrow('Failed to make the fan (nam)')
  expect(sandbox.db.fans.size).toBe(0)
})

it.each<[string, (sandbox: Sandbox) => unknown, string]>([
  [
    'an unknown trait',
    ({ make }) => make.fan({ trait: 'whales' as never }),
    'Failed to make the fan (trait: "whales"): it must be one of whale, lapsed, trial, silent (did you ' +
      'mean whale?).',
  ],
  [
    'a trait of a record without traits',
    ({ make }) => make.tag({ trait: 'paid' } as object),
    'Failed to make the tag (trait: "paid"): only fans, posts and messages have traits.',
  ],
  [
    'an ambiguous account',
    ({ make }) => make.fan({ trait: 'whale' }),
    'Failed to make the fan (accountId): it is missing, and several could be meant (account: ',
  ],
  [
    'a count that is no integer',
    ({ make }) => make.fan.many(1.5),
    'Failed to make the records (fan: 1.5): the count must be an integer from 0 to 10000.',
  ],
])('refuses %s', async (_, make, message) => {
  const sandbox = await createFreshSandbox('agency')
  expect(() => make(sandbox)).toThrow(message)
})

it('makes the same records in a world and over HTTP', async () => {
  await using server = await startServer({ port: 0, scenario: 'solo' })
  const local = await createFreshSandbox('solo')
  const world = await connect(server.url).createWorld()
  const whale = local.make.fan({ trait: 'whale' })
  expect(await world.insertRecord('fans', { trait: 'whale' })).toEqual(whale)
  const fans = local.make.fan.many(2, { trait: 'trial' })
  expect(await world.insertRecords('fans', [{ trait: 'trial' }, { trait: 'trial' }])).toEqual(fans)
  expect(await world.check()).toMatchObject({ holds: true })
  const response = await fetch(`${server.url}/_sandbox/data/posts?world=${world.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ trait: 'paid' }, { trait: 'virl' }]),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: expect.stringContaining('Failed to make the post (trait: "virl"): it must be one of'),
    field: 'trait',
  })
  expect(await world.tables()).toMatchObject({ posts: local.db.posts.size })
})

it('has a line in the docs for each trait', () => {
  const page = readFileSync(new URL('../../docs/making-records.md', import.meta.url), 'utf8')
  const lines = [...page.matchAll(/^\| `make\.(\w+)\(\{ trait: '(\w+)' \}\)` /gm)]
  expect(lines.map(([, name, trait]) => ({ name, trait }))).toEqual(allTraits)
})
