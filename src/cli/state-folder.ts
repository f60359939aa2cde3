import { mkdirSync, statSync } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { explainReadError, explainWriteError } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import {
  createCorruptItemError,
  parseStoredItem,
  storedFormat,
} from '../sandbox/state/world-store.ts'
import type { BaseCodec, StoredItem, WorldStore } from '../sandbox/state/world-store.ts'
import { explainIrregularFile, readRegularFile, lockFile } from './state-lock.ts'
import { replaceFile, unfinishedFile } from './replace-file.ts'
import type { Lock } from './state-lock.ts'
import { createHash } from 'node:crypto'

const extension = '.state'
/** The file whose lock protects the whole folder. */
const lockedFile = `main${extension}`
/** Matches the lock of the folder, and the locks that protect the takeover of a lock. */
const lockName = /^main\.state(?:\.lock)+$/

/**
 * Locks a folder for this process, and creates the folder if needed.
 *
 * @throws {SandboxError} if the folder cannot be used, another process uses it, or it contains
 * unrelated files
 */
export async function openStateFolder(path: string): Promise<StateFolder> {
  let lock: Lock | undefined
  try {
    makeFolder(path)
    const entries = await readdir(path, { withFileTypes: true })
    const locks = entries.filter((entry) => lockName.test(entry.name) && !entry.isFile())
    await requireRegularFiles(
      path,
      locks.map(({ name }) => name),
    )
    lock = await lockFile(join(path, lockedFile))
    const names = await readdir(path)
    for (const name of names) if (unfinishedFile.test(name)) await rm(join(path, name))
    await requireRegularFiles(
      path,
      names.filter((name) => name.endsWith(extension)),
    )
    requireOwn(path, names)
    return new StateFolder(path, lock)
  } catch (error) {
    await lock?.release()
    if (error instanceof SandboxError) throw error
    throw new SandboxError(
      `Failed to save the state in ${path}: ${explainWriteError(error)}. Use another --state.`,
      { cause: error },
    )
  }
}

/** Stores each item in a file that only its owner can read. */
class StateFolder implements WorldStore {
  readonly place: string
  readonly #lock: Lock

  constructor(place: string, lock: Lock) {
    this.place = place
    this.#lock = lock
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readRegularFile(this.#toPath(name))
      return bytes && openStateFile(bytes)
    } catch (error) {
      const why = error instanceof SandboxError ? error.message : explainReadError(error)
      throw createCorruptItemError(this, { item: name, why, cause: error })
    }
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    await attempt(async () => {
      await this.#lock.require()
      await replaceFile(this.#toPath(name), sealStateFile(bytes), { mode: 0o600 })
    })
  }

  async remove(name: string): Promise<void> {
    await attempt(() => rm(this.#toPath(name), { force: true }))
  }

  async touch(name: string): Promise<void> {
    const now = new Date()
    await attempt(() => ignoreMissing(utimes(this.#toPath(name), now, now)))
  }

  async list(): Promise<StoredItem[]> {
    const names = (await attempt(() => readdir(this.place))).filter((name) =>
      name.endsWith(extension),
    )
    const items = names.map(async (name) => ({
      name: name.slice(0, -extension.length),
      usedAt: (await stat(join(this.place, name))).mtimeMs,
    }))
    return (await Promise.all(items.map(ignoreMissing))).filter((item) => item !== undefined)
  }

  async close(): Promise<void> {
    await this.#lock.release()
  }

  #toPath(name: string): string {
    return join(this.place, `${name}${extension}`)
  }
}

/** Compresses for speed rather than size, because the rows of the `large` scenario take 210 MB. */
export const gzipCodec: BaseCodec = {
  async compress(lines) {
    const gzip = createGzip({ level: 1 })
    const pieces: Buffer[] = []
    gzip.on('data', (piece: Buffer) => pieces.push(piece))
    const done = new Promise<void>((resolve, reject) => {
      gzip.on('end', resolve)
      gzip.on('error', reject)
    })
    for (const line of lines)
      if (!gzip.write(line)) await new Promise((resolve) => gzip.once('drain', resolve))
    gzip.end()
    await done
    return Buffer.concat(pieces)
  },
  decompress: async (bytes) => (await promisify(gunzip)(bytes)).toString('utf8'),
}

/**
 * Creates a folder and its parents, readable only by their owner.
 *
 * @note `mkdirSync` with `recursive` never returns for a folder under /proc.
 */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found !== undefined)
    throw new SandboxError(
      `Failed to save the state in ${path}: it is not a folder. Use another --state.`,
    )
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Explains errors of the file system. */
async function attempt<Result>(use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof SandboxError) throw error
    throw new SandboxError(explainWriteError(error), { cause: error })
  }
}

/** Returns undefined if a file was removed in the meantime. */
async function ignoreMissing<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** @throws {SandboxError} naming a file of the state that is not a regular file */
async function requireRegularFiles(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const why = await explainIrregularFile(join(path, name))
    if (why !== undefined)
      throw new SandboxError(
        `Failed to use the state (${path}): ${name} cannot be used, because ${why}. Remove it, or ` +
          'use another --state.',
      )
  }
}

/** @throws {SandboxError} if a new folder contains unrelated files */
function requireOwn(path: string, names: readonly string[]): void {
  if (names.some((name) => name.endsWith(extension))) return
  const foreign = names.find(
    (name) => !name.startsWith('.') && name !== 'lost+found' && !lockName.test(name),
  )
  if (foreign === undefined) return
  throw new SandboxError(
    `Failed to save the state in ${path}: it contains other files, such as ${foreign}. Nothing ` +
      'was changed. Use an empty folder, or one that does not exist.',
  )
}

const newline = 10

/** Adds a first line with the format and the checksum to the content of a state file. */
export function sealStateFile(content: Uint8Array): Uint8Array {
  const head = JSON.stringify({ format: storedFormat, sha256: digest(content) })
  return Buffer.concat([Buffer.from(`${head}\n`), content])
}

/**
 * Returns the content of a state file.
 *
 * @throws {SandboxError} if the file is damaged or has another format
 */
export function openStateFile(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(newline)
  const head = parseHead(new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)))
  const content = bytes.subarray(end + 1)
  if (end === -1 || head?.sha256 === undefined)
    throw new SandboxError('its first line has no checksum')
  if (head.sha256 !== digest(content))
    throw new SandboxError('its checksum does not match its content')
  return content
}

function parseHead(line: string): { sha256?: unknown } | undefined {
  try {
    return parseStoredItem(line) as { sha256?: unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
