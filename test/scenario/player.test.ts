import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const account = 100_200_300
const story = `
extends: solo
name: story
timeline:
  - { chapter: Doors open, note: Two links are out. }
  - { at: 5s, every: 10s, times: 6, jitter: 3s, do: { type: tip, account_id: ${account} } }
  - { at: 20s, chapter: A lapse, note: The session is gone., do: { type: session.lapse, account_id: ${account} } }
  - { at: +10s, do: { type: session.restore, account_id: ${account} } }
  - { at: 40s, chapter: Two hours later, do: { type: clock.advance, by: 2h } }
  - { at: 45s, do: [{ type: subscriber.new, account_id: ${account} }, { type: message.from_fan, account_id: ${account} }] }
  - { at: 1m, chapter: The end }
`
const scenario = await parseScenario(story, 'story.yaml')
const start = async (): Promise<Sandbox> => {
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
  return sandbox
}
afterEach(() => {
  vi.useRealTimers()
})

const world = (sandbox: Sandbox) => JSON.stringify(sandbox.snapshot())
const session = (sandbox: Sandbox) => sandbox.db.accounts.get(account)?.session

it('plays each step at its own time as the clock advances', async () => {
  const sandbox = await start()
  sandbox.clock.advance('19s')
  expect(session(sandbox)).toBe('active')
  sandbox.clock.advance('1s')
  expect(session(sandbox)).toBe('lapsed')
  expect(sandbox.control.replay()).toMatchObject({
    status: 'paused',
    at_ms: 20_000,
    duration_ms: 60_000,
    chapter: 'A lapse',
    caption: 'The session is gone.',
  })
  expect(sandbox.control.happenings().at(-1)).toMatchObject({
    at: '2026-10-01T09:30:20.000Z',
    type: 'session.lapse',
  })
})

it('accepts relative times in time fields of a request body', async () => {
  const send = (path: string, body: object) => ({
    request: { key: 'owner', method: 'POST' as const, path: `/v1/${account}/${path}`, body },
  })
  const sandbox = createSandbox({
    scenario: {
      ...scenario,
      timeline: [
        { at: '1m', ...send('posts', { text: '+2h', scheduledTime: '+2h' }) },
        {
          at: '2m',
          ...send('mass-messages', { text: 'now', userLists: ['fans'], scheduledDate: '+1d 30m' }),
        },
        { at: '3m', ...send('posts', { text: 'Late', scheduledTime: '-1h' }) },
        { at: '4m', ...send('posts', { text: 'Soon', scheduledTime: 'soon' }) },
      ],
    },
  })
  await sandbox.ready
  sandbox.clock.advance('4m')
  expect(sandbox.db.posts.find({ text: '+2h' })).toMatchObject({
    status: 'scheduled',
    postedAt: '2026-10-01T11:31:00.000Z',
  })
  expect(sandbox.db.massMessages.find({ text: 'now' })).toMatchObject({
    scheduledDate: '2026-10-02T10:02:00.000Z',
  })
  expect(sandbox.control.replay().problems).toEqual([
    expect.stringContaining(
      'scheduledTime is "2026-10-01T08:33:00.000Z", but it must be later than now (2026-10-01T09:33:00.000Z)',
    ),
    expect.stringContaining('scheduledTime is "soon", but it must be an RFC 3339 time'),
  ])
})

it('sends its requests to all routes, even if clients can use only documented ones', async () => {
  const path = `/v1/${account}/chats/mark-as-read`
  const request = { key: 'owner', method: 'POST' as const, path, body: {} }
  const sandbox = createSandbox({
    scenario: { ...scenario, timeline: [{ at: '1m', request }] },
    documentedOnly: true,
  })
  await sandbox.ready
  expect((await sendAsOwner(sandbox, 'POST', path, {})).status).toBe(404)
  expect(await sandbox.play()).toMatchObject({ status: 'ended', problems: [] })
})

it('skips hours, and continues from there', async () => {
  const sandbox = await start()
  const { at_ms, status } = await sandbox.play()
  expect([at_ms, status]).toEqual([60_000, 'ended'])
  expect(sandbox.clock.iso()).toBe('2026-10-01T11:31:00.000Z')
})

it('ends with the same data, byte for byte, at any speed', async () => {
  const [atOnce, inSteps, fast] = await Promise.all([start(), start(), start()])
  const [twice, roundabout] = await Promise.all([start(), start()])
  await atOnce.play({ until: '50s' })
  for (let seconds = 0; seconds < 50; seconds += 1) inSteps.seek(`${seconds + 1}s`)
  vi.useFakeTimers()
  const played = fast.play({ until: '50s', speed: 7 })
  await vi.advanceTimersByTimeAsync(10_000)
  await played
  await twice.play({ until: '50s' })
  await twice.reset()
  twice.seek('50s')
  for (const place of ['The end', '7s', 'Two hours later', '3s', '+20s', '-1s', '50s'])
    roundabout.seek(place)
  for (const sandbox of [inSteps, fast, twice, roundabout])
    expect(world(sandbox)).toBe(world(atOnce))
})

it('ends at its end if its speed changes while real time passes', async () => {
  const sandbox = await start()
  let realTime = Date.now()
  // A millisecond passes between any two reads of the time.
  vi.spyOn(Date, 'now').mockImplementation(() => (realTime += 1))
  sandbox.control.replay({ command: 'play', speed: 100 })
  sandbox.control.replay({ command: 'speed', speed: 1000 })
  realTime += 60_000
  expect(sandbox.control.replay()).toMatchObject({ status: 'ended', at_ms: 60_000 })
})

it('reaches the same world by seeking as by playing', async () => {
  const sandbox = await start()
  const seconds = fc.integer({ min: 1, max: 60_000 }).map((ms) => `${ms}ms`)
  await fc.assert(
    fc.asyncProperty(fc.array(seconds, { minLength: 1, maxLength: 4 }), async (places) => {
      for (const place of places) sandbox.seek(place)
      const played = await start()
      played.seek(places.at(-1)!)
      expect(world(sandbox)).toBe(world(played))
    }),
    { numRuns: 8, seed: 1 },
  )
})

it('continues after a failed step, and reports it', async () => {
  const sandbox = createSandbox({
    scenario: await parseScenario(
      story.replace('type: tip', 'type: post.unlock, post_id: 5').replace(/type: tip.*/, ''),
      'story.yaml',
    ),
  })
  await sandbox.ready
  await expect(sandbox.play()).rejects.toThrow(/timeline\[1\].*post_id is 5/)
  expect(sandbox.control.replay()).toMatchObject({ status: 'ended' })
  expect(sandbox.control.replay().problems).toHaveLength(6)
})

it('loops, changes speed, pauses and stops', async () => {
  const sandbox = await start()
  const { control } = sandbox
  vi.useFakeTimers()
  expect(control.replay({ command: 'play', speed: 10, loop: true })).toMatchObject({
    status: 'playing',
    speed: 10,
    loop: true,
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(control.replay()).toMatchObject({ at_ms: 50_000, chapter: 'Two hours later' })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(control.replay()).toMatchObject({ status: 'playing', at_ms: 20_000, chapter: 'A lapse' })
  expect(control.replay({ command: 'speed', speed: 0.5 })).toMatchObject({
    status: 'playing',
    speed: 0.5,
  })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(control.replay({ command: 'pause' })).toMatchObject({ status: 'paused', at_ms: 21_000 })
  expect(control.replay({ command: 'step' }).next?.at_ms).toBeGreaterThan(control.replay().at_ms)
  expect(control.replay({ command: 'stop' })).toMatchObject({
    status: 'idle',
    at_ms: 0,
    loop: false,
  })
  expect(world(sandbox)).toBe(world(await start().then((fresh) => (fresh.seek('0s'), fresh))))
})

it.each([
  [{ command: 'seek' }, 'to'],
  [
    { command: 'seek', to: 'Nowhere' },
    'a chapter ("Doors open", "A lapse", "Two hours later", "The end")',
  ],
  [{ command: 'seek', to: '2m' }, 'The story is 60 s long'],
  [{ command: 'play', speed: 5000 }, 'speed'],
  [{ command: 'pause', speed: 2 }, 'it is only allowed for play and speed'],
])('rejects %o', async (command, text) => {
  const { control } = await start()
  expect(() => control.replay(command as never)).toThrow(SandboxError)
  expect(() => control.replay(command as never)).toThrow(text)
})

it('explains that the scenario has no story', async () => {
  const sandbox = await createFreshSandbox()
  expect(sandbox.control.replay()).toMatchObject({ status: 'idle', duration_ms: 0, chapters: [] })
  await expect(sandbox.play()).rejects.toThrow('the scenario has no timeline')
})
