import { createSandbox } from 'creator-api-sandbox'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { WorldQueue } from '../../src/sandbox/world-queue.ts'
import { sendAsOwner } from '../support/client.ts'
import { openControlClient, refusal } from '../support/control.ts'

const sandbox = createSandbox({ scenario: 'agency' })
let account = 0
beforeAll(async () => {
  await sandbox.ready
  account = sandbox.accounts[0]?.id ?? 0
})

/** Sends a GET request and returns the explanation of its response. */
async function explain(path: string, from = sandbox): Promise<string[]> {
  await sendAsOwner(from, 'GET', `/v1/${account}${path}`)
  return (await from.control.request(from.requests[0]?.id ?? 0)).explanation
}

it.each([
  ['/posts?query=zzzz', 'query=zzzz leaves no rows\\. Without this parameter, the list now has'],
  ['/chats?query=zzzz&filter=unread', 'query=zzzz leaves no rows\\. Without this parameter, the'],
  ['/subscribers?offset=50000', 'offset 50000 is past the end: the list now has \\d+ rows\\.$'],
  [
    '/posts?before_publish_time=1000000000.000000',
    'before_publish_time=1000000000\\.000000 is before the first row\\. Without this parameter, the',
  ],
  [
    '/chats?filter=unread',
    'filter=unread leaves \\d+ rows?\\. Without this parameter, the list now',
  ],
])('explains the rows of %s', async (path, sentence) => {
  expect(await explain(path)).toEqual([expect.stringMatching(new RegExp(`^${sentence}`))])
})

it('does not say on which side there are rows if there are two bounds', async () => {
  const bounds = 'after_publish_time=1790000000.000001&before_publish_time=1790000000.000002'
  for (const sentence of await explain(`/posts?${bounds}`))
    expect(sentence).not.toMatch(/ is (?:before|after) the /)
})

it('does not explain later pages of a list', async () => {
  const page = '/posts?limit=5&before_publish_time='
  const [post] = sandbox.db.posts.where({ accountId: account, status: 'published' }).slice(-20)
  expect(await explain(page + post?.postedAtPrecise)).toEqual([])
})

it('does not explain a full list, an error or a single record', async () => {
  expect(await explain('/posts?limit=5')).toEqual([])
  expect(await explain('/posts?limit=-5')).toEqual([])
  expect(await explain('/me')).toEqual([])
})

it('changes nothing, and also works if the world rejects requests', async () => {
  const fork = sandbox.fork()
  await explain('/posts?query=zzzz', fork)
  fork.act({ type: 'limits.set', minute: 1 })
  fork.faults.add({ status: 502 })
  const { id = 0 } = fork.requests[0] ?? {}
  const before = JSON.stringify(fork.snapshot())
  expect((await fork.control.request(id)).explanation).toHaveLength(1)
  expect(JSON.stringify(fork.snapshot())).toBe(before)
  fork.close()
})

it('reports an unknown request over HTTP', async () => {
  const { ask } = await openControlClient()
  const why =
    'Failed to read the request 77: it is not in the journal, which stores only the latest'
  expect(await ask('GET', '/_sandbox/requests/77')).toMatchObject(refusal(404, why))
})

/** Sends a POST that reads a list, and returns the explanation of its response. */
async function explainPost(path: string, body: object): Promise<string[]> {
  await sendAsOwner(sandbox, 'POST', path, body)
  return (await sandbox.control.request(sandbox.requests[0]?.id ?? 0)).explanation
}

it('explains lists that are read with a POST', async () => {
  const fan = sandbox.db.transactions.where({ accountId: account })[0]?.fanId
  const fields = { account_ids: [account] }
  const expected = 'Without this parameter, the list now has (?:at least )?\\d+ rows?\\.$'
  expect(await explainPost('/v1/fans', { ...fields, total_spend: { min: 9_000_000 } })).toEqual([
    expect.stringMatching(
      new RegExp(`^total_spend=\\{"min":9000000\\} leaves no rows\\. ${expected}`),
    ),
  ])
  expect(await explainPost('/v1/fans', { ...fields, offset: 900_000 })).toEqual([
    expect.stringMatching(/^offset 900000 is past the end: the list now has \d+ rows\.$/),
  ])
  const transactions = `/v1/fans/${fan}/transactions`
  expect(await explainPost(transactions, { ...fields, to: '2001-01-01' })).toEqual([
    expect.stringMatching(new RegExp(`^to=2001-01-01 is before the first row\\. ${expected}`)),
  ])
  expect(await explainPost(transactions, { ...fields, offset: 900_000 })).toEqual([
    expect.stringMatching(/^offset 900000 is past the end: the list now has \d+ rows?\.$/),
  ])
})

it('tries the filters that the route knows first, and says which fields it left out', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]))
  const filter = { total_spend: { min: 9_000_000 } }
  const previews = vi.spyOn(WorldQueue.prototype, 'handle')
  onTestFinished(() => previews.mockRestore())
  const body = { ...unknown, account_ids: [account], ...filter }
  expect(await explainPost('/v1/fans', body)).toEqual([
    expect.stringMatching(/^total_spend=\{"min":9000000\} leaves no rows\. Without this parameter/),
    'Not tried: k18 and 4981 more parameters. An explanation tries at most 20 parameters, reads ' +
      'at most 200 pages, and takes at most 2 s.',
  ])
  expect(previews.mock.calls.length).toBeLessThan(250)
})

it('does not explain a POST that writes', async () => {
  expect(await explainPost(`/v1/${account}/vault/lists`, { name: 'New' })).toEqual([])
})

it('explains an empty response of each list route', async () => {
  const fork = sandbox.fork()
  const routes = fork.control
    .routes()
    .filter((id) => /^GET \/v1\/:account_id\/[^:]*$/.test(id))
    .map((id) => id.replace('GET /v1/:account_id', ''))
  const silent: string[] = []
  for (const path of routes) {
    await sendAsOwner(fork, 'GET', `/v1/${account}${path}?offset=90000`)
    const [sent] = fork.requests
    const isEmptyList = /"data":(\[\]|\{"(list|items)":\[\])/.test(sent?.response.body ?? '')
    if (!isEmptyList) continue
    const { explanation } = await fork.control.request(sent?.id ?? 0)
    if (explanation.length === 0) silent.push(path)
  }
  expect(silent).toEqual([])
  fork.close()
})
