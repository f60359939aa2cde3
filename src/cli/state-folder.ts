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
import { parseMoment } from '../lib/time.ts'
import { explainWriting } from '../lib/file-failure.ts'
import { SandboxError } from '../errors.ts'
import type { BaseCodec, StoredItem, WorldStore } from '../sandbox/world-store.ts'
import { lockFile } from './state-lock.ts'
import type { Lock } from './state-lock.ts'

const extension = '.state'
/** Drafts of write-file-atomic that a killed process left behind. */
const draft = /\.state\.\d+$/
/** World files of version 0.2, which were whole snapshots. */
const oldWorldFile = /^(main|_[a-z0-9-]+)\.json$/
/** The part of the folder that keeps files of version 0.2 after their conversion. */
const oldFolder = '0.2'
/** A state file of version 0.2 while it moves into the folder that takes its place. */
const movingSuffix = '.moving'

/** The head of a whole snapshot, as version 0.2 saved it. */
const OldState = z.looseObject({
  version: z.literal(1),
  scenario: z.string(),
  seed: z.int(),
  start: z
    .string()
    .refine((text) => parseMoment(text) !== undefined, {
      error: 'its start is no RFC 3339 instant',
    })
    .optional(),
  tables: z.looseObject({ apiKeys: z.array(z.unknown()) }),
})
type OldState = z.infer<typeof OldState>

/** A folder that keeps worlds, and the files of version 0.2 that it still has to convert. */
export interface OpenedFolder {
  store: StateFolder
  /** Paths of snapshots of version 0.2, by the id of their world. */
  old: ReadonlyMap<string, string>
}

/**
 * Takes a folder for this process, and makes it if needed. A state file of version 0.2 of that name
 * is moved into it.
 * @throws {SandboxError} that names it if it cannot be used, another process has it, or it holds
 * other files.
 */
export async function openStateFolder(path: string): Promise<OpenedFolder> {
  let lock: Lock | undefined
  try {
    moveOldFile(path)
    makeFolder(path)
    // The same lock as in version 0.2, which must not use the folder at the same time.
    lock = await lockFile(join(path, 'main.json'))
    const names = readdirSync(path)
    requireOwn(path, names)
    for (const name of names) if (draft.test(name)) rmSync(join(path, name))
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
      `Failed to keep the state in ${path}: ${explainWriting(error)}. Give another --state.`,
      { cause: error },
    )
  }
}

/** Keeps the converted files of version 0.2 in a folder next to the new ones. */
export function keepOldFiles({ place }: WorldStore, old: OpenedFolder['old']): string {
  const kept = join(place, oldFolder)
  makeFolder(kept)
  for (const file of old.values()) renameSync(file, join(kept, basename(file)))
  return kept
}

/** Keeps each item in a file of a folder, which only its user can read. */
export class StateFolder implements WorldStore {
  readonly place: string
  readonly #lock: Lock

  constructor(place: string, lock: Lock) {
    this.place = place
    this.#lock = lock
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    try {
      this.#lock.require()
      const path = this.#pathOf(name)
      await writeFileAtomic(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        mode: 0o600,
      })
    } catch (error) {
      if (error instanceof SandboxError) throw error
      throw new SandboxError(explainWriting(error), { cause: error })
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  async touch(name: string): Promise<void> {
    const now = new Date()
    try {
      await utimes(this.#pathOf(name), now, now)
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

  #pathOf(name: string): string {
    return join(this.place, `${name}${extension}`)
  }
}

/** Prefers speed to compression: the rows of `large` have 210 MB. */
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
 * Makes a folder, with those above it, that only its user can read.
 * @note `mkdirSync` with `recursive` never returns for a folder under /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Moves a state file of version 0.2 into a folder of its name. */
function moveOldFile(path: string): void {
  const moving = `${path}${movingSuffix}`
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory() && !found.isFile())
    throw new SandboxError(
      `Failed to keep the state in ${path}: it is neither a file nor a folder. Give another --state.`,
    )
  if (found?.isFile() === true) {
    requireOldState(path)
    renameSync(path, moving)
  }
  if (!existsSync(moving)) return
  makeFolder(path)
  renameSync(moving, join(path, 'main.json'))
}

/** Requires a snapshot of version 0.2. @throws {SandboxError} that says what else the file is */
export function requireOldState(file: string): OldState {
  try {
    return OldState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new SandboxError(
      `Failed to read the state file (${file}): it is neither a folder nor a state of version 0.2. ` +
        `It was left as it is. Repair it, or give another --state.`,
      { cause: error },
    )
  }
}

/** @throws {SandboxError} if a new folder holds files of something else */
function requireOwn(path: string, names: readonly string[]): void {
  if (names.some((name) => name.endsWith(extension) || oldWorldFile.test(name))) return
  const foreign = names.find(
    (name) => !name.startsWith('.') && !['lost+found', oldFolder, 'main.json.lock'].includes(name),
  )
  if (foreign === undefined) return
  throw new SandboxError(
    `Failed to keep the state in ${path}: it holds other files, such as ${foreign}. Nothing was ` +
      `changed. Give an empty folder, or one that does not exist.`,
  )
}
