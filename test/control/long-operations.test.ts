import { createSandbox } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { createLocalGet, openControlClient, refusal } from '../support/control.ts'
import { waitForIo, createManualPause } from '../support/pace.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const account = 100_200_300
const tips = 5
const yaml =
  `{ extends: solo, name: tips, timeline: [{ at: 1s, every: 1s, times: ${tips}, ` +
  `do: { type: tip, account_id: ${account}, on: profile, amount: 7.77 } }] }`
const toEnd = { command: 'seek', to: `${tips}s` }

/** Opens a sandbox with a story about tips. The test decides when long operations continue. */
async function openStory() {
  const person = await openControlClient()
  const { sandbox, ask, get } = person
  await ask('PUT', '/_sandbox/scenario', { body: { yaml } })
  const pace = createManualPause()
  new ServedSandbox(sandbox).follow(pace.pace)
  const list = (key = sandbox.keys['owner']) => get(`/v1/${account}/posts?limit=1`, key)
  return {
    ...person,
    ...pace,
    list,
    countTips: () => sandbox.db.transactions.where({ amount: 7.77 }).length,
  }
}

it('queues requests to a world while it seeks, and handles all other requests', async () => {
  const { sandbox, ask, list, step, go, read } = await openStory()
  const other = (await ask('POST', '/_sandbox/worlds')).body
  const over: string[] = []
  const waiting: Promise<void>[] = []
  const send = async (name: string, request: Promise<{ status: number }>) => {
    waiting.push(request.then(({ status }) => void over.push(`${name} ${status}`)))
    await waitForIo()
  }
  await send('seek', ask('POST', '/_sandbox/replay', { body: toEnd }))
  await send('list', list())
  await send('clock', ask('POST', '/_sandbox/clock', { body: { advance: '1h' } }))
  await send('data', ask('GET', '/_sandbox/data/posts?limit=1'))
  await send('last', list())
  await step()
  expect(over).toEqual([])
  expect((await ask('GET', '/health')).body).toEqual({ status: 'ok' })
  expect((await list(other.keys.owner)).status).toBe(200)
  expect(await read('state')).toMatchObject({ scenario: 'tips', busy: 'seeking' })
  expect((await read(`state?world=${other.id}`)).busy).toBe(null)
  await go()
  await Promise.all(waiting)
  expect(over).toEqual(['seek 200', 'list 200', 'clock 200', 'data 200', 'last 200'])
  expect(sandbox.control.state().busy).toBe(null)
})

it('advances several new worlds to the current time in slices, and handles all other requests in the meantime', async () => {
  const [sliced, whole] = [await openStory(), await openStory()]
  const other = (await sliced.ask('POST', '/_sandbox/worlds')).body
  await sliced.go()
  for (const { sandbox } of [sliced, whole]) sandbox.clock.advance('9s')
  const { pace, step, go } = createManualPause()
  new ServedSandbox(sliced.sandbox).follow(pace)

  const made = (await sliced.ask('POST', '/_sandbox/worlds', { body: { name: 'late' } })).body
  const lists = [made.keys.owner, `${sliced.sandbox.keys.owner}~later`].map((key) =>
    sliced.list(key),
  )
  const over: number[] = []
  for (const [place, list] of lists.entries()) void list.then(() => over.push(place))
  await step()
  expect(over).toEqual([])
  expect((await sliced.ask('GET', '/health')).body).toEqual({ status: 'ok' })
  expect((await sliced.list(other.keys.owner)).status).toBe(200)
  expect((await sliced.read('state?world=late')).busy).toBe('catching up')
  await go()
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200])
  for (const name of ['late', 'later']) {
    const [late, expected] = [sliced, whole].map(({ sandbox }) => sandbox.world(name))
    expect(late!.clock.state()).toEqual(sliced.sandbox.clock.state())
    expect(late!.snapshot()).toEqual({
      ...expected!.snapshot(),
      worldState: late!.snapshot().worldState,
    })
    expect(late!.db.transactions.where({ amount: 7.77 })).toHaveLength(tips)
    await late!.reset()
    expect(late!.clock.state()).toEqual(sliced.sandbox.clock.state())
  }
})

it('immediately finishes advancing a new world for a synchronous caller', async () => {
  const { sandbox } = await openStory()
  sandbox.clock.advance('9s')
  const world = sandbox.createWorld({ name: 'late' })
  expect(world.db.transactions.where({ amount: 7.77 })).toHaveLength(tips)
  expect(world.clock.state()).toEqual(sandbox.clock.state())
})

it('has the same result in slices as in one run', async () => {
  const [sliced, whole] = [await openStory(), await openStory()]
  const seeking = sliced.ask('POST', '/_sandbox/replay', { body: toEnd })
  await sliced.go()
  await seeking
  whole.sandbox.seek(`${tips}s`)
  expect(sliced.sandbox.snapshot()).toEqual(whole.sandbox.snapshot())
  const { body } = await sliced.ask('GET', '/_sandbox/snapshot')
  expect(JSON.stringify(body)).toBe(JSON.stringify(whole.sandbox.snapshot()))
})

it('seeds the same data in slices as in one run', async () => {
  const [sliced, whole] = [
    await openControlClient({ scenario: 'empty' }),
    await openControlClient({ scenario: 'solo' }),
  ]
  const { pace, go } = createManualPause()
  new ServedSandbox(sliced.sandbox).follow(pace)
  await go()
  expect((await sliced.ask('PUT', '/_sandbox/scenario', { body: { name: 'solo' } })).status).toBe(
    200,
  )
  expect(sliced.sandbox.snapshot()).toEqual(whole.sandbox.snapshot())
})

it('immediately finishes the work for a synchronous caller', async () => {
  const { sandbox, ask, step, go, countTips } = await openStory()
  const seeking = ask('POST', '/_sandbox/replay', { body: toEnd })
  await step()
  expect(countTips()).toBe(tips)
  sandbox.act({ type: 'tip', account_id: account, on: 'profile', amount: 7.77 })
  expect(countTips()).toBe(tips + 1)
  await go()
  expect((await seeking).body).toMatchObject({ status: 'ended' })
})

it('undoes all actions if one of them fails, even if requests wait', async () => {
  const { ask, step, go, countTips } = await openStory()
  const tip = { type: 'tip', account_id: account, on: 'profile', amount: 7.77 }
  const acting = ask('POST', '/_sandbox/actions', { body: [tip, tip, { ...tip, fan_id: 1 }] })
  const reading = ask('GET', '/_sandbox/data/transactions?amount=7.77')
  await step()
  await go()
  expect((await acting).status).toBe(400)
  expect((await reading).body.total).toBe(0)
  expect(countTips()).toBe(0)
})

it('changes nothing if any record of a snapshot is invalid', async () => {
  const { sandbox, ask, go, list } = await openStory()
  const before = sandbox.snapshot()
  const known = before.tables['notifications'] ?? []
  // The valid records before the invalid one take more than one slice.
  const copies = Array.from({ length: 300 }, (_, place) => ({
    ...known[0],
    id: 5_000_000_000 + place,
  }))
  const notifications = [...known, ...copies, { id: 'none' }]
  const restoring = ask('PUT', '/_sandbox/snapshot', {
    body: { ...before, tables: { ...before.tables, notifications } },
  })
  const reading = list()
  await go()
  expect((await restoring).status).toBe(400)
  expect((await reading).status).toBe(200)
  expect(sandbox.snapshot().tables).toEqual(before.tables)
})

it('keeps the old scenario until the new one is seeded', async () => {
  const { sandbox, ask, step, go, list, read } = await openStory()
  const loading = ask('PUT', '/_sandbox/scenario', { body: { name: 'empty', seed: 41 } })
  const waiting = list()
  await step()
  expect(await read('state')).toMatchObject({ scenario: 'tips', busy: 'loading' })
  await go()
  expect((await loading).body).toMatchObject({ scenario: 'empty', busy: null })
  expect((await waiting).status).toBe((await list()).status)
  expect(sandbox.control.state().scenario).toBe('empty')
})

it('plays due steps of a running story before the next request', async () => {
  const { sandbox, go, list, countTips } = await openStory()
  await go()
  vi.useFakeTimers({ toFake: ['Date'] })
  sandbox.clock.run()
  vi.setSystemTime(Date.now() + tips * 1000)
  await list()
  expect(countTips()).toBe(tips)
})

it('rejects more than a thousand waiting requests with a message', async () => {
  const { ask, step, go, list } = await openStory()
  const seeking = ask('POST', '/_sandbox/replay', { body: toEnd })
  await step()
  const waiting = Array.from({ length: 1000 }, () => list())
  expect(await list()).toMatchObject(
    refusal(503, 'busy seeking, and 1000 requests are already waiting'),
  )
  expect((await ask('GET', '/_sandbox/data')).status).toBe(503)
  await go()
  await seeking
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
})

it('reports that it is running and why it is busy, before the data is ready', async () => {
  const { handle } = createRouting(
    new ServedSandbox(createSandbox({ scenario: 'solo', seed: 42 })),
    {},
  )
  const read = async (url: string) => {
    const { status, body } = await handle(createLocalGet(url))
    return { status, body: JSON.parse(String(body)) }
  }
  expect(await read('/health')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await read('/_sandbox/state')).toMatchObject({
    status: 200,
    body: { scenario: 'solo', busy: 'seeding' },
  })
})

it('completes requests that arrived before it was closed, and stops playing', async () => {
  const { sandbox, ask, step, go, list } = await openStory()
  const seeking = ask('POST', '/_sandbox/replay', { body: toEnd })
  await step()
  const reading = list()
  await waitForIo()
  sandbox.close()
  await go()
  expect((await reading).status).toBe(200)
  expect((await seeking).status).toBe(400)
})
