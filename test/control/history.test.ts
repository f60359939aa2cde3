import { expect, it } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const account = 401_200_300

it('lists the changes of a record with time and cause: a request, an action, the story, a manual edit, code', async () => {
  const sandbox = await createFreshSandbox('launch-day')
  const changes = (table: string, id: number | string) =>
    sandbox.control.record(table, id).changed_by
  expect((await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Mine' })).status).toBe(200)
  const { id: tag } = sandbox.db.tags.find({ name: 'Mine' })!
  expect(changes('tags', tag)).toEqual([
    {
      by: 'request',
      id: 1,
      text: 'POST /v1/tags',
      at: '2026-09-12T08:00:00.000Z',
      did: 'added',
      fields: [],
    },
  ])
  sandbox.control.updateRecord('tags', tag, { color: 'red' })
  expect(changes('tags', tag)[0]).toMatchObject({
    by: 'hand',
    id: null,
    did: 'changed',
    fields: ['color'],
  })
  sandbox.db.tags.update(tag, { name: 'Yours' })
  expect(changes('tags', tag)[0]).toMatchObject({ by: 'program', did: 'changed', fields: ['name'] })

  const { ids } = sandbox.act({ type: 'tip', account_id: account, amount: 20 })
  const { id, text } = sandbox.control.happenings().at(-1)!
  expect(changes('transactions', ids.transaction)).toMatchObject([
    { by: 'action', id, text, did: 'added' },
  ])

  sandbox.seek('2m')
  const played = sandbox.control.happenings().findLast(({ type }) => type === 'tip')!
  expect(changes('transactions', String(played.ids?.['transaction']))[0]).toMatchObject({
    by: 'story',
    id: played.id,
    at: played.at,
  })
})

it("contains the amount and the creator's share in the event of a payment", async () => {
  const sandbox = await createFreshSandbox()
  const { ids } = sandbox.act({ type: 'tip', amount: 20 })
  const { amount, fee, net } = sandbox.db.transactions.get(ids.transaction)!
  expect(sandbox.control.happenings().at(-1)?.payment).toEqual({ amount, tax: 0, fee, net })
  expect([amount, net < 20]).toEqual([20, true])
  sandbox.act({ type: 'post.like' })
  expect(sandbox.control.happenings().at(-1)).not.toHaveProperty('payment')
})

it('drops changes that were rolled back or undone by a seek back', async () => {
  const sandbox = await createFreshSandbox('launch-day')
  const { id } = sandbox.db.posts.all()[0]!
  const count = () => sandbox.control.record('posts', id).changed_by.length
  sandbox.control.updateRecord('posts', id, { isPinned: true })
  expect(count()).toBe(1)
  expect(() =>
    sandbox.act([
      { type: 'post.comment', account_id: account, post_id: id },
      { type: 'post.delete', post_id: 7 } as never,
    ]),
  ).toThrow(/post.delete|no such/)
  expect(() => sandbox.control.updateRecord('posts', id, { price: 'free' })).toThrow(/price/)
  expect(count()).toBe(1)
  await sandbox.reset()
  expect(count()).toBe(0)
})

it('stores the last twenty changes of a record', async () => {
  const sandbox = await createFreshSandbox('solo')
  const { id } = sandbox.db.posts.all()[0]!
  for (let turn = 0; turn < 25; turn += 1) sandbox.db.posts.update(id, { likeCount: turn + 1_000 })
  const { changed_by: changes } = sandbox.control.record('posts', id)
  expect(changes).toHaveLength(20)
})

it('names the clock as the cause of due effects', async () => {
  const sandbox = await createFreshSandbox('solo')
  const { id } = sandbox.db.posts.find({ status: 'scheduled' })!
  sandbox.clock.advance('60d')
  expect(sandbox.control.record('posts', id).changed_by.map(({ by }) => by)).toContain('clock')
})

it('ignores changes of credits, so a client that only reads causes no history', async () => {
  const sandbox = await createFreshSandbox('bad-day')
  await sendAsOwner(sandbox, 'GET', '/v1/tags')
  expect(sandbox.db.organisations.get(1)?.credits).toBe(4_999)
  expect(sandbox.control.record('organisations', 1).changed_by).toEqual([])
  expect(sandbox.control.startRecording().gap).toBeNull()
})
