import { expect, it, vi } from 'vitest'
import { writeJson } from '../../src/control/json-pieces.ts'
import { runToEnd } from '../../src/world/work.ts'
import { joinChunks } from '../../src/lib/chunks.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { createLocalGet } from '../support/control.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { createServedSandbox } from '../../src/sandbox/create-sandbox.ts'

/**
 * Opens a server's routing whose slices end after each unit of work, so that `pauses` counts the
 * units. `get` returns the parsed response.
 */
async function open() {
  const sandbox = await createFreshSandbox('agency')
  const pauses = vi.fn(async () => {})
  let time = 0
  const pace = { now: () => (time += 100), pause: pauses }
  const { handle } = createRouting(new ServedSandbox(sandbox), {}, pace)
  const get = async (path: string) => {
    pauses.mockClear()
    const { status, body } = await handle(createLocalGet(`/_sandbox/${path}`))
    expect(status).toBe(200)
    const text = Array.isArray(body) ? new TextDecoder().decode(joinChunks(body)) : body
    return JSON.parse(text as string)
  }
  return { sandbox, get, pauses }
}

it.each(['text:desc', 'price', 'id:desc'])(
  'reads a table that is sorted by %s in slices',
  async (sort) => {
    const { sandbox, get, pauses } = await open()
    const { items, total } = await get(`data/messages?sort=${sort}&limit=50&offset=10`)
    const whole = sandbox.control.data('messages', { sort, limit: 50, offset: 10 })
    expect({ items, total }).toEqual(JSON.parse(JSON.stringify(whole)))
    const [field = '', direction] = sort.split(':')
    const rows = sandbox.db.messages.all() as unknown as Record<string, string | number>[]
    const sign = direction === 'desc' ? -1 : 1
    const sorted = rows.toSorted((a, b) => {
      const [one, other] = [a[field] ?? 'null', b[field] ?? 'null']
      return sign * (one < other ? -1 : Number(one > other))
    })
    expect(items.map(({ id }: { id: number }) => id)).toEqual(
      sorted.slice(10, 60).map(({ id }) => id),
    )
    if (field !== 'id') expect(pauses.mock.calls.length).toBeGreaterThan(total / 256)
  },
)

it('reads a record with the records that refer to it in slices', async () => {
  const { sandbox, get, pauses } = await open()
  const [account] = sandbox.accounts
  const view = await get(`data/accounts/${account?.id}`)
  expect(view).toEqual(
    JSON.parse(JSON.stringify(sandbox.control.record('accounts', account?.id ?? 0))),
  )
  expect(pauses.mock.calls.length).toBeGreaterThan(100)
})

it('lists, exports and audits the requests in slices', async () => {
  const { sandbox, get, pauses } = await open()
  const path = `/v1/${sandbox.accounts[0]?.id}/posts?limit=50`
  for (let count = 0; count < 40; count += 1) await sendAsOwner(sandbox, 'GET', path)
  const requests = await get('requests')
  expect(requests).toEqual(JSON.parse(JSON.stringify(sandbox.control.requests())))
  expect(pauses.mock.calls.length).toBeGreaterThan(80)
  expect((await get('requests?format=har')).log.entries).toHaveLength(40)
  expect(pauses.mock.calls.length).toBeGreaterThan(80)
  expect(await get('requests?brief=true')).toHaveLength(40)
  expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(40)
  expect((await get('audit')).summary.requests).toBe(40)
  expect(pauses.mock.calls.length).toBeGreaterThan(80)
})

it('exports the world as a scenario in slices', async () => {
  const { sandbox, get, pauses } = await open()
  const scenario = await get('scenario')
  expect(scenario).toEqual(await sandbox.control.presentScenario())
  // The YAML is written in units of a few rows, and then as JSON in units of 16 KB.
  expect(pauses.mock.calls.length).toBeGreaterThan(scenario.yaml.length / 16_384)
})

it('writes a long text in pieces as JSON.stringify does', () => {
  const value = { text: `a${'😀'.repeat(20_000)}"`, lone: '\uD83D'.repeat(20_000) }
  expect(runToEnd(writeJson(value))).toBe(JSON.stringify(value))
})

it('explains a list with a pause after each page, and ends after 2 s', async () => {
  const { sandbox, get, pauses } = await open()
  const unknown = Array.from({ length: 30 }, (_, index) => `k${index}=1`).join('&')
  const path = `/v1/${sandbox.accounts[0]?.id}/posts?query=zzzz&${unknown}`
  await sendAsOwner(sandbox, 'GET', path)
  const { explanation } = await get(`requests/${sandbox.requests[0]?.id}`)
  // Each page takes 100 ms of the simulated time.
  expect(explanation.at(-1)).toMatch(/^Not tried: /)
  expect(pauses.mock.calls.length).toBeGreaterThan(15)
})

it('lists the requests of all worlds in slices', async () => {
  const { sandbox, get, pauses } = await open()
  const worlds = [sandbox, sandbox.world('one'), sandbox.world('two')]
  for (const world of worlds)
    for (let count = 0; count < 20; count += 1) await sendAsOwner(world, 'GET', '/v1/accounts')
  const rows = await get('requests?all_worlds=true')
  expect(rows).toEqual(JSON.parse(JSON.stringify(sandbox.control.requestRowsOfAllWorlds())))
  const named = rows.map(({ world }: { world: string | null }) => world)
  for (const name of [null, 'one', 'two'])
    expect(named.filter((each: string | null) => each === name)).toHaveLength(20)
  expect(await get('requests?all_worlds=true&limit=7&status=200')).toEqual(rows.slice(0, 7))
  await get('requests?all_worlds=true&contains=absent')
  expect(pauses.mock.calls.length).toBeGreaterThan(60)
})

it('restores a named snapshot in slices, one for each derived table', async () => {
  const pause = vi.fn(async () => {})
  let time = 0
  const pace = { now: () => (time += 100), pause }
  const host = { beginsNow: false, cuesStories: false, pace }
  const sandbox = createServedSandbox({ scenario: 'solo' }, host)
  await sandbox.ready
  sandbox.act({ type: 'tip', amount: 20 })
  sandbox.control.keepSnapshot({ name: 'tipped' })
  const kept = sandbox.snapshot()
  sandbox.act({ type: 'tip', amount: 30 })
  pause.mockClear()
  await sandbox.control.restoreSnapshot('tipped')
  expect(pause.mock.calls.length).toBeGreaterThan(5)
  expect(sandbox.snapshot().tables).toEqual(kept.tables)
  expect(sandbox.check()).toMatchObject({ holds: true })
  sandbox.close()
})
