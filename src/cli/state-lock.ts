import { readFileSync, readlinkSync, statSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'

/** Who keeps a file. */
interface Keeper {
  pid: number
  /** When it took the file, RFC 3339. */
  since: string
  /** Tells it from a later process with the same pid; null where the system does not say. */
  started: string | null
  /** Where its pid means something: the machine since it was started, and the container on it. */
  place: string
}

/** A file that no other process writes to while this one keeps it. */
export interface Lock {
  /**
   * @throws {SandboxError} that names the process that took the file, after the lock was removed by
   * hand.
   */
  require: () => void
  release: () => void
}

/** How often a keeper shows that it lives, ms, and how long another place waits for that sign. */
const signMs = 1_000
const patienceMs = 10_000

/** How old a lock without content may be, ms: whoever makes one writes to it at once. */
const unwrittenMs = 2_000

/**
 * Takes a file for this process by a lock beside it, `FILE.lock`. The lock of a process that is
 * gone is taken over. Whether a process of another machine or container is gone shows by its lock:
 * for 10 seconds nobody touched it. @throws {SandboxError} that names the keeper.
 */
export async function lockFile(target: string, { patience = patienceMs } = {}): Promise<Lock> {
  const path = `${target}.lock`
  const text = JSON.stringify(describeSelf())
  while (!create(path, text)) {
    const found = readLock(path)
    if (found === undefined) continue
    if (await isKept(path, found, patience)) throw refusal(target, found)
    takeAway(path, found)
  }
  const sign = setInterval(() => showLife(path, text), signMs).unref()
  return {
    require() {
      const found = readLock(path)
      if (found === text || (found === undefined && create(path, text))) return
      throw refusal(target, found ?? '')
    },
    release() {
      clearInterval(sign)
      if (readLock(path) === text) rmSync(path)
    },
  }
}

function showLife(path: string, text: string): void {
  try {
    if (readLock(path) === text) utimesSync(path, new Date(), new Date())
  } catch {
    // The lock, or its folder, was removed: the next write tells, which asks for the lock.
  }
}

/** Creates the lock, unless there is one. */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** What the lock says; undefined when there is none. */
function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

async function isKept(path: string, text: string, patience: number): Promise<boolean> {
  const keeper = parseKeeper(text)
  if (keeper === undefined) return Date.now() - (modifiedAt(path) ?? 0) < unwrittenMs
  if (keeper.place === describePlace()) return isAlive(keeper)
  const before = modifiedAt(path)
  for (let waited = 0; waited < patience && readLock(path) === text; waited += signMs / 4) {
    if (modifiedAt(path) !== before) return true
    await wait(Math.min(signMs / 4, patience))
  }
  return false
}

/**
 * Takes away the lock of a process that is gone. Of several processes that see it only one may:
 * else the second would take away the new lock of the first. @throws {SandboxError} when another
 * one is at it.
 */
function takeAway(path: string, text: string): void {
  const guard = `${path}.guard`
  if (!create(guard, ''))
    throw new SandboxError(
      `Failed to take over the lock (${path}): another process is at it. Start again, or remove ` +
        `${guard} if there is none.`,
    )
  try {
    if (readLock(path) === text) rmSync(path)
  } finally {
    rmSync(guard)
  }
}

function isAlive({ pid, started }: Keeper): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // The process may be one of another user: EPERM.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = describeProcess(pid)
  // A zombie is dead: it only waits for its parent.
  return now === undefined || started === null || (now.started === started && now.state !== 'Z')
}

function describeSelf(): Keeper {
  const started = describeProcess(process.pid)?.started ?? null
  return { pid: process.pid, since: new Date().toISOString(), started, place: describePlace() }
}

function describePlace(): string {
  const facts = [
    () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    () => readlinkSync('/proc/self/ns/pid'),
  ]
  return [hostname(), ...facts.map((fact) => orNothing(fact) ?? '')].join(' ')
}

/**
 * When a process was started, in ticks since the machine was, and its state, as Linux has them;
 * undefined elsewhere.
 */
function describeProcess(pid: number): { started: string; state: string } | undefined {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The name of the process, in parentheses, may hold spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[19] === undefined ? undefined : { state: fields[0] ?? '', started: fields[19] }
}

/** What can be read where the system has it; undefined where it has not, or hides it. */
function orNothing(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function parseKeeper(text: string): Keeper | undefined {
  try {
    const keeper = JSON.parse(text) as Partial<Keeper> | null
    return Number.isInteger(keeper?.pid) ? (keeper as Keeper) : undefined
  } catch {
    return undefined
  }
}

function refusal(target: string, text: string): SandboxError {
  const keeper = parseKeeper(text)
  if (keeper === undefined)
    return new SandboxError(
      `Failed to keep the state in ${target}: another process is about to take it. Give another ` +
        `--state.`,
    )
  const { pid, since, place } = keeper
  const elsewhere = place === describePlace() ? '' : ` on ${place.split(' ', 1)[0]}`
  return new SandboxError(
    `Failed to keep the state in ${target}: the process ${pid}${elsewhere} has kept it since ` +
      `${since}. Stop that one, or give another ` +
      `--state. If it is no sandbox, remove ${target}.lock.`,
  )
}
