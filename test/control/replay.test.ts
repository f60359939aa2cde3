import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { openControlClient, refusal } from '../support/control.ts'

const account = 100_200_300
const yaml =
  '{ extends: solo, name: story, timeline: [{ chapter: One, note: Hello }, { at: 10s, chapter: Two, do: { type: ' +
  `session.lapse, account_id: ${account} } }] }`

it('loads a story from YAML, controls it, and reports its position', async () => {
  const { ask, read } = await openControlClient()
  expect((await ask('PUT', '/_sandbox/scenario', { body: { yaml } })).body).toMatchObject({
    scenario: 'story',
  })
  const direct = async (body: unknown) => (await ask('POST', '/_sandbox/replay', { body })).body
  expect(await read('replay')).toMatchObject({
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
  expect(await ask('POST', '/_sandbox/replay', { body: { command: 'fly' } })).toMatchObject(
    refusal(400, 'play, pause, step, seek, speed, stop'),
  )
})

it('lists the scenarios that can be loaded, including those of the library', async () => {
  const own = await parseScenario(yaml, 'story.yaml')
  const { ask, read } = await openControlClient({ scenario: 'empty', options: { library: [own] } })
  const list = await read('scenarios')
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
  const { read } = await openControlClient()
  const described: { type: string; summary: string }[] = await read('actions')
  expect(described.find(({ type }) => type === 'session.lapse')).toMatchObject({
    summary: expect.any(String),
    schema: { properties: { account_id: { anyOf: [{ type: 'integer' }, { type: 'string' }] } } },
  })
  expect(described.filter(({ summary }) => summary === '')).toEqual([])
})
