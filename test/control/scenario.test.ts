import { expect, it } from 'vitest'
import { createBearerHeader, openControlClient } from '../support/control.ts'
import { expectSameText } from '../support/expectations.ts'

it('lists the shipped scenarios', async () => {
  const { ask } = await openControlClient()
  const { body } = await ask('GET', '/_sandbox/scenarios')
  expect(body).toContainEqual({
    name: 'solo',
    title: expect.any(String),
    description: expect.any(String),
    seed: expect.any(Number),
    now: expect.any(String),
    starts_at: expect.any(String),
    duration_ms: 0,
    chapters: [],
    roles: ['owner', 'analyst'],
    accounts: [{ id: 100_200_300, username: expect.any(String) }],
  })
})

it('replaces the current scenario, with another seed and start', async () => {
  const { sandbox, ask } = await openControlClient()
  const answer = await ask('PUT', '/_sandbox/scenario', {
    body: { name: 'agency', seed: 9, now: '2027-02-03T04:05:06Z' },
  })
  expect(answer).toMatchObject({
    status: 200,
    body: { scenario: 'agency', seed: 9, clock: { now: '2027-02-03T04:05:06.000Z' } },
  })
  expect(answer.body.keys.map(({ key }: { key: string }) => key)).toContain(sandbox.keys['owner'])
  expect(
    (
      await ask(
        'GET',
        `/v1/${sandbox.db.accounts.find({ connected: true })?.id}/posts`,
        createBearerHeader(sandbox.keys['owner']),
      )
    ).status,
  ).toBe(200)
  await sandbox.reset()
  expect(sandbox.control.state()).toMatchObject({
    scenario: 'agency',
    seed: 9,
    clock: { now: '2027-02-03T04:05:06.000Z' },
  })
})

it.each([
  [{}, 'either name or yaml'],
  [{ name: 'solo', yaml: 'name: x' }, 'either name or yaml'],
  [{ name: '/etc/passwd' }, 'it does not exist'],
  [{ name: '../scenarios/solo.yaml' }, 'it does not exist'],
  [{ name: 'solo', seed: 1.5 }, 'seed: 1.5'],
  [{ name: 'solo', now: 'noon' }, 'RFC 3339'],
  [{ name: 'solo', file: 'x' }, 'Allowed: name, yaml, seed, now'],
  [{ yaml: 'name: [' }, 'yaml'],
  [{ yaml: 'name: mine\ncolour: red' }, 'yaml'],
])('rejects the scenario %j and keeps the present one', async (body, text) => {
  const { sandbox, ask } = await openControlClient()
  const before = JSON.stringify(sandbox.snapshot())
  expect(await ask('PUT', '/_sandbox/scenario', { body })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(text) },
  })
  expectSameText(JSON.stringify(sandbox.snapshot()), before, 'the snapshot')
})

it('names the fields that a method takes if it gets a string', async () => {
  const { sandbox } = await openControlClient()
  await expect(sandbox.control.loadScenario('solo' as never)).rejects.toThrow(
    'Failed to load a scenario ("solo"): it must be of type object with fields such as name, yaml,',
  )
  expect(() => sandbox.createWorld('worker-3' as never)).toThrow(
    'Failed to create a world ("worker-3"): it must be of type object with fields such as name',
  )
})
