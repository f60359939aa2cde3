import { readFileSync, readlinkSync, statSync, constants } from 'node:fs'
import { rm, utimes, lstat, open, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'
import { createFile } from './replace-file.ts'
import { describeFileKind } from '../lib/file-errors.ts'

/** The process that holds the lock. */
interface LockHolder {
  pid: number
  /** Time when the process took the lock, RFC 3339. */
  since: string
  /**
   * Start time of the process, used to detect a reused pid. Null on systems that do not provide it.
   */
  started: string | null
  /** The scope in which the pid is unique: host name, boot id and pid namespace. */
  place: string
}

/** A lock that allows only this process to write to a file. */
export interface Lock {
  /**
   * Checks that this process still holds the lock.
   *
   * @throws {SandboxError} naming the other process, if the lock file was removed manually and
   * another process took the lock
   */
  require: () => Promise<void>
  release: () => Promise<void>
}

/** Interval at which a process touches its lock file, ms. */
const signMs = 1_000
/** Time without a touch after which another machine's lock is stale, ms. */
const patienceMs = 10_000
/** Time without a change after which an incomplete lock is stale, ms. */
const incompleteMs = 2_000

/**
 * Locks a file for this process with a lock file next to it, `FILE.lock`. A lock whose process has
 * ended is taken over. On another machine or in another container, a process is assumed to have
 * ended if it has not touched its lock for 10 seconds.
 *
 * @throws {SandboxError} naming the process that holds the lock
 */
export async function lockFile(target: string, { patience = patienceMs } = {}): Promise<Lock> {
  const path = `${target}.lock`
  const text = JSON.stringify(describeSelf())
  while (!(await create(path, text))) {
    const found = await readLock(path)
    if (found === undefined) continue
    if (await isHeld(path, found, patience))
      throw new SandboxError(
        `Failed to save the state in ${target}: ${describeHolder(found)}. Stop that process, or ` +
          `use another --state. If it is not a sandbox, remove ${path}.`,
      )
    await removeStale(path, found)
  }
  const sign = setInterval(() => void refreshLock(path, text), signMs).unref()
  return {
    async require() {
      const found = await readLock(path)
      if (found === text || (found === undefined && (await create(path, text)))) return
      throw new SandboxError(describeHolder(found ?? ''))
    },
    async release() {
      clearInterval(sign)
      if ((await readLock(path)) === text) await rm(path)
    },
  }
}

async function refreshLock(path: string, text: string): Promise<void> {
  try {
    if ((await readLock(path)) === text) await utimes(path, new Date(), new Date())
  } catch {
    // The lock file or its folder was removed. The next write checks the lock and fails.
  }
}

/** Creates the lock file, or returns false if it exists. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await createFile(path, text, { mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Reads the lock file, or returns undefined if it does not exist. */
async function readLock(path: string): Promise<string | undefined> {
  return (await readRegularFile(path))?.toString('utf8')
}

async function isHeld(path: string, text: string, patience: number): Promise<boolean> {
  const holder = parseHolder(text)
  if (holder?.place === describeScope()) return isAlive(holder)
  const before = getModificationTime(path)
  const maxWait = holder === undefined ? Math.min(patience, incompleteMs) : patience
  for (let waited = 0; waited < maxWait && (await readLock(path)) === text; waited += signMs / 4) {
    if (getModificationTime(path) !== before) return holder !== undefined
    await wait(Math.min(signMs / 4, maxWait))
  }
  return false
}

/**
 * Removes the lock of a process that has ended. Only one process at a time may remove a lock,
 * because a second process could remove the new lock of the first. So the lock file itself is
 * locked. If a process ends while it removes a lock, its lock is removed in the same way.
 *
 * @throws {SandboxError} if another process is removing the lock
 */
async function removeStale(path: string, text: string): Promise<void> {
  const guard = await lockFile(path)
  try {
    if ((await readLock(path)) === text) await rm(path)
  } finally {
    await guard.release()
  }
}

function isAlive({ pid, started }: LockHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = describeProcess(pid)
  // State Z means a zombie: the process has ended.
  return now === undefined || started === null || (now.started === started && now.state !== 'Z')
}

function describeSelf(): LockHolder {
  const started = describeProcess(process.pid)?.started ?? null
  return { pid: process.pid, since: new Date().toISOString(), started, place: describeScope() }
}

function describeScope(): string {
  const facts = [
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    () => readlinkSync('/proc/self/ns/pid'),
  ]
  return [hostname(), ...facts.map((fact) => tryRead(fact) ?? '')].join(' ')
}

/**
 * On Linux, returns a process's start time in ticks since boot, and its state. Returns undefined on
 * other systems.
 */
function describeProcess(pid: number): { started: string; state: string } | undefined {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The process name is in parentheses and may contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[19] === undefined ? undefined : { state: fields[0] ?? '', started: fields[19] }
}

/** Calls a read function and returns its result, or undefined if it throws. */
function tryRead(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function getModificationTime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<LockHolder> | null
    return Number.isInteger(holder?.pid) ? (holder as LockHolder) : undefined
  } catch {
    return undefined
  }
}

function describeHolder(text: string): string {
  const holder = parseHolder(text)
  if (holder === undefined) return 'another process is locking it'
  const { pid, since, place } = holder
  const elsewhere = place === describeScope() ? '' : ` on ${place.split(' ', 1)[0]}`
  return `process ${pid}${elsewhere} is using it (since ${since})`
}

/**
 * Reads a file without waiting, even if it is a named pipe. Returns undefined if it does not exist.
 *
 * @throws {SandboxError} if it is not a regular file
 */
export async function readRegularFile(path: string): Promise<Buffer | undefined> {
  // Windows has no O_NONBLOCK.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  try {
    const handle = await open(path, O_RDONLY | O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new SandboxError(describeFileKind(found))
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Explains why a path does not lead to a regular file, or returns undefined if it does. */
export async function explainIrregularFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? undefined : describeFileKind(found)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    )
    return isLink
      ? 'it is a link to a file that does not exist'
      : 'it disappeared while the folder was read'
  }
}
