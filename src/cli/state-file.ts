import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { snapshotFormat } from '../engine/snapshot.ts'
import { parseMoment, toIso } from '../engine/time.ts'
import { explainReading, explainWriting } from '../engine/file-failure.ts'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox.ts'
import { lockFile } from './state-lock.ts'
import type { Lock } from './state-lock.ts'

/** A saved world, of which only the head was looked at. */
export interface SavedState {
  scenario: string
  seed: number
  /** When its clock started, RFC 3339; undefined in what older versions wrote. */
  start: string | undefined
  snapshot: unknown
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
 * Takes a state file for this process, sweeps what processes left behind that were killed, and reads it. @throws {SandboxError} that names
 * the file when it cannot be had, is kept by another process, or is damaged.
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

/** Puts a saved world into a sandbox. @throws {SandboxError} that names the file when a record does not fit. */
export async function restoreState(sandbox: Sandbox, file: string, { snapshot }: SavedState): Promise<void> {
  try {
    await sandbox.restore(snapshot)
  } catch (error) {
    throw error instanceof SandboxError ? damaged(file, error.message.replace(/\.$/, ''), error) : error
  }
}

/** Finds the file behind links, which need not be there yet. */
function toTarget(name: string): string {
  const stat = statSync(name, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) throw new SandboxError(`Failed to keep the world in ${name}: it is a folder. Remove it.`)
  if (stat?.isFile() === false) throw new SandboxError(`Failed to keep the state in ${name}: it is no regular file. Give another --state.`)
  if (stat !== undefined) return realpathSync(name)
  const isLink = lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? toTarget(resolve(dirname(name), readlinkSync(name))) : join(realpathSync(dirname(name)), basename(name))
}

/** Removes drafts of processes that were killed: while the lock is held no other process writes one. */
function sweepDrafts(target: string): void {
  const start = `${basename(target)}.`
  for (const file of readdirSync(dirname(target)))
    if (file.startsWith(start) && /^\d+\.tmp$/.test(file.slice(start.length))) rmSync(join(dirname(target), file))
}

function read(name: string, target: string): SavedState | undefined {
  if (statSync(target, { throwIfNoEntry: false }) === undefined) return undefined
  const snapshot = parse(name, target)
  const { version, scenario, seed, start } = (snapshot ?? {}) as Record<string, unknown>
  if (!Number.isInteger(version) || typeof scenario !== 'string' || !Number.isInteger(seed))
    throw damaged(name, 'it is no state of a sandbox')
  if ((version as number) > snapshotFormat)
    throw new SandboxError(
      `Failed to read the state file (${name}): it has the format ${String(version)} of a later version, and this one reads formats up ` +
        `to ${snapshotFormat}. It was left as it is: start the version that wrote it, or give another --state.`,
    )
  return { scenario, seed: seed as number, start: toStart(name, start), snapshot }
}

function toStart(name: string, start: unknown): string | undefined {
  if (start === undefined) return undefined
  const instant = typeof start === 'string' ? parseMoment(start) : undefined
  if (instant === undefined) throw damaged(name, 'its start is no RFC 3339 instant')
  return toIso(instant)
}

function parse(name: string, target: string): unknown {
  try {
    return JSON.parse(readFileSync(target, 'utf8'))
  } catch (error) {
    throw damaged(name, error instanceof SyntaxError ? 'it is not well-formed JSON' : explainReading(error), error)
  }
}

function damaged(file: string, why: string, cause?: unknown): SandboxError {
  return new SandboxError(
    `Failed to read the state file (${file}): ${why.replace(/\s+/g, ' ')}. It was left as it is: mend it, or give another --state.`,
    { cause },
  )
}

/** Does what the machine may refuse. @throws {SandboxError} that names the file and says why. */
async function attempt<Result>(name: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof SandboxError) throw error
    throw new SandboxError(`Failed to keep the state in ${name}: ${explainWriting(error)}. Give another --state.`, { cause: error })
  }
}
