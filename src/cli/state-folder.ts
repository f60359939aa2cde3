import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { parseSandboxTime } from '../lib/time.ts'
import { explainWriteError } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import type { BaseCodec, StoredItem, WorldStore } from '../sandbox/state/world-store.ts'
import { lockFile } from './state-lock.ts'
import type { Lock } from './state-lock.ts'

const extension = '.state'
/** Matches the temporary files that write-file-atomic leaves behind if the process is killed. */
const temporaryFile = /\.state\.\d+$/
/** Matches world files of version 0.2, which contain whole snapshots. */
const oldWorldFile = /^(main|_[a-z0-9-]+)\.json$/
/** Subfolder for files of version 0.2 after their conversion. */
const oldFolder = '0.2'
/** Suffix of a version 0.2 state file while a folder replaces it. */
const movingSuffix = '.moving'

/** Required fields of a version 0.2 state file. */
const OldState = z.looseObject({
  version: z.literal(1),
  scenario: z.string(),
  seed: z.int(),
  start: z
    .string()
    .refine((text) => parseSandboxTime(text) !== undefined, {
      error: 'its start is not an RFC 3339 time',
    })
    .optional(),
  tables: z.looseObject({ apiKeys: z.array(z.unknown()) }),
})
type OldState = z.infer<typeof OldState>

/** A folder of saved worlds, with any version 0.2 files in it that need conversion. */
export interface OpenedFolder {
  store: StateFolder
  /** Paths of version 0.2 snapshots, by world id. */
  old: ReadonlyMap<string, string>
}

/**
 * Locks a folder for this process, and creates the folder if needed. A version 0.2 state file of
 * the same name is moved into the new folder.
 *
 * @throws {SandboxError} if the folder cannot be used, another process uses it, or it contains
 * unrelated files
 */
export async function openStateFolder(path: string): Promise<OpenedFolder> {
  let lock: Lock | undefined
  try {
    moveOldFile(path)
    makeFolder(path)
    // Also takes the lock of version 0.2, so that a process of that version cannot use the folder
    // at the same time.
    lock = await lockFile(join(path, 'main.json'))
    const names = readdirSync(path)
    requireOwn(path, names)
    for (const name of names) if (temporaryFile.test(name)) rmSync(join(path, name))
    const old = new Map<string, string>()
    for (const name of names) {
      const [, id] = oldWorldFile.exec(name) ?? []
      if (id !== undefined) old.set(id, join(path, name))
    }
    return { store: new StateFolder(path, lock), old }
  } catch (error) {
    lock?.release()
    if (error instanceof SandboxError) throw error
    throw new SandboxError(
      `Failed to save the state in ${path}: ${explainWriteError(error)}. Use another --state.`,
      { cause: error },
    )
  }
}

/** Moves converted version 0.2 files to a subfolder and returns its path. */
export function archiveOldFiles({ place }: WorldStore, old: OpenedFolder['old']): string {
  const kept = join(place, oldFolder)
  makeFolder(kept)
  for (const file of old.values()) renameSync(file, join(kept, basename(file)))
  return kept
}

/** Stores each item in a file that only its owner can read. */
export class StateFolder implements WorldStore {
  readonly place: string
  readonly #lock: Lock

  constructor(place: string, lock: Lock) {
    this.place = place
    this.#lock = lock
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#toPath(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    try {
      this.#lock.require()
      const path = this.#toPath(name)
      await writeFileAtomic(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        mode: 0o600,
      })
    } catch (error) {
      if (error instanceof SandboxError) throw error
      throw new SandboxError(explainWriteError(error), { cause: error })
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#toPath(name), { force: true })
  }

  async touch(name: string): Promise<void> {
    const now = new Date()
    try {
      await utimes(this.#toPath(name), now, now)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  async list(): Promise<StoredItem[]> {
    const names = (await readdir(this.place)).filter((name) => name.endsWith(extension))
    return Promise.all(
      names.map(async (name) => ({
        name: name.slice(0, -extension.length),
        usedAt: (await stat(join(this.place, name))).mtimeMs,
      })),
    )
  }

  async close(): Promise<void> {
    this.#lock.release()
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
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Moves a version 0.2 state file into a new folder of the same name. */
function moveOldFile(path: string): void {
  const moving = `${path}${movingSuffix}`
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory() && !found.isFile())
    throw new SandboxError(
      `Failed to save the state in ${path}: it is neither a file nor a folder. Use another ` +
        '--state.',
    )
  if (found?.isFile() === true) {
    readOldState(path)
    renameSync(path, moving)
  }
  if (!existsSync(moving)) return
  makeFolder(path)
  renameSync(moving, join(path, 'main.json'))
}

/**
 * Reads the head of a file and checks that it is a version 0.2 state file.
 *
 * @throws {SandboxError}
 */
export function readOldState(file: string): OldState {
  try {
    return OldState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new SandboxError(
      `Failed to read the state file (${file}): it is neither a folder nor a state of version ` +
        '0.2. It was not changed. Repair the state, or use another --state.',
      { cause: error },
    )
  }
}

/** @throws {SandboxError} if a new folder contains unrelated files */
function requireOwn(path: string, names: readonly string[]): void {
  if (names.some((name) => name.endsWith(extension) || oldWorldFile.test(name))) return
  const foreign = names.find(
    (name) => !name.startsWith('.') && !['lost+found', oldFolder, 'main.json.lock'].includes(name),
  )
  if (foreign === undefined) return
  throw new SandboxError(
    `Failed to save the state in ${path}: it contains other files, such as ${foreign}. Nothing ` +
      'was changed. Use an empty folder, or one that does not exist.',
  )
}
