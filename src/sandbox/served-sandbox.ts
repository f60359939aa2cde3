import type { Control, Recorded } from '../control/control.ts'
import type { WorldCount } from '../control/state.ts'
import type { TextAnswer } from '../control/text-answer.ts'
import type { JsonText } from '../world/snapshot/json-in-units.ts'
import type { LogLevel } from '../lib/log.ts'
import type { MemoryLimit } from '../world/memory-limit.ts'
import type { Call, Reply, Route } from '../api/route.ts'
import { toIso } from '../lib/time.ts'
import type { Pace } from '../world/work.ts'
import type { CallHead } from './body-limit.ts'
import { servedRoutes } from './loaded-scenario.ts'
import type { Runtime } from './runtime.ts'
import { runtimeOf, sandboxOf } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'
import type { Shelf } from './shelf.ts'

/** What a sandbox with all its worlds holds. */
interface Usage {
  worlds: WorldCount & { shelved: number }
  /** The number of requests in all journals. */
  journal: number
  memory: Pick<MemoryLimit, 'used' | 'limit'> | undefined
}

/** What a server does with a sandbox besides what its users do. */
export class ServedSandbox {
  readonly sandbox: Sandbox
  readonly #runtime: Runtime

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
    this.#runtime = runtimeOf(sandbox)
  }

  get baseUrl(): string {
    return this.sandbox.baseUrl
  }

  get ready(): Promise<void> {
    return this.sandbox.ready
  }

  get control(): Control {
    return this.#runtime.control
  }

  get bodyLimit(): number {
    return this.sandbox.bodyLimit
  }

  /** The routes that it answers. */
  get routes(): readonly Route[] {
    return servedRoutes(this.#runtime.options)
  }

  /** Stands for the loaded scenario: another object after another scenario was loaded. */
  get loaded(): object {
    return this.#runtime.loaded
  }

  /** The limit of `maxMemory`; undefined without one. */
  get memory(): MemoryLimit | undefined {
    return this.#runtime.world.options.memory
  }

  /** True if the pictures of users are served under the base address. */
  get servesPictures(): boolean {
    return this.#runtime.world.servesPictures
  }

  /** Serves the pictures of users under the base address. */
  servePictures(): void {
    this.#runtime.forEachWorld(({ world }) => {
      world.servesPictures = true
    })
  }

  handle(call: Call): Promise<Reply> {
    return this.#runtime.handle(call)
  }

  /** Maximum size of the body of a request, bytes: 0 if its key or its address opens nothing. */
  bodyLimitOf(head: CallHead): number {
    return this.#runtime.bodyLimitOf(head)
  }

  /** Makes a copy with the same data. */
  fork(): ServedSandbox {
    return new ServedSandbox(this.sandbox.fork())
  }

  /** Writes to the log of the sandbox. */
  tell(message: string, level: LogLevel): void {
    this.#runtime.options.log?.(message, level)
  }

  /** Runs long operations in slices from now on. */
  follow(pace: Pace): void {
    this.#runtime.forEachWorld(({ queue }) => queue.follow(pace))
  }

  /** Builds the indexes of large tables ahead of the first request. */
  prepare(): Promise<void> {
    const { queue } = this.#runtime
    return queue.runUnlessClosed('seeding', () => this.#runtime.world.preparing())
  }

  /** The scenario, seed and start of the data. */
  get madeFrom(): { scenario: string; seed: number; start: string } {
    const { scenario, world } = this.#runtime.loaded
    return { scenario, seed: world.options.seed, start: toIso(world.options.start) }
  }

  /** Shows in `/health` the digest of all that the data and the answers follow from. */
  showDigest(): void {
    this.#runtime.showDigest()
  }

  /** Shows in `/health` since when the state file cannot be written, RFC 3339. */
  reportState(failingSince: string | undefined): void {
    this.#runtime.options.conditions.state = failingSince && `failing since ${failingSince}`
  }

  /** Serves metrics in the control plane. */
  showMetrics(write: () => Promise<TextAnswer>): void {
    this.#runtime.writeMetrics = write
  }

  usage(): Usage {
    let journal = 0
    this.#runtime.forEachWorld(({ world }) => {
      journal += world.journal.size
    })
    const { count, shelvedCount: shelved } = this.#runtime.worlds
    return { worlds: { ...count, shelved }, journal, memory: this.memory }
  }

  /** Keeps worlds that leave memory, which are dropped otherwise. */
  keepWorlds(shelf: Shelf<Sandbox>): void {
    this.#runtime.worlds.shelf = {
      ...shelf,
      has: (name) => shelf.has(name),
      keep: (name, runtime, isBack) => shelf.keep(name, sandboxOf(runtime), isBack),
      touch: (name) => shelf.touch(name),
      put: (name, runtime) => shelf.put(name, sandboxOf(runtime)),
      fetch: (name) => shelf.fetch(name),
      remove: (name) => shelf.remove(name),
      get isBehind() {
        return shelf.isBehind
      },
      caughtUp: () => shelf.caughtUp(),
    }
  }

  /** Restores the snapshot that a text stands for. @throws {SandboxError} @throws {SyntaxError} */
  restoreText(text: JsonText): Promise<void> {
    return this.#runtime.restoreText(text)
  }

  /**
   * Starts to record what changes the sandbox. The returned function converts the recording to a
   * scenario.
   */
  record(): (name: string) => Recorded {
    return this.#runtime.recordings.keep()
  }
}
