import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox.ts'

/** A saved world, of which only the head was looked at. */
export interface SavedState {
  scenario: string
  seed: number
  snapshot: unknown
}

/** Keeps a sandbox in a file. */
export interface StateWriter {
  /** The sandbox may have changed: it is written soon. */
  touch: () => void
  /** Writes now. @throws {SandboxError} when it cannot. */
  flush: () => void
}

/** The shortest time between two writes, ms; it grows with what a write costs. */
const pauseMs = 1_000
const pausePerWriteTime = 20

/** Reads a state file; undefined when there is none yet. @throws {SandboxError} that names it when it is damaged. */
export function readStateFile(file: string): SavedState | undefined {
  if (!existsSync(file)) return undefined
  const snapshot = parse(file)
  const { version, scenario, seed } = (snapshot ?? {}) as Record<string, unknown>
  if (!Number.isInteger(version) || typeof scenario !== 'string' || !Number.isInteger(seed))
    throw damaged(file, 'it is no state of a sandbox')
  return { scenario, seed: seed as number, snapshot }
}

/** Puts a saved world into a sandbox. @throws {SandboxError} that names the file when a record does not fit. */
export async function restoreState(sandbox: Sandbox, file: string, { snapshot }: SavedState): Promise<void> {
  try {
    await sandbox.restore(snapshot)
  } catch (error) {
    throw error instanceof SandboxError ? damaged(file, error.message.replace(/\.$/, ''), error) : error
  }
}

/** Makes the writer of a state file. */
export function createStateWriter(sandbox: Sandbox, file: string, onError: (error: unknown) => void): StateWriter {
  let timer: NodeJS.Timeout | undefined
  let pause = pauseMs
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const start = performance.now()
    write(file, JSON.stringify(sandbox.snapshot()))
    pause = Math.max(pauseMs, (performance.now() - start) * pausePerWriteTime)
  }
  const flushQuietly = () => {
    timer = undefined
    // To write a busy world would mean to finish at once what it is busy with.
    if (sandbox.control.served.busy() !== null) return touch()
    try {
      flush()
    } catch (error) {
      onError(error)
    }
  }
  const touch = () => {
    timer ??= setTimeout(flushQuietly, pause).unref()
  }
  return { flush, touch }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw damaged(file, error instanceof SyntaxError ? 'it is not well-formed JSON' : (error as Error).message, error)
  }
}

function damaged(file: string, why: string, cause?: unknown): SandboxError {
  return new SandboxError(
    `Failed to read the state file (${file}): ${why.replace(/\s+/g, ' ')}. It was left as it is: mend it, or give another --state.`,
    { cause },
  )
}

/** Writes beside the file and moves it into place: whoever reads it finds the old state or the new one, whole. */
function write(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`
  try {
    const descriptor = openSync(draft, 'w')
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new SandboxError(`Failed to write the state file (${file}): ${(error as Error).message}. Give another --state.`, { cause: error })
  }
}
