import { expect, it } from 'vitest'
import { openControlClient, refusal } from '../support/control.ts'
import { expectSameText } from '../support/expectations.ts'

it('replaces the current scenario, with another seed and start', async () => {
  const { sandbox, ask, get } = await openControlClient()
  const answer = await ask('PUT', '/_sandbox/scenario', {
    body: { name: 'agency', seed: 9, now: '2027-02-03T04:05:06Z' },
  })
  expect(answer).toMatchObject({
    status: 200,
    body: { scenario: 'agency', seed: 9, clock: { now: '2027-02-03T04:05:06.000Z' } },
  })
  expect(answer.body.keys.map(({ key }: { key: string }) => key)).toContain(sandbox.keys['owner'])
  expect((await get(`/v1/${sandbox.db.accounts.find({ connected: true })?.id}/posts`)).status).toBe(
    200,
  )
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
  expect(await ask('PUT', '/_sandbox/scenario', { body })).toMatchObject(refusal(400, text))
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
