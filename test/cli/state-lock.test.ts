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
  lock.release()
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
  first.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
  const second = await lockFile(target)
  second.release()
})

it.each<[string, object]>([
  ['a process that is gone', { pid: 2 ** 22 + 1 }],
  ['a later process with its pid', { started: '1' }],
])('takes over the lock that %s left behind', async (_, facts) => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, facts))
  const lock = await lockFile(target)
  expect(JSON.parse(readFileSync(`${target}.lock`, 'utf8')).pid).toBe(process.pid)
  lock.release()
  expect(readdirSync(join(target, '..'))).toEqual([])
})

it('takes over the lock of another machine or container that shows no sign of activity', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, { place: 'elsewhere 1 2' }))
  const lock = await lockFile(target, { patience: 20 })
  lock.release()
})

it('does not take over the lock while another process is doing so, and says which file to remove', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, { pid: 2 ** 22 + 1 }))
  writeFileSync(`${target}.lock.guard`, '')
  await expect(lockFile(target)).rejects.toThrow(
    'another process is taking it over. Try again. If there is no other process, remove ' +
      `${target}.lock.guard.`,
  )
})

it('gives the lock to only one of many processes that request it at the same time', async () => {
  const target = createTarget()
  writeFileSync(`${target}.lock`, await createLockText(target, { pid: 2 ** 22 + 1 }))
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(target)))
  const taken = results.filter((result) => result.status === 'fulfilled')
  expect(taken).toHaveLength(1)
  taken[0]?.value.release()
})

it('reports that the lock was removed manually and another process uses the file', async () => {
  const target = createTarget()
  const lock = await lockFile(target)
  lock.require()
  writeFileSync(`${target}.lock`, await createLockText(createTarget(), { pid: 4711 }))
  expect(() => lock.require()).toThrow(
    `Failed to save the state in ${target}: process 4711 is using it (since `,
  )
  lock.release()
  expect(readdirSync(join(target, '..'))).toEqual(['state.json.lock'])
})
