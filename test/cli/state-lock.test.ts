import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFile } from '../../src/cli/state-lock.ts'
import { createTemporaryFolder } from '../support/command.ts'

const createTarget = () => join(createTemporaryFolder(), 'state.json')
/** Returns this process's lock data with some fields replaced. */
async function createLockText(target: string, facts: object): Promise<string> {
  const lock = await lockFile(target)
  const keeper = JSON.parse(readFileSync(`${target}.lock`, 'utf8'))
  await lock.release()
  return JSON.stringify({ ...keeper, ...facts })
}

it('names the process that uses the file, and since when', async () => {
  const target = createTarget()
  const first = await lockFile(target)
  const { since } = JSON.parse(readFileSync(`${target}.lock`, 'utf8'))
  await expect(lockFile(target)).rejects.toThrow(
    `Failed to save the state in ${target}: process ${process.pid} is using it (since ${since}). ` +
      'Stop that process, or use another --state.',
  )
  await first.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
  const second = await lockFile(target)
  await second.release()
})

it.each<[string, object, { patience?: number }]>([
  ['a process that is gone', { pid: 2 ** 22 + 1 }, {}],
  ['a later process with its pid', { started: '1' }, {}],
  ['an inactive machine or container', { place: 'elsewhere 1 2' }, { patience: 20 }],
])('takes over the lock that %s left behind', async (_, facts, options) => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, facts))
  const lock = await lockFile(target, options)
  expect(JSON.parse(readFileSync(`${target}.lock`, 'utf8')).pid).toBe(process.pid)
  await lock.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
})

it('takes over an incomplete lock', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, '{"pid":')
  const lock = await lockFile(target, { patience: 20 })
  await lock.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
})

it('takes over the lock of a process that was killed while it took over a lock', async () => {
  const target = createTarget()
  const text = await createLockText(target, { pid: 2 ** 22 + 1 })
  writeFileSync(`${target}.lock`, text)
  writeFileSync(`${target}.lock.lock`, text)
  const lock = await lockFile(target)
  await lock.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
})

it('does not take over the lock while another process is doing so', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, { pid: 2 ** 22 + 1 }))
  const other = await lockFile(`${target}.lock`)
  await expect(lockFile(target)).rejects.toThrow(`process ${process.pid} is using it`)
  await other.release()
})

it('gives the lock to only one of many processes that request it at the same time', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, { pid: 2 ** 22 + 1 }))
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(target)))
  const taken = results.filter((result) => result.status === 'fulfilled')
  expect(taken).toHaveLength(1)
  await taken[0]?.value.release()
})

it('reports that the lock was removed manually and another process uses the file', async () => {
  const target = createTarget()
  const lock = await lockFile(target)
  await lock.require()
  writeFileSync(`${target}.lock`, await createLockText(createTarget(), { pid: 4711 }))
  await expect(lock.require()).rejects.toThrow('process 4711 is using it (since ')
  await lock.release()
  expect(readdirSync(join(target, '..'))).toEqual(['state.json.lock'])
})
