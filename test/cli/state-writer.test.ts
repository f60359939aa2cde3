import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openStateFile } from '../../src/cli/state-file.ts'
import { createStateWriter } from '../../src/cli/state-writer.ts'
import { temporaryFolder } from '../support/command.ts'
import { freshSandbox } from '../support/client.ts'
import { createPace } from '../support/pace.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

async function createWriter(scenario = 'solo', name = join(temporaryFolder(), 'state.json')) {
  const sandbox = await freshSandbox(scenario)
  const file = await openStateFile(name)
  const told: string[] = []
  const writer = createStateWriter(sandbox, file, {
    log: (message) => told.push(message),
    onCondition: (since) => new ServedSandbox(sandbox).reportState(since),
  })
  onTestFinished(() => file.lock.release())
  const expectWritten = () =>
    expect(readFileSync(name, 'utf8') === JSON.stringify({ ...sandbox.snapshot() })).toBe(true)
  return { sandbox, writer, name, told, expectWritten }
}

/** Lets seconds pass, of the timers, until the expectation is met. */
const secondsUntil = (expectation: () => void) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1_000)
    expectation()
  }, 20_000)

it('writes the bytes of the snapshot, whatever it takes from the file before', async () => {
  const { sandbox, writer, expectWritten } = await createWriter('agency')
  const account = sandbox.db.accounts.find({ connected: true })!.id
  await writer.write()
  expectWritten()
  for (let round = 0; round < 5; round += 1) {
    const transactions = sandbox.db.transactions.all()
    for (let count = 0; count <= round; count += 1)
      sandbox.act({ type: 'tip', account_id: account })
    sandbox.db.transactions.remove(transactions[(round * 1013) % transactions.length]!.id)
    sandbox.db.messages.update(sandbox.db.messages.all()[round * 300]!.id, {
      text: `Grüße ${'✨'.repeat(round)}`,
    })
    if (round === 3) await sandbox.reset()
    await writer.write()
    expectWritten()
  }
})

it('writes everything again if another process changed the file', async () => {
  const { sandbox, writer, name, expectWritten } = await createWriter('agency')
  await writer.write()
  writeFileSync(name, 'x'.repeat(statSync(name).size))
  sandbox.act({ type: 'limits.set', minute: 9 })
  await writer.write()
  expectWritten()
})

it('looks for changes every second, and lets requests that change nothing be', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { sandbox, writer, name, expectWritten } = await createWriter()
  await writer.write()
  writer.start()
  const before = statSync(name).ino
  writer.touch('GET')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statSync(name).ino).toBe(before)
  sandbox.act({ type: 'limits.set', minute: 12 })
  await secondsUntil(expectWritten)
  sandbox.clock.advance('1h')
  writer.touch('POST')
  await secondsUntil(expectWritten)
  await writer.close()
  expect(readdirSync(join(name, '..'))).toEqual(['state.json'])
})

it('tries again when a write fails, and says so in the log, in /health and on the console until it is well', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const folder = join(temporaryFolder(), 'inner')
  mkdirSync(folder)
  const { sandbox, writer, name, told, expectWritten } = await createWriter(
    'solo',
    join(folder, 'state.json'),
  )
  const health = async () => (await sandbox.fetch(`${sandbox.baseUrl}/health`)).json()
  await writer.write()
  writer.start()
  renameSync(folder, `${folder}-away`)
  sandbox.act({ type: 'limits.set', minute: 12 })
  await secondsUntil(() => expect(told).toHaveLength(1))
  expect(told[0]).toBe(
    `Failed to write the state file (${name}): its folder is not there (ENOENT). It is tried again until it succeeds; what changes ` +
      'meanwhile is lost when the process is killed.',
  )
  const { state } = sandbox.control.pulse()
  expect(state).toMatch(/^failing since \d{4}-\d\d-\d\dT/)
  expect(await health()).toEqual({ status: 'ok', state })
  for (let seconds = 0; seconds < 10; seconds += 1) await vi.advanceTimersByTimeAsync(1_000)
  renameSync(`${folder}-away`, folder)
  await secondsUntil(() =>
    expect(told.slice(1)).toEqual([`The state file (${name}) is written again.`]),
  )
  expectWritten()
  expect(await health()).toEqual({ status: 'ok' })
  expect(sandbox.control.pulse()).not.toHaveProperty('state', expect.anything())
})

it('follows links and keeps them, and keeps the mode of the file', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'data'))
  symlinkSync(join('data', 'link.json'), join(folder, 'state.json'))
  symlinkSync('real.json', join(folder, 'data', 'link.json'))
  const { sandbox, writer, name } = await createWriter('solo', join(folder, 'state.json'))
  await writer.write()
  chmodSync(name, 0o640)
  sandbox.act({ type: 'limits.set', minute: 12 })
  await writer.close()
  expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['link.json', 'real.json'])
  expect(statSync(join(folder, 'data', 'real.json')).mode & 0o777).toBe(0o640)
  expect(JSON.parse(readFileSync(name, 'utf8')).tables.organisations[0].limits.minute).toBe(12)
})

it('sweeps the drafts of processes that are gone, and nothing else', async () => {
  const folder = temporaryFolder()
  for (const file of ['state.json.4711.tmp', 'state.json.tmp', 'other.json.4711.tmp'])
    writeFileSync(join(folder, file), '')
  const { lock } = await openStateFile(join(folder, 'state.json'))
  expect(readdirSync(folder).toSorted()).toEqual([
    'other.json.4711.tmp',
    'state.json.lock',
    'state.json.tmp',
  ])
  lock.release()
  rmSync(join(folder, 'state.json.tmp'))
})

it('waits while the world is busy: to look at it would finish at once what it is busy with', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { sandbox, writer, name, expectWritten } = await createWriter('launch-day')
  await writer.write()
  writer.start()
  const { pace, go } = createPace()
  const served = new ServedSandbox(sandbox)
  served.follow(pace)
  const before = statSync(name).ino
  const seeking = served.run('seeking', () => served.replay({ command: 'seek', to: '+5m' }))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(served.operation).toBe('seeking')
  expect(statSync(name).ino).toBe(before)
  await go()
  await seeking
  await secondsUntil(expectWritten)
  await writer.close()
})
