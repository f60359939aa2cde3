import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createTemporaryFolder, runInProcess, serveCommand } from '../support/command.ts'
import { canMountDisk, fillDisk, mountDisk } from '../support/small-disk.ts'

/** Failures of a store, each with a function that causes it and a function that repairs it. */
const failures: Record<string, (parent: string) => { fail: () => void; repair: () => void }> = {
  'the folder is gone': (parent) => ({
    fail: () => renameSync(join(parent, 'state'), join(parent, 'away')),
    repair: () => renameSync(join(parent, 'away'), join(parent, 'state')),
  }),
  'the folder is gone, and comes back empty': (parent) => ({
    fail: () => rmSync(join(parent, 'state'), { recursive: true }),
    repair: () => mkdirSync(join(parent, 'state')),
  }),
}

const failuresOfDisks: typeof failures = {
  'the disk is full': (disk) => {
    let free = () => {}
    return { fail: () => (free = fillDisk(disk)), repair: () => free() }
  },
  'the folder is read-only': (disk) => ({
    fail: () => execFileSync('mount', ['-o', 'remount,ro', disk]),
    repair: () => execFileSync('mount', ['-o', 'remount,rw', disk]),
  }),
}

it.each(Object.entries({ ...failures, ...(canMountDisk() ? failuresOfDisks : {}) }))(
  'accepts writes while %s, reports the start of the failure in /health, and saves everything afterwards',
  async (_, create) => {
    const parent = canMountDisk() ? mountDisk('32m') : createTemporaryFolder()
    const folder = join(parent, 'state')
    const flags = ['--scenario', 'solo', '--clock', 'frozen', '--state', folder]
    const { url, stop, control } = await serveCommand(...flags)
    const { keys } = await control('state')
    const readHealth = async () => (await fetch(`${url}/health`)).json()
    const write = (name: string, world: string) =>
      fetch(`${url}/v1/tags`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[0].key}~${world}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name }),
      })
    expect((await write('before', 'a')).status).toBe(200)
    await vi.waitFor(() => expect(readSavedWorld(folder, 'a')).toContain('"before"'))
    const { fail, repair } = create(parent)
    fail()
    for (const world of ['a', 'b', 'c'])
      expect((await write(`during-${world}`, world)).status).toBe(200)
    const failing =
      /^failing since 20.*Z, because .+; until it is saved again, a crash loses more than 500 ms$/
    await vi.waitFor(async () => expect((await readHealth()).state).toMatch(failing), {
      timeout: 60_000,
    })
    const { state } = await readHealth()
    expect((await write('later', 'c')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    // The report still contains the time of the first failure.
    expect((await readHealth()).state).toBe(state)
    repair()
    await vi.waitFor(
      async () => {
        expect(await readHealth()).not.toHaveProperty('state')
        for (const world of ['a', 'b', 'c'])
          expect(readSavedWorld(folder, world)).toContain(`"during-${world}"`)
        expect(readSavedWorld(folder, 'c')).toContain('"later"')
        expect(readSavedWorld(folder, 'a')).toContain('"before"')
      },
      { timeout: 60_000 },
    )
    const { code, stderr } = await stop()
    expect(code).toBe(0)
    expect(stderr.match(/Failed to save the state/g)).toHaveLength(1)
    expect(stderr.match(/^Saving the state .* works again\.$/gm)).toHaveLength(1)
    // The folder contains all data that a later server needs.
    const again = await serveCommand('--state', folder)
    await again.stop()
  },
)

function readSavedWorld(folder: string, world: string): string {
  return readFileSync(join(folder, `_${world}.state`), 'utf8')
}

/** Starts a server whose state is on a disk of 1 MB, and returns functions that send requests. */
async function serveFromSmallDisk(disk = mountDisk('1m')) {
  const folder = join(disk, 'state')
  const { url, stop, control } = await serveCommand('--scenario', 'solo', '--state', folder)
  const { keys } = await control('state')
  const createTag = async (name: string, world = '') => {
    const headers = {
      authorization: `Bearer ${keys[0].key}${world}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ name })
    return (await fetch(`${url}/v1/tags`, { method: 'POST', headers, body })).status
  }
  const readHealth = async () => (await (await fetch(`${url}/health`)).json()).state
  return { disk, folder, stop, createTag, readHealth }
}

const failingOnFullDisk =
  /^failing since 20.*Z, because the disk is full \(ENOSPC\); until it is saved again, /

it.skipIf(!canMountDisk())(
  'keeps the saved world if the disk becomes full, and saves the rest when there is space again',
  async () => {
    const { disk, folder, stop, createTag, readHealth } = await serveFromSmallDisk()
    for (let count = 0; count < 80; count += 1)
      expect(await createTag(`tag ${count} ${'x'.repeat(80)}`)).toBe(200)
    const file = join(folder, 'main.state')
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('"tag 79 '))
    const saved = readFileSync(file, 'utf8')
    const free = fillDisk(disk, { free: 4_096 })
    expect(await createTag('later')).toBe(200)
    await vi.waitFor(async () => expect(await readHealth()).toMatch(failingOnFullDisk), 5_000)
    expect(readFileSync(file, 'utf8')).toBe(saved)
    free()
    await vi.waitFor(async () => expect(await readHealth()).toBeUndefined(), 5_000)
    expect(readFileSync(file, 'utf8')).toContain('"later"')
    expect(await stop()).toMatchObject({ code: 0 })
    expect(readdirSync(folder).filter((name) => !name.endsWith('.state'))).toEqual([])
  },
)

it.skipIf(!canMountDisk()).each(['SIGTERM', 'SIGINT'] as const)(
  'names the worlds whose changes are lost if %s stops it while the disk is full',
  async (signal) => {
    const { disk, folder, stop, createTag } = await serveFromSmallDisk()
    expect(await createTag('first')).toBe(200)
    expect(await createTag('first', '~a')).toBe(200)
    await vi.waitFor(() => expect(readSavedWorld(folder, 'a')).toContain('"first"'))
    const free = fillDisk(disk)
    expect(await createTag('lost', '~a')).toBe(200)
    expect(await createTag('lost', '~b')).toBe(200)
    const { code, stderr } = await stop(signal)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /Failed to save the state \(.*\): the disk is full \(ENOSPC\)\. Lost: changes since 20\S+Z to .*the world a, the world b/,
    )
    free()
    const again = await serveFromSmallDisk(disk)
    expect(readSavedWorld(folder, 'a')).toContain('"first"')
    expect(await again.stop()).toMatchObject({ code: 0 })
  },
)

it.skipIf(!canMountDisk())('names the folder if its disk is full at the first start', async () => {
  const folder = join(mountDisk('32k'), 'state')
  const { code, stderr } = await runInProcess('--port', '0', '--quiet', '--state', folder)
  expect(code).toBe(2)
  expect(stderr).toBe(
    `Failed to save the state (${folder}): the disk is full (ENOSPC). Use another --state.\n`,
  )
})
