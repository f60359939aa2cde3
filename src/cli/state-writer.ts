import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox.ts'
import { writeDraft } from './state-draft.ts'
import type { Written } from './state-draft.ts'
import { draftOf, explainFailure } from './state-file.ts'
import type { StateFile } from './state-file.ts'

/** Keeps a sandbox in its state file. */
export interface StateWriter {
  /** A request of that method was there: the sandbox may have changed. */
  touch: (method: string) => void
  /** Looks for changes from now on, every second. */
  start: () => void
  /** Writes now. @throws {SandboxError} when it cannot. */
  write: () => Promise<void>
  /** Writes what is not written yet, and lets the file go. @throws {SandboxError} when it cannot. */
  close: () => Promise<void>
}

/** Who is told when writes fail, and when they are well again. */
export interface StateListener {
  log: (message: string) => void
  /** Told since when writes fail, RFC 3339; undefined when they no longer do. */
  onCondition: (failingSince: string | undefined) => void
}

/** From the start of one write to the start of the next, ms: no change waits longer, unless the write itself takes longer. */
const beatMs = 1_000
/** The longest pause between two writes that fail, ms. */
const longestPauseMs = 30_000

/**
 * Makes the writer of a state file. It looks for changes every second, and begins the next write while the server goes on. A write that
 * fails is tried again, after pauses that grow to half a minute.
 */
export function createStateWriter(sandbox: Sandbox, file: StateFile, { log, onCondition }: StateListener): StateWriter {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let failures = 0
  let isClosed = false
  let touched: 'no' | 'read' | 'changed' = 'no'
  /** What was written last, and what tells whether the sandbox is still the same. */
  let last: { written: Written; tokens: readonly object[]; state: string } | undefined

  const writeOnce = async () => {
    touched = 'no'
    try {
      file.lock.require()
      const [tokens, snapshot] = [tokensOf(sandbox), sandbox.snapshot()]
      const known = last === undefined ? undefined : { path: file.target, written: last.written }
      last = { written: await replace(file.target, (draft) => writeDraft(draft, snapshot, known)), tokens, state: stateOf(snapshot) }
    } catch (error) {
      touched = 'changed'
      throw error
    }
  }
  const write = async (advice: string) => {
    running = writeOnce().finally(() => (running = undefined))
    try {
      await running
    } catch (error) {
      throw toFailure(file.name, error, advice)
    }
  }
  const isChanged = () =>
    last === undefined ||
    touched === 'changed' ||
    tokensOf(sandbox).some((token, place) => token !== last?.tokens[place]) ||
    (touched === 'read' && stateOf(sandbox.snapshot()) !== last.state)
  const beat = async () => {
    // To look at a busy world would mean to finish at once what it is busy with.
    if (sandbox.control.served.busy() !== null) return plan(beatMs)
    const start = performance.now()
    try {
      if (isChanged()) await write('It is tried again until it succeeds; what changes meanwhile is lost when the process is killed.')
      else touched = 'no'
      if (failures > 0) {
        log(`The state file (${file.name}) is written again.`)
        onCondition(undefined)
      }
      failures = 0
    } catch (error) {
      if (failures === 0) {
        log((error as Error).message)
        onCondition(new Date().toISOString())
      }
      failures += 1
    }
    const pause = failures === 0 ? beatMs : Math.min(beatMs * 2 ** failures, longestPauseMs)
    plan(Math.max(0, pause - (performance.now() - start)))
  }
  const plan = (ms: number) => {
    if (!isClosed) timer = setTimeout(() => void beat(), ms).unref()
  }
  return {
    start: () => plan(beatMs),
    write: () => write('Make room for it, or give another --state.'),
    touch(method) {
      if (touched !== 'changed') touched = method === 'GET' || method === 'HEAD' ? 'read' : 'changed'
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      // Who began it tells how it ended.
      await running?.catch(() => {})
      try {
        await write('What changed since the last write is lost.')
      } finally {
        file.lock.release()
      }
    },
  }
}

/** What changes with each table. */
function tokensOf({ db }: Sandbox): object[] {
  return Object.values(db).map(({ token }) => token)
}

/** The state besides the records. Time that only runs on is no change: a request of that sandbox would not see it lost. */
function stateOf({ scenario, seed, worldState }: ReturnType<Sandbox['snapshot']>): string {
  const { clock, ...state } = worldState
  return JSON.stringify({ scenario, seed, ...state, clock: clock.mode === 'running' ? { ...clock, now: undefined } : clock })
}

/** Writes beside the file and moves it into place: whoever reads it finds the old state or the new one, whole, also after a power cut. */
async function replace(target: string, write: (draft: Awaited<ReturnType<typeof open>>) => Promise<Written>): Promise<Written> {
  const path = draftOf(target)
  try {
    const draft = await open(path, 'w')
    try {
      const written = await write(draft)
      const mode = (await stat(target).catch(orAbsent))?.mode
      if (mode !== undefined) await draft.chmod(mode & 0o7777)
      await draft.close()
      await rename(path, target)
      await syncFolder(dirname(target))
      return written
    } finally {
      await draft.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the file system itself keeps the order of renames.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function toFailure(name: string, error: unknown, advice: string): SandboxError {
  if (error instanceof SandboxError) return error
  return new SandboxError(`Failed to write the state file (${name}): ${explainFailure(error)}. ${advice}`, { cause: error })
}
