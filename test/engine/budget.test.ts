import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { openControl } from '../support/control.ts'

const small = (data: object) => ({
  name: 'small',
  now: '2026-10-01T09:00:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data }],
    },
  ],
})
const budgetSentence = /budget of 16 MB .*--max-memory/
const text = 'x'.repeat(50_000)

it('answers writes beyond the budget with 503, takes them back, and goes on with reads and deletions', async () => {
  const sandbox = createSandbox({
    baseUrl: 'https://api.example.test',
    scenario: small({ posts: 5 }),
    maxMemory: 16,
    journalSize: 10,
  })
  await sandbox.ready
  const call = (method: string, url: string, body: object | null = null) =>
    sandbox.handle({
      method,
      url,
      header: (name) =>
        ({ authorization: `Bearer ${sandbox.keys['owner']}`, 'content-type': 'application/json' })[
          name
        ] ?? null,
      body: body === null ? null : JSON.stringify(body),
    })
  let last = await call('POST', '/v1/7/posts', { text })
  for (let attempt = 0; last.status === 200 && attempt < 900; attempt += 1)
    last = await call('POST', '/v1/7/posts', { text })

  expect(last.status).toBe(503)
  expect(JSON.parse(String(last.body))).toEqual({ error: expect.stringMatching(budgetSentence) })
  expect(sandbox.requests[0]).toMatchObject({
    status: 503,
    error: expect.stringMatching(budgetSentence),
  })
  expect(sandbox.check()).toMatchObject({ holds: true })
  expect((await call('GET', '/v1/7/posts')).status).toBe(200)
  for (const { id } of sandbox.db.posts.all().slice(-3))
    expect((await call('DELETE', `/v1/7/posts/${id}`)).status).toBe(200)
  expect((await call('POST', '/v1/7/posts', { text })).status).toBe(200)
  await sandbox.reset()
  expect(sandbox.db.posts.size).toBe(5)
  expect((await call('POST', '/v1/7/posts', { text })).status).toBe(200)
})

it.each([
  [
    '300 conversations of a million messages',
    { fans: 300, chats: 300, messagesPerChat: 1_000_000 },
  ],
  ['a million fans', { fans: 1_000_000 }],
  ['a million payments', { fans: 5, transactions: 1_000_000 }],
])('refuses to seed %s, and says so', async (_, data) => {
  const { sandbox, ask } = await openControl({ options: { scenario: small({}), maxMemory: 16 } })
  const { budget } = sandbox
  const before = budget!.used
  const yaml = JSON.stringify(small(data))
  expect(await ask('PUT', '/_sandbox/scenario', { body: { yaml } })).toMatchObject({
    status: 507,
    body: { error: expect.stringMatching(budgetSentence) },
  })
  expect(budget!.used).toBe(before)
  expect(await ask('GET', '/_sandbox/state')).toMatchObject({
    status: 200,
    body: { scenario: 'small' },
  })
})

it('shares one budget between worlds, and gives back what a removed world took', async () => {
  const { sandbox, ask } = await openControl({
    options: { scenario: small({ posts: 1000 }), maxMemory: 16 },
  })
  const { budget } = sandbox
  const before = budget!.used
  const made: string[] = []
  let answer = await ask('POST', '/_sandbox/worlds')
  for (; answer.status === 200; answer = await ask('POST', '/_sandbox/worlds'))
    made.push(answer.body.id)
  expect(answer).toMatchObject({
    status: 507,
    body: { error: expect.stringMatching(budgetSentence) },
  })
  expect(made.length).toBeGreaterThan(10)
  for (const id of made) await ask('DELETE', `/_sandbox/worlds/${id}`)
  expect(budget!.used).toBe(before)
})

it('counts the same after what was taken back, and after a reset', async () => {
  const sandbox = createSandbox({
    baseUrl: 'https://api.example.test',
    scenario: 'solo',
    maxMemory: 64,
  })
  await sandbox.ready
  const { budget } = sandbox
  const before = budget!.used
  const account = sandbox.db.accounts.all()[0]!.id
  expect(() =>
    sandbox.act([
      { type: 'subscriber.new', account_id: account },
      { type: 'session.lapse', account_id: 1 },
    ]),
  ).toThrow('account_id')
  expect(budget!.used).toBe(before)
  sandbox.act([{ type: 'subscriber.new', account_id: account }])
  expect(budget!.used).toBeGreaterThan(before)
  await sandbox.reset()
  expect(budget!.used).toBe(before)
})

it.each([
  ['as this process wrote it', (snapshot: object) => snapshot],
  ['from its JSON', (snapshot: object) => JSON.parse(JSON.stringify(snapshot)) as object],
])(
  'holds and counts a record once that a snapshot brings back as reset would: %s',
  async (_, read) => {
    const sandbox = createSandbox({
      baseUrl: 'https://api.example.test',
      scenario: 'solo',
      maxMemory: 64,
    })
    await sandbox.ready
    const { budget } = sandbox
    const seeded = budget!.used
    const [first, second] = sandbox.db.posts.all()
    sandbox.db.posts.update(second!.id, { text: 'changed' })
    await sandbox.restore(read(sandbox.snapshot()))
    expect(sandbox.db.posts.get(first!.id)).toBe(first)
    expect(sandbox.db.posts.get(second!.id)).toMatchObject({ text: 'changed' })
    // What is built of records counts anew where it is built anew.
    expect(budget!.used / seeded).toBeLessThan(1.2)
    await sandbox.reset()
    expect(sandbox.db.posts.get(second!.id)).toBe(second)
  },
)

it('lets journals keep fewer requests rather than the records', async () => {
  const sandbox = createSandbox({
    baseUrl: 'https://api.example.test',
    scenario: small({ posts: 100 }),
    maxMemory: 16,
    journalSize: 100_000,
  })
  await sandbox.ready
  const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys['owner']}` }
  for (let turn = 0; turn < 1000; turn += 1)
    await sandbox.handle({
      method: 'GET',
      url: '/v1/7/posts?limit=100',
      header: (name) => headers[name] ?? null,
      body: null,
    })
  expect(sandbox.budget!.used).toBeLessThan(sandbox.budget!.limit)
  expect(sandbox.requests.length).toBeGreaterThan(10)
  expect(sandbox.requests.length).toBeLessThan(1000)
})
