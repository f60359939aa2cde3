import { explainWriting } from '../lib/file-failure.ts'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { StateFile } from './state-file.ts'
import type { StateFolder } from './state-folder.ts'
import { createSaver } from './state-saver.ts'
import type { Saver } from './state-saver.ts'

/** Keeps a sandbox in its state file. */
export interface StateWriter {
  /** A request of that method was there: the sandbox may have changed. */
  touch: (method: string) => void
  /** Looks for changes from now on, every second. */
  start: () => void
  /** Writes now. @throws {SandboxError} when it cannot. */
  write: () => Promise<void>
  /**
   * Writes what is not written yet, and lets the file go. @throws {SandboxError} when it cannot.
   */
  close: () => Promise<void>
}

/** Who is told when writes fail, and when they are well again. */
export interface StateListener {
  log: (message: string) => void
  /** Told since when writes fail, RFC 3339; undefined when they no longer do. */
  onCondition: (failingSince: string | undefined) => void
}

/**
 * From the start of one write to the start of the next, ms: no change waits longer, unless the
 * write itself takes longer.
 */
const beatMs = 1_000
/** The longest pause between two writes that fail, ms. */
const maxPauseMs = 30_000

/**
 * Makes the writer of a state file, or of a folder of them. It looks for changes every second, and
 * begins the next write while the server goes on. A write that fails is tried again, after pauses
 * that grow to half a minute.
 */
export function createStateWriter(
  sandbox: Sandbox,
  file: Omit<StateFile, 'saved'>,
  { log, onCondition, folder }: StateListener & { folder?: StateFolder | undefined },
): StateWriter {
  const main = createSaver(sandbox, file)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let failures = 0
  let isClosed = false

  const write = async (saver: Saver, advice: string) => {
    try {
      await saver.write()
    } catch (error) {
      throw toFailure(saver.file.name, error, advice)
    }
  }
  /** Writes what changed, one world after the other. */
  const writeChanged = async (advice: string) => {
    const problems: SandboxError[] = []
    const keep = (saver: Saver) => (error: unknown) =>
      problems.push(toFailure(saver.file.name, error, advice))
    if (!main.isBusy() && main.isChanged()) await main.write().catch(keep(main))
    for (const { saver, run } of folder?.jobs() ?? []) await run().catch(keep(saver))
    if (problems[0] !== undefined) throw problems[0]
  }
  const tracked = (job: () => Promise<void>) =>
    (running = job().finally(() => (running = undefined)))
  const beat = async () => {
    const start = performance.now()
    try {
      await tracked(() =>
        writeChanged(
          'It is tried again until it succeeds; what changes meanwhile is lost when the process ' +
            'is killed.',
        ),
      )
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
    const pause = failures === 0 ? beatMs : Math.min(beatMs * 2 ** failures, maxPauseMs)
    plan(Math.max(0, pause - (performance.now() - start)))
  }
  const plan = (ms: number) => {
    if (!isClosed) timer = setTimeout(() => void beat(), ms).unref()
  }
  folder?.follow(() => main.written())
  return {
    start: () => plan(beatMs),
    write: () => tracked(() => write(main, 'Make room for it, or give another --state.')),
    touch: main.touch,
    async close() {
      isClosed = true
      clearTimeout(timer)
      // Who began it tells how it ended.
      await running?.catch(() => {})
      const advice = 'What changed since the last write is lost.'
      try {
        try {
          await write(main, advice)
        } finally {
          await writeChanged(advice)
        }
      } finally {
        file.lock.release()
      }
    },
  }
}

function toFailure(name: string, error: unknown, advice: string): SandboxError {
  if (error instanceof SandboxError) return error
  return new SandboxError(
    `Failed to write the state file (${name}): ${explainWriting(error)}. ${advice}`,
    { cause: error },
  )
}
