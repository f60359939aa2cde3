import { expect, it } from 'vitest'
import { createBearerHeader, openControlClient } from '../support/control.ts'
import type { ControlClient } from '../support/control.ts'

const account = 100_200_300
const share = async (person: ControlClient, key: string | undefined) => {
  const { body } = await person.ask('POST', `/v1/${account}/tracking-links`, {
    ...createBearerHeader(key),
    body: { name: 'Shared' },
  })
  const answer = await person.ask('POST', `/v1/${account}/tracking-links/${body.data.id}/shares`, {
    ...createBearerHeader(key),
    body: {},
  })
  expect(answer.status).toBe(200)
}
const tokens = (person: ControlClient) => person.sandbox.db.linkShares.all().map(({ id }) => id)

it('keeps the keys of the main world when the snapshot of another world is restored into it', async () => {
  const person = await openControlClient()
  const { sandbox } = person
  const { id } = sandbox.control.createWorld()
  const keys = sandbox.keys
  await sandbox.restore(sandbox.control.world(id).snapshot())
  expect(sandbox.keys).toEqual(keys)
  const { body } = await person.ask('POST', `/v1/${account}/posts`, {
    ...createBearerHeader(keys['owner']),
    body: { text: 'To the first' },
  })
  expect(sandbox.db.posts.get(body.data.id)).toBeDefined()
  expect(
    sandbox.control.world(id).data('posts', { filters: { id: String(body.data.id) } }).total,
  ).toBe(0)
})

it('opens each public page in its own world, after any snapshot is restored', async () => {
  const person = await openControlClient()
  const { sandbox } = person
  await share(person, sandbox.keys['owner'])
  const { id, keys } = sandbox.control.createWorld()
  const control = sandbox.control.world(id)
  await share(person, keys['owner'])
  const theirs = () => (control.data('linkShares').items as { id: string }[]).map((row) => row.id)
  const disjoint = () =>
    expect(tokens(person).filter((token) => theirs().includes(token))).toEqual([])
  disjoint()
  await sandbox.restore(control.snapshot())
  expect(tokens(person)).toHaveLength(theirs().length)
  disjoint()
  await control.restore(sandbox.snapshot())
  disjoint()
  const [token] = tokens(person)
  expect((await person.ask('GET', `/share/${token}`)).status).toBe(200)
  expect(sandbox.requests[0]?.path).toBe(`/share/${token}`)
})

it('includes the world in the URL of a public page, and also opens it without the world', async () => {
  const person = await openControlClient()
  const { sandbox, ask } = person
  const { keys } = sandbox.control.createWorld({ name: 'worker-3' })
  await share(person, sandbox.keys['owner'])
  await share(person, keys['owner'])
  const [main = '', theirs = ''] = [sandbox, sandbox.world('worker-3')].map(
    ({ requests: [last] }) => last?.response.json<{ data: { url: string } }>().data.url,
  )
  expect(main).not.toContain('?')
  expect(theirs).toMatch(/\/share\/[\da-f-]{36}\?world=worker-3$/)
  const address = theirs.slice(sandbox.baseUrl.length)
  const statusOf = async (path: string) => (await ask('GET', path)).status
  expect([await statusOf(address), await statusOf(address.replace(/\?.*/, ''))]).toEqual([200, 200])
  expect(await statusOf(address.replace('worker-3', 'worker-4'))).toBe(404)
  expect(sandbox.world('worker-3').requests[0]?.ignored).toEqual([])
})
