import { createSandbox } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { createBearerHeader, openControlClient } from '../support/control.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const account = 100_200_300
const yaml =
  '{ extends: solo, name: story, timeline: [{ chapter: One, note: Hello }, { at: 10s, chapter: Two, do: { type: ' +
  `session.lapse, account_id: ${account} } }] }`

it('loads a story from YAML, controls it, and reports its position', async () => {
  const { ask } = await openControlClient()
  expect((await ask('PUT', '/_sandbox/scenario', { body: { yaml } })).body).toMatchObject({
    scenario: 'story',
  })
  const direct = async (body: unknown) => (await ask('POST', '/_sandbox/replay', { body })).body
  expect((await ask('GET', '/_sandbox/replay')).body).toMatchObject({
    status: 'idle',
    at_ms: 0,
    duration_ms: 10_000,
    chapter: 'One',
    caption: 'Hello',
    chapters: [
      { name: 'One', at_ms: 0 },
      { name: 'Two', at_ms: 10_000 },
    ],
  })
  expect(await direct({ command: 'step' })).toMatchObject({
    status: 'ended',
    at_ms: 10_000,
    chapter: 'Two',
    next: null,
  })
  expect(await direct({ command: 'seek', to: 'One' })).toMatchObject({
    status: 'idle',
    at_ms: 0,
    next: { at_ms: 10_000, types: ['session.lapse'] },
  })
  expect(await direct({ command: 'speed', speed: 4 })).toMatchObject({ speed: 4 })
  expect(await ask('POST', '/_sandbox/replay', { body: { command: 'fly' } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('play, pause, step, seek, speed, stop') },
  })
})

it('lists the scenarios that can be loaded, including those of the library', async () => {
  const own = await parseScenario(yaml, 'story.yaml')
  const { ask } = await openControlClient({ scenario: 'empty', options: { library: [own] } })
  const list = (await ask('GET', '/_sandbox/scenarios')).body
  expect(list).toContainEqual({
    name: 'story',
    title: 'One creator',
    description: own.description,
    seed: 3,
    now: own.now,
    starts_at: '2026-10-01T09:30:00.000Z',
    duration_ms: 10_000,
    chapters: ['One', 'Two'],
    roles: ['owner', 'analyst'],
    accounts: [{ id: account, username: expect.any(String) }],
  })
  expect(list).toContainEqual(
    expect.objectContaining({ name: 'agency', duration_ms: 0, chapters: [] }),
  )
  expect((await ask('PUT', '/_sandbox/scenario', { body: { name: 'story' } })).body).toMatchObject({
    scenario: 'story',
  })
})

it('describes each action with the schema of its fields', async () => {
  const { sandbox, ask } = await openControlClient()
  const described = (await ask('GET', '/_sandbox/actions')).body as {
    type: string
    summary: string
    schema: { properties: object; required?: string[] }
  }[]
  expect(described.find(({ type }) => type === 'session.lapse')).toMatchObject({
    summary: expect.any(String),
    schema: {
      type: 'object',
      properties: {
        account_id: {
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          description: expect.any(String),
        },
      },
    },
  })
  for (const { type, summary } of described)
    expect([type, summary.length > 0]).toEqual([type, true])
  expect(described.map(({ type }) => type)).toEqual(
    sandbox.control.actions().map(({ type }) => type),
  )
})

it('shows the journal in pages, newest first', async () => {
  const { sandbox, ask } = await openControlClient()
  for (let count = 0; count < 5; count += 1)
    await ask(
      'GET',
      `/v1/${account}/posts?limit=${count + 1}`,
      createBearerHeader(sandbox.keys['owner']),
    )
  const ids = async (query: string) =>
    (await ask('GET', `/_sandbox/requests?${query}`)).body.map(({ id }: { id: number }) => id)
  expect(await ids('limit=2')).toEqual([5, 4])
  expect(await ids('limit=2&before=4')).toEqual([3, 2])
  expect(await ids('limit=2&before=2')).toEqual([1])
})

it('sends world events as server-sent events', async () => {
  const sandbox = createSandbox({ scenario: await parseScenario(yaml, 'story.yaml') })
  await sandbox.ready
  sandbox.control.replay()
  const { handle } = createRouting(new ServedSandbox(sandbox), {})
  const reply = await handle({
    method: 'GET',
    url: '/_sandbox/events',
    header: (name) => (name === 'host' ? 'localhost' : null),
    body: null,
  })
  expect([reply.status, reply.headers['content-type']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  vi.useFakeTimers()
  const told: { event: string; data: Record<string, unknown> }[] = []
  const stop = reply.stream!((text) => {
    const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)\n\n$/.exec(text) ?? []
    told.push({ event, data: JSON.parse(data) as Record<string, unknown> })
  })
  expect(told).toMatchObject([
    {
      event: 'clock',
      data: {
        clock: { mode: 'frozen' },
        replay: { status: 'idle' },
        organisations: [{ id: 1, used: { minute: 0 } }],
        accounts: [{ id: account, session: 'active' }],
      },
    },
  ])
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(1)
  sandbox.control.replay({ command: 'step' })
  await sandbox.fetch(`${sandbox.baseUrl}/v1/${account}/posts`, {
    headers: { 'x-api-key': sandbox.keys['owner']! },
  })
  vi.advanceTimersByTime(250)
  expect(told.slice(1)).toMatchObject([
    {
      event: 'clock',
      data: {
        replay: { chapter: 'Two' },
        accounts: [{ session: 'lapsed' }],
        organisations: [{ used: { minute: 1 } }],
      },
    },
    {
      event: 'actions',
      data: [
        { type: 'chapter', text: 'Two', story_ms: 10_000 },
        { type: 'session.lapse', text: expect.stringContaining('lapsed') },
      ],
    },
    {
      event: 'requests',
      data: { total: 1, missed: 0, list: [{ id: 1, status: 424, path: `/v1/${account}/posts` }] },
    },
  ])
  stop()
  sandbox.act({ type: 'session.restore', account_id: account })
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(4)
  vi.useRealTimers()
})

it('allows at most a hundred open event streams', async () => {
  const sandbox = createSandbox({ scenario: 'empty' })
  await sandbox.ready
  const { handle } = createRouting(new ServedSandbox(sandbox), {})
  const open = async () =>
    handle({
      method: 'GET',
      url: '/_sandbox/events',
      header: (name) => (name === 'host' ? 'localhost' : null),
      body: null,
    })
  const stops = await Promise.all(
    Array.from({ length: 100 }, async () => (await open()).stream!(() => {})),
  )
  expect(await open()).toMatchObject({
    status: 503,
    body: expect.stringContaining('100 open event streams'),
  })
  stops[0]!()
  expect((await open()).status).toBe(200)
  for (const stop of stops.slice(1)) stop()
})
