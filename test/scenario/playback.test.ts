import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { afterEach, expect, it, vi } from 'vitest'
import { sendAsOwner } from '../support/client.ts'
import { parseScenario } from '../../src/scenario/parse.ts'

const account = 100_200_300
const timeline = (second: string) => `
extends: solo
name: story
timeline:
  - { chapter: One, note: It begins. }
  - { at: 20s, chapter: Two, do: { type: ${second} } }
  - { at: 40s, chapter: Three, do: { type: message.from_fan, account_id: ${account} } }
  - { at: 1m, chapter: Four }
`
const tips = await parseScenario(timeline(`tip, account_id: ${account}`), 'story.yaml')
const fails = await parseScenario(
  timeline(`post.unlock, account_id: ${account}, post_id: 5`),
  'story.yaml',
)
const start = async (scenario = tips, clock: 'frozen' | 'running' = 'frozen'): Promise<Sandbox> => {
  const sandbox = createSandbox({ scenario, clock })
  await sandbox.ready
  return sandbox
}
const post = async (sandbox: Sandbox, name: string) => {
  expect((await sendAsOwner(sandbox, 'POST', '/v1/tags', { name })).status).toBe(200)
}
const tag = (sandbox: Sandbox, name: string) => sandbox.db.tags.find({ name })?.name
const done = (sandbox: Sandbox) => sandbox.control.happenings().map(({ type }) => type)
const world = (sandbox: Sandbox) => JSON.stringify(sandbox.snapshot())
afterEach(() => {
  vi.useRealTimers()
})

it('stays at the end when played without a speed after the end, and keeps writes of clients', async () => {
  const sandbox = await start()
  sandbox.clock.advance('30d')
  await post(sandbox, 'Mine')
  const now = sandbox.clock.iso()
  expect(await sandbox.play()).toMatchObject({ status: 'ended', at_ms: 60_000, warning: null })
  expect([sandbox.clock.iso(), tag(sandbox, 'Mine')]).toEqual([now, 'Mine'])
})

it('rejects playing to a past position, immediately and in real time, and changes nothing', async () => {
  const sandbox = await start()
  await sandbox.play({ until: '30s' })
  const before = world(sandbox)
  for (const speed of [undefined, 10]) {
    await expect(sandbox.play({ until: 'Two', speed })).rejects.toThrow(SandboxError)
    await expect(sandbox.play({ until: 'Two', speed })).rejects.toThrow(
      'Failed to play until "Two": the story is already past this position, at 30 s. Seek back first.',
    )
  }
  expect(world(sandbox)).toBe(before)
  expect(await sandbox.play({ until: '30s' })).toMatchObject({ at_ms: 30_000 })
})

it('keeps a running clock running after the end', async () => {
  const sandbox = await start(tips, 'running')
  sandbox.clock.advance('2m')
  await sandbox.play()
  expect(sandbox.clock.mode).toBe('running')
})

it('clears problems, stop and loop on a reset', async () => {
  const sandbox = await start(fails, 'running')
  vi.useFakeTimers()
  await expect(sandbox.play()).rejects.toThrow('post_id is 5')
  await sandbox.reset()
  expect(sandbox.control.replay().problems).toEqual([])
  expect(sandbox.seek('10s')).toMatchObject({ problems: [] })
  const playing = sandbox.play({ until: '15s', speed: 1, loop: true })
  await sandbox.reset()
  expect(await playing).toMatchObject({ until_ms: null, loop: false })
  await vi.advanceTimersByTimeAsync(90_000)
  expect([sandbox.clock.mode, sandbox.clock.iso()]).toEqual(['running', '2026-10-01T09:31:30.000Z'])
})

it('keeps problems that are earlier than the target of a seek back', async () => {
  const sandbox = await start(fails)
  expect(() => sandbox.seek('50s')).toThrow('post_id is 5')
  expect(() => sandbox.seek('45s')).toThrow('post_id is 5')
  expect(sandbox.seek('10s').problems).toEqual([])
})

it('seeks back correctly after a snapshot was restored', async () => {
  const sandbox = await start()
  const other = await start()
  sandbox.seek('10s')
  await post(sandbox, 'Elsewhere')
  sandbox.seek('50s')
  other.seek('50s')
  await sandbox.restore(other.snapshot())
  sandbox.seek('45s')
  expect(tag(sandbox, 'Elsewhere')).toBeUndefined()
  other.seek('45s')
  expect(world(sandbox)).toBe(world(other))
})

it('seeks back correctly in a fork from the middle of the story, and stops and plays again like the original', async () => {
  const sandbox = await start()
  sandbox.seek('30s')
  await post(sandbox, 'Mine')
  const fork = sandbox.fork()
  const made = world(fork)
  expect(fork.seek('10s')).toMatchObject({
    at_ms: 10_000,
    warning: expect.stringContaining('1 later write of clients was dropped'),
  })
  expect(tag(fork, 'Mine')).toBeUndefined()
  const straight = await start()
  straight.seek('10s')
  expect(world(fork)).toBe(world(straight))
  expect(fork.control.replay({ command: 'stop' })).toMatchObject({ at_ms: 0, status: 'idle' })
  expect(await fork.play({ until: 'Three' })).toMatchObject({ at_ms: 40_000 })
  await fork.reset()
  expect(world(fork)).toBe(made)
  expect(tag(sandbox, 'Mine')).toBe('Mine')
})

it('keeps the keys of an isolated world after a seek back', async () => {
  const sandbox = await start()
  sandbox.seek('30s')
  const world = sandbox.createWorld()
  const { keys } = world
  world.seek('20s')
  expect(world.seek('5s').at_ms).toBe(5000)
  expect(world.keys).toEqual(keys)
  expect(
    Object.fromEntries(world.control.state().keys.map(({ role, key }) => [role, key])),
  ).toEqual(keys)
})

it('reports only events that were not undone, after a failed batch and a seek back', async () => {
  const sandbox = await start()
  expect(() =>
    sandbox.act([
      { type: 'clock.advance', by: '30s' },
      { type: 'tip', account_id: 1 },
    ]),
  ).toThrow('account_id is 1')
  expect(done(sandbox)).toEqual(['chapter', 'note'])
  expect(sandbox.control.replay().at_ms).toBe(0)
  sandbox.seek('50s')
  const once = done(sandbox)
  sandbox.act({ type: 'note', text: 'Dropped' })
  sandbox.seek('30s')
  expect(done(sandbox)).toEqual(['chapter', 'note', 'chapter', 'tip'])
  sandbox.seek('50s')
  expect(done(sandbox)).toEqual(once)
  await sandbox.restore(sandbox.snapshot())
  expect(done(sandbox)).toEqual([])
})

it('counts the writes that a seek back drops, even if they are no longer in the journal', async () => {
  const sandbox = await start()
  sandbox.seek('30s')
  for (const name of ['a', 'b', 'c']) await post(sandbox, name)
  sandbox.control.clearRequests()
  await post(sandbox, 'd')
  sandbox.seek('50s')
  expect(sandbox.seek('25s').warning).toContain('4 later client writes were dropped')
  await post(sandbox, 'e')
  sandbox.seek('50s')
  expect(sandbox.seek('25s').warning).toContain('1 later write of clients was dropped')
  expect(sandbox.seek('5s').warning).toContain('No client writes were dropped.')
})
