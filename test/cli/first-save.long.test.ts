import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { unfinishedFile } from '../../src/cli/replace-file.ts'
import { createTemporaryFolder, serveCommand } from '../support/command.ts'
import { startProcess } from '../support/process.ts'

const kills = 20
const lock = 'main.state.lock'

const listFiles = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const isUnfinished = (name: string) => unfinishedFile.test(name)
/** True if the server has the lock and has begun to save. */
const isSaving = (names: string[]) => names.includes(lock) && names.some((name) => name !== lock)

/** Moments of the first save at which a server is killed. */
const moments: ((names: string[]) => boolean)[] = [
  // While it writes the lock.
  (names) => names.some(isUnfinished),
  // While it writes the base, the marker of the store, or the world.
  (names) => isSaving(names) && names.some(isUnfinished),
  (names) => names.some((name) => name.startsWith('base-')) && names.some(isUnfinished),
]

/** Starts a server in a new folder and kills it. Returns the names of the files that it leaves. */
async function killDuringFirstSave(folder: string, kill: number): Promise<string[]> {
  const child = startProcess(['--port', '0', '--scenario', 'solo', '--state', folder])
  const end = once(child, 'close')
  // Every second server is killed 0 to 300 ms after it starts to save, the others at a moment.
  const isTimed = kill % 2 === 0
  const isDue = isTimed ? isSaving : (moments[kill % moments.length] ?? isSaving)
  for (let names = listFiles(folder); !isDue(names); names = listFiles(folder)) {
    if (names.includes('main.state') || child.exitCode !== null) break
    // Spins only during the save, because the server needs the processor to start.
    await (names.length === 0 ? wait(1) : nextTurn())
  }
  if (isTimed) await wait((300 * kill) / kills)
  child.kill('SIGKILL')
  await end
  return listFiles(folder)
}

/** Expects only the files of one world. */
function expectSavedWorld(folder: string): void {
  const [base = '', ...others] = readdirSync(folder).toSorted()
  expect([base.slice(0, 5), ...others]).toEqual(['base-', 'main.state', 'store.state'])
}

it('starts again after each kill during its first save', { timeout: 1_800_000 }, async () => {
  let unfinished = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const folder = join(createTemporaryFolder(), 'state')
    const left = await killDuringFirstSave(folder, kill)
    if (left.some(isUnfinished)) unfinished += 1
    const { url, stop } = await serveCommand('--quiet', '--scenario', 'solo', '--state', folder)
    expect((await fetch(`${url}/health`)).status, `after ${left.join()}`).toBe(200)
    expect(await stop()).toMatchObject({ code: 0, stderr: '' })
    expectSavedWorld(folder)
  }
  expect(unfinished).toBeGreaterThanOrEqual(5)
})

it('removes its own unfinished files and the lock of a killed process before it checks the folder', async () => {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, '.creator-api-sandbox-0123456789abcdef.tmp'), '{"torn')
  writeFileSync(join(folder, 'main.state.lock'), '')
  // The server waits for some seconds until this incomplete lock is stale.
  writeFileSync(join(folder, 'main.state.lock.lock'), '{"pid":')
  const { stop } = await serveCommand('--quiet', '--scenario', 'solo', '--state', folder)
  await stop()
  expectSavedWorld(folder)
})
