import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serveCommand, createTemporaryFolder } from '../support/command.ts'

/** Mounts a small disk, which requires root. Returns undefined if mounting fails. */
function mountDisk(): string | undefined {
  const disk = join(createTemporaryFolder(), 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk])
  })
  return disk
}

/** Failures of a store, each with a function that causes it and a function that repairs it. */
const failures: Record<string, (disk: string) => { fail: () => void; repair: () => void }> = {
  'the disk is full': (disk) => ({
    fail() {
      try {
        writeFileSync(join(disk, 'filling'), Buffer.alloc(64 * 1_048_576))
      } catch {
        // The disk is now full.
      }
    },
    repair: () => rmSync(join(disk, 'filling')),
  }),
  'the folder is read-only': (disk) => ({
    fail: () => execFileSync('mount', ['-o', 'remount,ro', disk]),
    repair: () => execFileSync('mount', ['-o', 'remount,rw', disk]),
  }),
  'the folder is gone': (disk) => ({
    fail: () => renameSync(join(disk, 'state'), join(disk, 'away')),
    repair: () => renameSync(join(disk, 'away'), join(disk, 'state')),
  }),
  'the folder is gone, and comes back empty': (disk) => ({
    fail: () => rmSync(join(disk, 'state'), { recursive: true }),
    repair: () => mkdirSync(join(disk, 'state')),
  }),
}

it.each(Object.keys(failures))(
  'accepts writes while %s, reports the start of the failure in /health, and saves everything afterwards',
  async (name) => {
    const disk = mountDisk()
    if (disk === undefined) {
      console.warn('Skipped: this user may not mount a disk.')
      return
    }
    const folder = join(disk, 'state')
    const flags = ['--scenario', 'solo', '--clock', 'frozen', '--state', folder]
    const { url, stop } = await serveCommand(...flags)
    const ask = async (path: string, init: RequestInit = {}, world = '') => {
      const answer = await fetch(url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}${world}`, 'content-type': 'application/json' },
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    let key = ''
    key = ((await ask('/_sandbox/state')).body['keys'] as { key: string }[])[0]?.key ?? ''
    const write = (tag: string, world: string) =>
      ask('/v1/tags', { method: 'POST', body: JSON.stringify({ name: tag }) }, `~${world}`)
    expect((await write('before', 'a')).status).toBe(200)
    await vi.waitFor(() => expect(readSavedWorld(folder, 'a')).toContain('"before"'))
    const { fail, repair } = (failures[name] as (typeof failures)[string])(disk)
    fail()
    for (const world of ['a', 'b', 'c'])
      expect((await write(`during-${world}`, world)).status).toBe(200)
    const failing = /^failing since 20.*Z; until it is saved again, a crash loses more than 500 ms$/
    await vi.waitFor(async () => expect((await ask('/health')).body['state']).toMatch(failing), {
      timeout: 5_000,
    })
    const { state } = (await ask('/health')).body
    expect((await write('later', 'c')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    // The report still contains the time of the first failure.
    expect((await ask('/health')).body['state']).toBe(state)
    repair()
    await vi.waitFor(
      async () => {
        expect((await ask('/health')).body).not.toHaveProperty('state')
        for (const world of ['a', 'b', 'c'])
          expect(readSavedWorld(folder, world)).toContain(`"during-${world}"`)
        expect(readSavedWorld(folder, 'c')).toContain('"later"')
        expect(readSavedWorld(folder, 'a')).toContain('"before"')
      },
      { timeout: 10_000 },
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
