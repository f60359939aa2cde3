import { SandboxError } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import type { AnyTableDefinition } from '../../src/data/tables.ts'
import { createSandbox } from '../../src/index.ts'
import { tableDefinitions, tableNames } from '../../src/resources/all-tables.ts'
import { openControlClient } from '../support/control.ts'
import { createFreshSandbox } from '../support/client.ts'

// The tests corrupt snapshots in ways that the type does not allow.
// oxlint-disable-next-line typescript/no-explicit-any
type Damaged = any

it('declares references to existing tables', () => {
  const targets = tableNames.flatMap((name) =>
    Object.values((tableDefinitions[name] as AnyTableDefinition).references ?? {}).filter(
      (target) => typeof target !== 'function',
    ),
  )
  expect(
    targets.flat().filter((target) => !(tableNames as readonly string[]).includes(target)),
  ).toEqual([])
})

describe('a snapshot', () => {
  it.each<[string, (snapshot: Damaged) => void, string | RegExp]>([
    [
      'a chat without its last message',
      ({ tables }) => (tables.chats[0].lastMessageId = 7),
      'lastMessageId is 7): there is no record with that id in messages. Add that record, or ' +
        'refer to another one.',
    ],
    [
      'a post with a strange file',
      ({ tables }) => tables.posts[0].mediaFiles.push(6),
      /mediaFiles\.\d is 6\): there is no record with that id in vaultMedia\./,
    ],
    [
      'an unknown member',
      ({ tables }) => (tables.userListMembers[0].userId = 5),
      'userId is 5): there is no record with that id in fans or accounts.',
    ],
    [
      'a share without its link',
      ({ tables }) => (tables.linkShares[0].linkId = 4),
      /linkId is 4\): there is no record with that id in (tracking|trial)Links\./,
    ],
    [
      'a sequence that has no more numbers',
      ({ worldState }) => (worldState.sequences.posts = Number.MAX_SAFE_INTEGER),
      'worldState.sequences.posts is 9007199254740991): Too big: expected number to be <=9000000000000000',
    ],
    [
      'an id that leaves later ones no room',
      ({ tables }) => (tables.tags.at(-1).id = Number.MAX_SAFE_INTEGER),
      '(tags 9007199254740991: id): it must be at most 9000000000000000, because later records ' +
        'get larger ids.',
    ],
    [
      'the same as a text',
      ({ tables }) => (tables.transactions.at(-1).id = '9007199254740991'),
      '(transactions 9007199254740991: id): it must be at most 9000000000000000',
    ],
  ])('with %s is refused, by table, id and field, and changes nothing', async (_, damage, text) => {
    const sandbox = await createFreshSandbox('solo')
    const before = JSON.stringify(sandbox.snapshot())
    const snapshot = JSON.parse(before) as Damaged
    damage(snapshot)
    const refused = await sandbox.restore(snapshot).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SandboxError)
    expect((refused as Error).message).toMatch(/^Failed to restore the snapshot \([\w.]+ /)
    expect((refused as Error).message).toMatch(text)
    expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  })

  it('of another account is rejected', async () => {
    const sandbox = await createFreshSandbox('agency')
    const snapshot = structuredClone(sandbox.snapshot()) as Damaged
    const [chat] = snapshot.tables.chats
    const other = snapshot.tables.messages.find(
      ({ accountId }: Damaged) => accountId !== chat.accountId,
    )
    chat.lastMessageId = other.id
    await expect(sandbox.restore(snapshot)).rejects.toThrow(
      `(chats ${chat.id}: lastMessageId is ${other.id}): that record of messages belongs to ` +
        `account ${other.accountId}, but this one to account ${chat.accountId}.`,
    )
  })
})

describe('a record that is inserted or updated', () => {
  it('references existing records', async () => {
    const { db } = await createFreshSandbox('solo')
    const [chat] = db.chats.all()
    const [post] = db.posts.all()
    const [subscription] = db.subscriptions.all()
    expect(() => db.chats.update(chat!.id, { lastMessageId: 7 })).toThrow(
      `Failed to update chats (${chat!.id}: lastMessageId is 7): there is no record with that ` +
        'id in messages. Insert that record first, or refer to another one.',
    )
    expect(() => db.subscriptions.insert({ ...subscription!, id: 5, fanId: 6 })).toThrow(
      'Failed to insert into subscriptions (5: fanId is 6): there is no record with that id in fans.',
    )
    expect(() => db.posts.put({ ...post!, mediaFiles: [4] })).toThrow(
      `Failed to update posts (${post!.id}: mediaFiles.0 is 4)`,
    )
    expect(db.chats.get(chat!.id)).toBe(chat)
    expect(db.subscriptions.get(5)).toBeUndefined()
    expect(db.chats.update(chat!.id, { lastReadMessageId: 0 }).lastReadMessageId).toBe(0)
  })

  it('has an id that leaves room for larger ids', async () => {
    const { db } = await createFreshSandbox('solo')
    const [label] = db.postLabels.all()
    expect(() => db.postLabels.insert({ ...label!, id: Number.MAX_SAFE_INTEGER })).toThrow(
      'Failed to insert into postLabels (id: 9007199254740991): it must be at most ' +
        '9000000000000000, because later records get larger ids.',
    )
    expect(db.postLabels.insert({ ...label!, id: 9_000_000_000_000_000 }).id).toBe(
      9_000_000_000_000_000,
    )
  })

  it('is reported by a check if its referenced record was removed', async () => {
    const sandbox = await createFreshSandbox('solo')
    const subscription = sandbox.db.subscriptions.all().at(-1)
    sandbox.db.fans.remove(subscription!.fanId)
    const found = sandbox
      .check()
      .invariants.find(({ name }) => name === 'records refer only to existing records')
    expect(found?.broken).toContain(
      `In subscriptions ${subscription!.id}: fanId is ${subscription!.fanId}, but there is no record with that id in fans.`,
    )
  })
})

describe('a hand-written record in a scenario', () => {
  const tag = { name: 'By hand', created_at: '2026-10-01T09:00:00.000Z' }

  it.each([
    [
      { tags: [{ ...tag, id: 900, organisation: 3 }] },
      'records.tags 900: organisation is 3): there is no record with that id in organisations. Add the record',
    ],
    [
      { tags: [{ ...tag, id: Number.MAX_SAFE_INTEGER, organisation: 1 }] },
      'records.tags 9007199254740991: id): it must be at most 9000000000000000',
    ],
  ])('is refused with what it names (%#)', async (records, text) => {
    const { ask, sandbox } = await openControlClient({ scenario: 'solo' })
    const yaml = JSON.stringify({ extends: 'solo', name: 'mine', records })
    const { status, body } = await ask('PUT', '/_sandbox/scenario', { body: { yaml } })
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining(`Failed to load the scenario (${text}`),
    ])
    expect(sandbox.control.state().scenario).toBe('solo')
  })

  it('can reference seeded and hand-written records', async () => {
    const seeded = await createFreshSandbox('solo')
    const [link] = seeded.db.trackingLinks.all()
    const sandbox = createSandbox({ scenario: 'solo' })
    await sandbox.control.loadScenario({
      yaml: JSON.stringify({
        extends: 'solo',
        name: 'mine',
        records: {
          tags: [{ ...tag, id: 900, organisation: 1 }],
          trackingLinks: [{ ...link, tags: [900] }],
        },
      }),
    })
    expect(sandbox.db.trackingLinks.get(link!.id)?.tags).toEqual([900])
  })
})
