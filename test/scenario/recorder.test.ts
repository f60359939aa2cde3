import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { expectSameText } from '../support/expectations.ts'
import { toScenarioYaml } from '../../src/scenario/scenario-yaml.ts'
import { startRecording } from '../../src/scenario/scenario-recorder.ts'
import { Sandbox } from '../../src/sandbox/sandbox.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const account = 100_200_300

function expectSameRecords(again: Sandbox, sandbox: Sandbox) {
  const [expected, given] = [sandbox, again].map((each) => JSON.stringify(each.snapshot().tables))
  expectSameText(String(given), String(expected), 'the world replayed')
}

const replayed = async (sandbox: Sandbox, finish: ReturnType<ServedSandbox['record']>) => {
  const { scenario, gap } = finish('recorded')
  expect(gap).toBeNull()
  const again = createSandbox({
    scenario: await parseScenario(JSON.stringify(scenario), 'recorded.yaml'),
    baseUrl: sandbox.baseUrl,
  })
  await again.ready
  again.seek(`${sandbox.clock.now() - Date.parse('2026-10-01T09:30:00Z')}ms`)
  return again
}

it('records actions and writes that produce the same world when played', async () => {
  const sandbox = await createFreshSandbox()
  const finish = new ServedSandbox(sandbox).record()
  sandbox.clock.advance('3s')
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Mine', color: null })
  await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts`)
  sandbox.act({ type: 'tip', account_id: account })
  sandbox.clock.advance('1d')
  await sendAsOwner(sandbox, 'POST', `/v1/${account}/posts`, { text: 'Recorded' })
  sandbox.act([
    { type: 'subscriber.new', account_id: account },
    { type: 'clock.advance', by: '5s' },
  ])
  await sendAsOwner(sandbox, 'POST', `/v1/${account}/posts`, { text: '' })
  await sendAsOwner(sandbox, 'POST', `/v1/${account}/tracking-links`, { name: 'Later' })
  const { scenario, steps } = finish('recorded')
  expect(scenario['timeline']).toMatchObject([
    {
      at: '3000ms',
      request: { key: 'owner', method: 'POST', path: '/v1/tags', body: { name: 'Mine' } },
    },
    { at: '3000ms', request: { key: 'owner', method: 'GET', path: `/v1/${account}/posts` } },
    { at: '3000ms', do: [{ type: 'tip' }] },
    { at: '86403000ms', request: { path: `/v1/${account}/posts` } },
    { at: '86403000ms', do: [{ type: 'subscriber.new' }] },
    {
      at: '86408000ms',
      request: { body: { text: '' }, answered: { status: 400, code: 'parameter_invalid' } },
    },
    { at: '86408000ms', request: { path: `/v1/${account}/tracking-links` } },
  ])
  expect(steps).toBe(7)
  const again = await replayed(sandbox, finish)
  expectSameRecords(again, sandbox)
})

it('records rejected requests with their responses, and does not send them again in a replay', async () => {
  const sandbox = await createFreshSandbox()
  const finish = new ServedSandbox(sandbox).record()
  sandbox.faults.add({ status: 503, times: 1 })
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Twice' })
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Twice' })
  await sendAsOwner(sandbox, 'GET', '/v1/nowhere')
  await sandbox.fetch(`${sandbox.baseUrl}/v1/tags?api_key=sk_live_other`, {
    headers: { 'x-api-key': 'sk_live_other' },
  })
  const again = await replayed(sandbox, finish)
  const shown = ({
    method,
    path,
    role,
    status,
    code,
    credits,
    fault,
  }: Sandbox['requests'][number]) => {
    return { method, path, role, status, code, credits, isFault: fault !== null }
  }
  expect(again.requests.map(shown)).toEqual(sandbox.requests.map(shown))
  expect(again.requests.every((request) => request.asked_by === 'story')).toBe(true)
  expect(again.received()).toEqual([])
  expect(again.cost()).toMatchObject({ requests: 0 })
  expect((await again.audit({ of: 'story' })).findings).toEqual((await sandbox.audit()).findings)
  expect(JSON.stringify(finish('recorded'))).not.toContain('sk_live_other')
})

it('restarts on a reset, and drops what a seek back undid', async () => {
  const sandbox = createSandbox({
    scenario: await parseScenario(
      `{ extends: solo, name: story, timeline: [{ at: 10s, do: { type: tip, account_id: ${account} } }, { at: 1m }] }`,
      'story.yaml',
    ),
  })
  await sandbox.ready
  const finish = new ServedSandbox(sandbox).record()
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Before' })
  await sandbox.reset()
  sandbox.seek('5s')
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Kept' })
  sandbox.seek('30s')
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'Undone' })
  sandbox.seek('20s')
  await sendAsOwner(sandbox, 'POST', '/v1/tags', { name: 'After' })
  const again = await replayed(sandbox, finish)
  const names = (of: Sandbox) => of.db.tags.all().map(({ name }) => name)
  expect(names(again)).toEqual(names(sandbox))
  expect(names(again)).toEqual(expect.not.arrayContaining(['Before', 'Undone']))
  expectSameRecords(again, sandbox)
})

it('subtracts the credits of reads', async () => {
  const sandbox = await createFreshSandbox()
  const finish = new ServedSandbox(sandbox).record()
  sandbox.act({ type: 'credits.set', credits: 50 })
  for (let round = 0; round < 3; round += 1)
    await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts`)
  const again = await replayed(sandbox, finish)
  expect(again.db.organisations.all().map(({ credits }) => credits)).toEqual([47])
})

it('explains why a recording cannot produce the same world', async () => {
  const sandbox = await createFreshSandbox()
  const finish = new ServedSandbox(sandbox).record()
  await sandbox.restore(sandbox.snapshot())
  expect(finish('recorded').gap).toContain('a snapshot was restored')
})

it('changes nothing: an action after an advance in the same call happens at the later time', async () => {
  const sandbox = await createFreshSandbox()
  const finish = new ServedSandbox(sandbox).record()
  const [, { ids }] = sandbox.act([
    { type: 'clock.advance', by: '2h' },
    { type: 'tip', account_id: account },
  ])
  expect(sandbox.db.transactions.get(ids.transaction)?.transaction_created_at).toBe(
    '2026-10-01T11:30:00.000Z',
  )
  expect(finish('recorded').scenario['timeline']).toMatchObject([
    { at: '7200000ms', do: [{ type: 'tip' }] },
  ])
})

it.each<[string, (sandbox: Sandbox) => unknown]>([
  ['made', ({ make }) => make.tag({ name: 'Made' })],
  ['inserted', ({ db }) => db.tags.insert({ name: 'Inserted' })],
  ['updated', ({ db }) => db.posts.update(db.posts.all()[0]!.id, { likeCount: 7 })],
  [
    'edited',
    ({ db, control }) => control.updateRecord('posts', db.posts.all()[0]!.id, { text: '' }),
  ],
])('names a record that was %s as a gap, until a seek back undoes it', async (_, edit) => {
  const sandbox = await createFreshSandbox('launch-day')
  sandbox.control.startRecording()
  sandbox.seek('1m')
  await edit(sandbox)
  expect(sandbox.control.recording().gap).toMatch(/records were made or edited/)
  sandbox.seek('10s')
  expect(sandbox.control.recording().gap).toBeNull()
})

it('names an upload as a gap', async () => {
  const sandbox = await createFreshSandbox()
  sandbox.control.startRecording()
  const begun = await sendAsOwner(sandbox, 'POST', `/v1/${account}/upload/signed/create`, {
    key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/a.jpg',
    parts: 1,
    contentType: 'image/jpeg',
  })
  const { data } = begun.body
  expect(sandbox.control.recording().gap).toBeNull()
  const put = await sandbox.fetch(data.url, { method: 'PUT', body: new Uint8Array(10) })
  expect(put.status).toBe(200)
  expect(sandbox.control.recording().gap).toMatch(/^PUT .* wrote something/)
})

it('records at most as many steps as a scenario can have', async () => {
  const sandbox = await createFreshSandbox()
  const { world } = Sandbox.runtimeOf(sandbox)
  const recording = startRecording(world, { storyMs: () => 0, countSourceSteps: () => 9_997 })
  for (let turn = 0; turn < 3; turn += 1) sandbox.act({ type: 'note', text: 'A' })
  expect(recording).toMatchObject({
    steps: { length: 2 },
    gap: 'the recording stopped after 2 steps',
  })
})

it('writes the steps of a story and the steps between them in order', async () => {
  const log: string[] = []
  const sandbox = await createFreshSandbox('launch-day')
  const finish = new ServedSandbox(sandbox).record()
  sandbox.seek('1m')
  sandbox.act({ type: 'tip', amount: 20 })
  await sandbox.play()
  const again = await createFreshSandbox('empty', { log: (line) => void log.push(line) })
  await again.control.loadScenario({ yaml: toScenarioYaml(finish('recorded').scenario) })
  await again.play()
  expect(log).toEqual([])
  expectSameRecords(again, sandbox)
})
