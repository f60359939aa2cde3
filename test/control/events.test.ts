import type { Sandbox } from 'creator-api-sandbox'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { createLocalGet } from '../support/control.ts'

const account = 100_200_300
const scenario = await parseScenario(
  '{ extends: solo, name: story, timeline: [{ chapter: One, note: Hello }, { at: 10s, chapter: Two, do: { type: tip, account_id: ' +
    `${account} } }, { at: 20s, chapter: Three }, { at: 1m }] }`,
  'story.yaml',
)
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const route = (sandbox: Sandbox) => createRouting(new ServedSandbox(sandbox), {})
const open = async (sandbox: Sandbox, query = '', { handle } = route(sandbox)) => {
  const told: { event: string; data: unknown }[] = []
  let isEnded = false
  const reply = await handle(createLocalGet(`/_sandbox/events${query}`))
  const stop = reply.stream?.(
    (text) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)\n\n$/.exec(text) ?? []
      told.push({ event, data: JSON.parse(data) as unknown })
    },
    () => (isEnded = true),
  )
  const actions = () =>
    told
      .splice(0)
      .flatMap(({ event, data }) =>
        event === 'actions'
          ? [(data as { type: string; text: string }[]).map(({ type }) => type)]
          : [],
      )
  return { reply, told, actions, stop, isEnded: () => isEnded }
}

it('sends world events as server-sent events', async () => {
  const sandbox = await createFreshSandbox('', { scenario })
  sandbox.control.replay()
  const { reply, told, stop } = await open(sandbox)
  const type = 'text/event-stream; charset=utf-8'
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': type } })
  const clock = { clock: { mode: 'frozen' }, replay: { status: 'idle' } }
  const unused = [{ id: 1, used: { minute: 0 } }]
  const accounts = [{ id: account, session: 'active' }]
  expect(told).toMatchObject([
    { event: 'clock', data: { ...clock, organisations: unused, accounts } },
  ])
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(1)
  sandbox.control.replay({ command: 'step' })
  sandbox.act({ type: 'session.lapse' })
  await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts`)
  vi.advanceTimersByTime(250)
  const used = [{ used: { minute: 1 } }]
  const lapsed = [{ session: 'lapsed' }]
  const path = `/v1/${account}/posts`
  expect(told.slice(1)).toMatchObject([
    {
      event: 'clock',
      data: { replay: { chapter: 'Two' }, accounts: lapsed, organisations: used },
    },
    {
      event: 'actions',
      data: [
        { type: 'chapter', text: 'Two', story_ms: 10_000 },
        { type: 'tip' },
        { type: 'session.lapse', text: expect.stringContaining('lapsed') },
      ],
    },
    { event: 'requests', data: { total: 1, missed: 0, list: [{ id: 1, status: 424, path }] } },
  ])
  stop?.()
  sandbox.act({ type: 'session.restore', account_id: account })
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(4)
})

it('allows at most a hundred open event streams', async () => {
  const sandbox = await createFreshSandbox('empty')
  const routing = route(sandbox)
  const openOne = () => open(sandbox, '', routing)
  const streams = await Promise.all(Array.from({ length: 100 }, openOne))
  const body = expect.stringContaining('100 open event streams')
  expect((await openOne()).reply).toMatchObject({ status: 503, body })
  streams[0]?.stop?.()
  expect((await openOne()).reply.status).toBe(200)
})

it('sends the list of actions again after a seek back or a reset, even if a seek forward followed', async () => {
  const sandbox = await createFreshSandbox('', { scenario })
  sandbox.control.replay()
  const { actions, stop } = await open(sandbox)
  sandbox.seek('30s')
  vi.advanceTimersByTime(250)
  expect(actions()).toEqual([['chapter', 'tip', 'chapter']])
  sandbox.act({ type: 'note', text: 'Dropped' })
  sandbox.seek('15s')
  vi.advanceTimersByTime(250)
  expect(actions()).toEqual([[], ['chapter', 'note', 'chapter', 'tip']])
  sandbox.seek('5s')
  sandbox.seek('30s')
  vi.advanceTimersByTime(250)
  expect(actions()).toEqual([[], ['chapter', 'note', 'chapter', 'tip', 'chapter']])
  await sandbox.reset()
  vi.advanceTimersByTime(250)
  expect(actions()).toEqual([[], ['chapter', 'note']])
  vi.advanceTimersByTime(1000)
  expect(actions()).toEqual([])
  stop?.()
})

it('closes the stream and stops the story when the world is removed', async () => {
  const sandbox = await createFreshSandbox('', { scenario })
  const { id } = sandbox.control.createWorld()
  const control = sandbox.control.world(id)
  control.replay({ command: 'play', speed: 10, loop: true })
  const { actions, isEnded } = await open(sandbox, `?world=${id}`)
  vi.advanceTimersByTime(1500)
  expect(actions()).not.toEqual([])
  expect(isEnded()).toBe(false)
  sandbox.control.removeWorld(id)
  vi.advanceTimersByTime(250)
  expect(isEnded()).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

it('reports a followed clock that goes back, instead of an uncaught exception', async () => {
  const sandbox = await createFreshSandbox('', { scenario })
  let now = sandbox.clock.now() + 1000
  sandbox.clock.follow(() => now)
  const { told, stop } = await open(sandbox)
  now -= 500
  await vi.advanceTimersByTimeAsync(500)
  const data = expect.stringMatching(/its time .* is before the time of the clock/)
  expect(told.filter(({ event }) => event === 'problem')).toEqual([{ event: 'problem', data }])
  expect(sandbox.clock.mode).toBe('frozen')
  stop?.()
})

it('stops a story whose clock follows a source that goes back', async () => {
  const sandbox = await createFreshSandbox('', { scenario })
  const played = sandbox.play({ speed: 1 })
  let now = sandbox.clock.now() + 1000
  sandbox.clock.follow(() => now)
  now -= 500
  vi.advanceTimersByTime(2000)
  await expect(played).rejects.toThrow(/before the time of the clock/)
})
