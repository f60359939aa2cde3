import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

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

const open = async (sandbox: Sandbox, query = '') => {
  const told: { event: string; data: unknown }[] = []
  let isEnded = false
  const { handle } = createRouting(new ServedSandbox(sandbox), {})
  const reply = await handle({
    method: 'GET',
    url: `/_sandbox/events${query}`,
    header: (name) => (name === 'host' ? 'localhost' : null),
    body: null,
  })
  const stop = reply.stream!(
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
  return { told, actions, stop, isEnded: () => isEnded }
}

it('sends the list of actions again after a seek back or a reset, even if a seek forward followed', async () => {
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
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
  stop()
})

it('closes the stream and stops the story when the world is removed', async () => {
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
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
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
  let now = sandbox.clock.now() + 1000
  sandbox.clock.follow(() => now)
  const { told, stop } = await open(sandbox)
  now -= 500
  await vi.advanceTimersByTimeAsync(500)
  expect(told.filter(({ event }) => event === 'problem')).toEqual([
    {
      event: 'problem',
      data: expect.stringMatching(/its time .* is before the time of the clock/),
    },
  ])
  expect(sandbox.clock.mode).toBe('frozen')
  stop()
})

it('stops a story whose clock follows a source that goes back', async () => {
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
  const played = sandbox.play({ speed: 1 })
  let now = sandbox.clock.now() + 1000
  sandbox.clock.follow(() => now)
  now -= 500
  vi.advanceTimersByTime(2000)
  await expect(played).rejects.toThrow(/before the time of the clock/)
})
