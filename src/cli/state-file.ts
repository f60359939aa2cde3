import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { parseHead, parsingJson } from '../world/snapshot/json-in-units.ts'
import type { JsonText } from '../world/snapshot/json-in-units.ts'
import { snapshotFormat } from '../world/snapshot/snapshot.ts'
import { parseMoment, toIso } from '../lib/time.ts'
import { explainReading, explainWriting } from '../lib/file-failure.ts'
import { finish } from '../world/work.ts'
import { SandboxError } from '../errors.ts'
import type { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { lockFile } from './state-lock.ts'
import type { Lock } from './state-lock.ts'

/** A saved world, of which only the head was looked at. */
export interface SavedState {
  scenario: string
  seed: number
  /** When its clock started, RFC 3339; undefined in what older versions wrote. */
  start: string | undefined
  /** As JSON; that of a large file is read when it is gone through. */
  text: JsonText
}

/** A file that keeps the world of this process, and of no other. */
export interface StateFile {
  /** As it was given. */
  name: string
  /** The file itself, behind all links. */
  target: string
  lock: Lock
  /** What it holds; undefined when there is none yet. */
  saved: SavedState | undefined
}

/**
 * Takes a state file for this process, sweeps what processes left behind that were killed, and
 * reads it. @throws {SandboxError} that names the file when it cannot be had, is kept by another
 * process, or is damaged.
 */
export async function openStateFile(name: string): Promise<StateFile> {
  const target = await attempt(name, () => toTarget(name))
  const lock = await attempt(name, () => lockFile(target))
  try {
    await attempt(name, () => sweepDrafts(target))
    return { name, target, lock, saved: read(name, target) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The file beside the target that is written before it becomes the target. */
export function draftOf(target: string): string {
  return `${target}.${process.pid}.tmp`
}

/**
 * Puts a saved world into a sandbox. @throws {SandboxError} that names the file when a record does
 * not fit.
 */
export async function restoreState(
  served: ServedSandbox,
  file: string,
  { text }: SavedState,
): Promise<void> {
  try {
    await served.restoreText(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(file, notWellFormed, error)
    if (error instanceof DamagedError) throw error
    throw error instanceof SandboxError
      ? damaged(file, error.message.replace(/\.$/, ''), error)
      : error
  }
}

/** Finds the file behind links, which need not be there yet. */
function toTarget(name: string): string {
  const stat = statSync(name, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true)
    throw new SandboxError(`Failed to keep the world in ${name}: it is a folder. Remove it.`)
  if (stat?.isFile() === false)
    throw new SandboxError(
      `Failed to keep the state in ${name}: it is no regular file. Give another --state.`,
    )
  if (stat !== undefined) return realpathSync(name)
  const isLink = lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink
    ? toTarget(resolve(dirname(name), readlinkSync(name)))
    : join(realpathSync(dirname(name)), basename(name))
}

/**
 * Removes drafts of processes that were killed: while the lock is held no other process writes one.
 */
function sweepDrafts(target: string): void {
  const start = `${basename(target)}.`
  for (const file of readdirSync(dirname(target)))
    if (file.startsWith(start) && /^\d+\.tmp$/.test(file.slice(start.length)))
      rmSync(join(dirname(target), file))
}

function read(name: string, target: string): SavedState | undefined {
  const stat = statSync(target, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  const text = stat.size > pieceBytes ? piecesOf(name, target) : readText(name, target)
  const { version, scenario, seed, start } = headOf(name, text)
  if (!Number.isInteger(version) || typeof scenario !== 'string' || !Number.isInteger(seed))
    throw damaged(name, 'it is no state of a sandbox')
  if ((version as number) > snapshotFormat)
    throw new SandboxError(
      `Failed to read the state file (${name}): it has the format ${String(version)} of a later ` +
        `version, and this one reads formats up ` +
        `to ${snapshotFormat}. It was left as it is: start the version that wrote it, or give ` +
        `another --state.`,
    )
  return { scenario, seed: seed as number, start: toStart(name, start), text }
}

function toStart(name: string, start: unknown): string | undefined {
  if (start === undefined) return undefined
  const instant = typeof start === 'string' ? parseMoment(start) : undefined
  if (instant === undefined) throw damaged(name, 'its start is no RFC 3339 instant')
  return toIso(instant)
}

function readText(name: string, target: string): string {
  try {
    return readFileSync(target, 'utf8')
  } catch (error) {
    throw damaged(name, explainReading(error), error)
  }
}

/** How much of a large file is read at once, bytes. */
const pieceBytes = 1_048_576

/**
 * The text of a file piece by piece: that of scenario `large` would take 400 MB as a whole, beside
 * the records that it stands for.
 */
function piecesOf(name: string, target: string): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      let file: number | undefined
      try {
        file = openSync(target, 'r')
        const decoder = new StringDecoder('utf8')
        const bytes = Buffer.alloc(pieceBytes)
        for (let length = readSync(file, bytes); length > 0; length = readSync(file, bytes))
          yield decoder.write(bytes.subarray(0, length))
        yield decoder.end()
      } catch (error) {
        throw damaged(name, explainReading(error), error)
      } finally {
        if (file !== undefined) closeSync(file)
      }
    },
  }
}

const notWellFormed = 'it is not well-formed JSON'

/**
 * What stands before the records. Those of a large state are read once there is something to
 * compare them with.
 */
function headOf(name: string, text: JsonText): Record<string, unknown> {
  try {
    return (
      parseHead(text, 'tables') ?? ((finish(parsingJson(text)) ?? {}) as Record<string, unknown>)
    )
  } catch (error) {
    throw error instanceof DamagedError ? error : damaged(name, notWellFormed, error)
  }
}

/** A state file that cannot be read. */
class DamagedError extends SandboxError {}

function damaged(file: string, why: string, cause?: unknown): DamagedError {
  return new DamagedError(
    `Failed to read the state file (${file}): ${why.replace(/\s+/g, ' ')}. It was left as it ` +
      `is: mend it, or give another --state.`,
    { cause },
  )
}

/** Does what the machine may refuse. @throws {SandboxError} that names the file and says why. */
async function attempt<Result>(name: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof SandboxError) throw error
    throw new SandboxError(
      `Failed to keep the state in ${name}: ${explainWriting(error)}. Give another --state.`,
      { cause: error },
    )
  }
}
