import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { worldNameForm } from '../world/world-name.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import { explainReading, explainWriting } from '../lib/file-failure.ts'
import { SandboxError } from '../errors.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { WorldStore } from '../sandbox/world-store.ts'
import { openStateFile } from './state-file.ts'
import type { StateFile } from './state-file.ts'
import { createSaver, saveSnapshot } from './state-saver.ts'
import type { Saver, SavedFile } from './state-saver.ts'

/**
 * The file of the main world in the folder. Those of the others are named by their ids:
 * `_worker-3.json`.
 */
const mainFile = 'main.json'
const worldFile = /^_([a-z0-9-]+)\.json$/
const worldDraft = /^_[a-z0-9-]+\.json\.\d+\.tmp$/

/**
 * How many worlds that left memory may wait to be written before who wants another one has to wait.
 */
const maxWaiting = 32

/** Whether `--state` names a folder: it is one, or its name ends as that of one. */
export function isFolder(name: string): boolean {
  if (/[\\/]$/.test(name)) return true
  try {
    return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // Whoever opens it as a file tells why that cannot be.
    return false
  }
}

/**
 * Takes a folder for this process, made where it is missing, and reads the main world. @throws
 * {SandboxError} that names it when it cannot be had, is kept by another process, or the main world
 * is damaged.
 */
export async function openStateFolder(
  name: string,
): Promise<{ file: StateFile; folder: StateFolder }> {
  try {
    mkdirSync(name, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new SandboxError(
      `Failed to keep the state in ${name}: ${explainWriting(error)}. Give another --state.`,
      { cause: error },
    )
  }
  const file = await openStateFile(join(name, mainFile))
  return { file, folder: new StateFolder(name, file) }
}

/**
 * The worlds beside the main one in a folder, a file each. Those that leave memory are there until
 * somebody asks for them.
 */
export class StateFolder implements WorldStore<Sandbox> {
  readonly #path: string
  readonly #lock: StateFile['lock']
  /** The worlds that have a file, or will have one. */
  readonly #names = new Set<string>()
  /** Of the worlds in memory. */
  readonly #savers = new Map<string, Saver>()
  /** The worlds that left memory, until they are written. */
  readonly #leaving = new Map<string, { snapshot: WorldJson; member: Sandbox; saver: Saver }>()
  /** Files are written and removed one after the other. */
  #queue: Promise<unknown> = Promise.resolve()
  #like: Saver['written'] = () => undefined

  /** @param file That of the main world, whose lock is that of the folder. */
  constructor(path: string, { lock }: StateFile) {
    this.#path = path
    this.#lock = lock
    for (const entry of readdirSync(path)) {
      if (worldDraft.test(entry)) rmSync(join(path, entry))
      const [, name = ''] = worldFile.exec(entry) ?? []
      if (worldNameForm.test(name)) this.#names.add(name)
    }
  }

  /**
   * Takes the text of records that are the same from there, when a world is written for the first
   * time.
   */
  follow(like: Saver['written']): void {
    this.#like = like
  }

  /**
   * What there is to write: the worlds in memory that changed, and those that left it and could not
   * be written yet.
   */
  *jobs(): Generator<{ saver: Saver; run: () => Promise<void> }> {
    for (const [name, { saver }] of this.#leaving)
      yield { saver, run: () => this.#enqueue(() => this.#writeLeaving(name)) }
    for (const [name, saver] of this.#savers)
      yield { saver, run: () => this.#enqueue(() => this.#writeChanged(name, saver)) }
  }

  /** A request of that method was there for a world that its address names. */
  touchBy(name: string, method: string): void {
    this.#savers.get(name)?.touch(method)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  add(name: string, member: Sandbox, isStored: boolean): void {
    const isSaved = !this.#leaving.delete(name) && isStored
    this.#savers.set(
      name,
      createSaver(member, this.#fileOf(name), {
        isSaved,
        hasDigest: true,
        like: () => this.#like(),
      }),
    )
  }

  markUsed(name: string): void {
    this.#savers.get(name)?.touch('GET')
  }

  put(name: string, member: Sandbox): void {
    const saver = this.#savers.get(name)
    this.#savers.delete(name)
    this.#names.add(name)
    if (saver === undefined || !saver.isChanged()) return
    this.#leaving.set(name, { snapshot: member.snapshot(), member, saver })
    // The writer, which tries again what failed, tells of it.
    this.#enqueue(() => this.#writeLeaving(name)).catch(() => {})
  }

  async load(name: string): Promise<string | WorldJson> {
    const leaving = this.#leaving.get(name)
    if (leaving !== undefined) return leaving.snapshot
    const { name: file, target } = this.#fileOf(name)
    try {
      return await readFile(target, 'utf8')
    } catch (error) {
      throw new SandboxError(
        `Failed to read the state file (${file}): ${explainReading(error)}. Mend it, or remove ` +
          `the world.`,
        {
          cause: error,
        },
      )
    }
  }

  delete(name: string): boolean {
    this.#savers.delete(name)
    this.#leaving.delete(name)
    const isKept = this.#names.delete(name)
    // A file that cannot be removed would bring the world back: whoever is told of it asks again.
    this.#enqueue(() => rm(this.#fileOf(name).target, { force: true })).catch(() =>
      this.#names.add(name),
    )
    return isKept
  }

  get hasBacklog(): boolean {
    return this.#leaving.size > maxWaiting
  }

  /** @param most How many may still wait. */
  async waitForBacklog(most = maxWaiting): Promise<void> {
    const last = this.#queue
    await last
    if (this.#leaving.size > most && this.#queue !== last) await this.waitForBacklog(most)
  }

  async #writeLeaving(name: string): Promise<void> {
    const leaving = this.#leaving.get(name)
    // It may be written, be back, or be removed by now.
    if (leaving === undefined) return
    const { member, snapshot, saver } = leaving
    await saveSnapshot(member, snapshot, saver.file, saver.written() ?? this.#like())
    if (this.#leaving.get(name) === leaving) this.#leaving.delete(name)
  }

  async #writeChanged(name: string, saver: Saver): Promise<void> {
    // It may have left memory by now.
    if (this.#savers.get(name) === saver && !saver.isBusy() && saver.isChanged())
      await saver.write()
  }

  #fileOf(name: string): SavedFile {
    const target = join(this.#path, `_${name}.json`)
    return { name: target, target, lock: this.#lock }
  }

  #enqueue(job: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(job)
    this.#queue = done.catch(() => {})
    return done
  }
}
