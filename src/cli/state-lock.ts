import { readFileSync, readlinkSync, statSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'

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
  require: () => void
  release: () => void
}

/** Interval at which a process touches its lock file, ms. */
const signMs = 1_000
/** Time without a touch after which another machine's lock is stale, ms. */
const patienceMs = 10_000

/** Maximum age of an empty lock file, ms. */
const unwrittenMs = 2_000

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
  while (!create(path, text)) {
    const found = readLock(path)
    if (found === undefined) continue
    if (await isHeld(path, found, patience)) throw createLockedError(target, found)
    removeStale(path, found)
  }
  const sign = setInterval(() => refreshLock(path, text), signMs).unref()
  return {
    require() {
      const found = readLock(path)
      if (found === text || (found === undefined && create(path, text))) return
      throw createLockedError(target, found ?? '')
    },
    release() {
      clearInterval(sign)
      if (readLock(path) === text) rmSync(path)
    },
  }
}

function refreshLock(path: string, text: string): void {
  try {
    if (readLock(path) === text) utimesSync(path, new Date(), new Date())
  } catch {
    // The lock file or its folder was removed. The next write checks the lock and fails.
  }
}

/** Creates the lock file, or returns false if it exists. */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Reads the lock file, or returns undefined if it does not exist. */
function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

async function isHeld(path: string, text: string, patience: number): Promise<boolean> {
  const holder = parseHolder(text)
  if (holder === undefined) return Date.now() - (getModificationTime(path) ?? 0) < unwrittenMs
  if (holder.place === describeScope()) return isAlive(holder)
  const before = getModificationTime(path)
  for (let waited = 0; waited < patience && readLock(path) === text; waited += signMs / 4) {
    if (getModificationTime(path) !== before) return true
    await wait(Math.min(signMs / 4, patience))
  }
  return false
}

/**
 * Removes the lock of a process that has ended. Only one process at a time may remove a lock,
 * because a second process could remove the new lock of the first.
 *
 * @throws {SandboxError} if another process is removing the lock
 */
function removeStale(path: string, text: string): void {
  const guard = `${path}.guard`
  if (!create(guard, ''))
    throw new SandboxError(
      `Failed to take over the lock (${path}): another process is taking it over. Try again. If ` +
        `there is no other process, remove ${guard}.`,
    )
  try {
    if (readLock(path) === text) rmSync(path)
  } finally {
    rmSync(guard)
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

function createLockedError(target: string, text: string): SandboxError {
  const holder = parseHolder(text)
  if (holder === undefined)
    return new SandboxError(
      `Failed to save the state in ${target}: another process is locking it. Use another --state.`,
    )
  const { pid, since, place } = holder
  const elsewhere = place === describeScope() ? '' : ` on ${place.split(' ', 1)[0]}`
  return new SandboxError(
    `Failed to save the state in ${target}: process ${pid}${elsewhere} is using it (since ` +
      `${since}). Stop that process, or use another --state. If it is not a sandbox, remove ` +
      `${target}.lock.`,
  )
}
