import { createWarningBudget } from '../audit/warnings.ts'
import { checkInput, NotFoundError } from '../api/check-input.ts'
import { maxCheckedRows, enforceRowLimit } from '../control/row-limit.ts'
import { countTableRows, listTables } from '../data/tables.ts'
import { invariants } from '../control/operations.ts'
import type { ResetResult, RecordingResult } from '../control/control-host.ts'
import type { Control } from '../control/control.ts'
import { createUnknownWorldError } from '../control/world-list.ts'
import { WorldName } from '../control/inputs.ts'
import { mainId, toWorldId, worldNameForm, toWorldName } from '../world/world-name.ts'
import type { ServedWorld } from '../control/served-world.ts'
import type { WorldCount } from '../control/sandbox-state.ts'
import type { TextResponse } from '../control/json-pieces.ts'
import type { MemoryLimit } from '../world/memory-limit.ts'
import type { Call, Reply, Route } from '../api/route.ts'
import { parseIso } from '../lib/time.ts'
import { checkInvariant, toWorldCheck } from '../world/invariant.ts'
import type { WorldCheck } from '../world/invariant.ts'
import { createSlicePause } from '../world/work.ts'
import type { PausePolicy, Work } from '../world/work.ts'
import type { ScenarioParser } from '../scenario/parse.ts'
import { listServedRoutes } from './served-routes.ts'
import { restoringFromStore } from './runtime.ts'
import type { Runtime } from './runtime.ts'
import { Sandbox } from './sandbox.ts'
import type { Lease } from './state/leases.ts'
import type { StoredBases } from './state/stored-bases.ts'
import type { SaveFailure, WorldSaver } from './state/world-saver.ts'

/** Maximum number of worlds to check for warnings at once. */
const maxWarnedWorlds = 8

/** Resources used by a sandbox and its worlds. */
interface Usage {
  /**
   * Number of worlds by state. `leased` includes the main world. It is undefined if the store
   * cannot be shared.
   */
  worlds: WorldCount & { stored: number; leased: number | undefined }
  /** Number of requests in all journals. */
  journal: number
  memory: Pick<MemoryLimit, 'used' | 'limit'> | undefined
}

/** A sandbox or one of its isolated worlds, as a server uses it. */
export class ServedSandbox implements ServedWorld {
  readonly sandbox: Sandbox
  readonly host: Runtime
  /** True if another server has used the main world since this server's last use of it. */
  #isOutdated = false
  /** Writes the server's metrics. Defined only for the main world. */
  writeMetrics: () => Promise<TextResponse> = rejectMetrics

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox
    this.host = Sandbox.runtimeOf(sandbox)
  }

  get control(): Control {
    return this.sandbox.control
  }

  get operation(): string | null {
    return this.host.queue.operation
  }

  get hasDueEffects(): boolean {
    return this.host.queue.hasDueEffects
  }

  get routes(): readonly Route[] {
    return listServedRoutes(this.host.options)
  }

  /** The memory limit, or undefined without `maxMemory`. */
  get memory(): MemoryLimit | undefined {
    return this.host.world.options.memory
  }

  /** Serves user pictures under the base URL. */
  servePictures(): void {
    this.host.forEachWorld(({ world }) => {
      world.servesPictures = true
    })
  }

  handle(call: Call): Promise<Reply> {
    return this.host.worlds.handle(call, this.host)
  }

  run<Result>(operation: string | null, job: () => Result | Promise<Result>): Promise<Result> {
    const { queue, worlds, world } = this.host
    if (operation === null || worlds.store === undefined) return queue.run(operation, job)
    // Saves the world first, because it cannot be saved during the job, which may take long.
    return queue.run(operation, async () => {
      await worlds.store?.saveNow(world.id)
      return job()
    })
  }

  reset(): Promise<ResetResult> {
    return this.host.resetInTurn()
  }

  slice<Result>(work: Work<Result>): Promise<Result> {
    return this.host.queue.slice(work)
  }

  async check(): Promise<WorldCheck> {
    const world = this.host.useCurrent('check the records')
    enforceRowLimit(countTableRows(listTables(world.db)), {
      max: maxCheckedRows,
      verb: 'check the records',
      advice: 'Use `npx creator-api-sandbox check`, or sandbox.check() in the process.',
    })
    const pause = createSlicePause(this.host.queue.pace)
    const results: WorldCheck['invariants'] = []
    for (const invariant of invariants) {
      results.push(checkInvariant(world, invariant))
      await pause()
    }
    return toWorldCheck(results)
  }

  world(name: string, { isMade }: { isMade: boolean }): ServedSandbox {
    const checked = checkInput(WorldName, name, { verb: 'open a world', place: 'name' })
    if (!isMade && !this.host.worlds.has(checked)) throw createUnknownWorldError(checked)
    return new ServedSandbox(Sandbox.of(this.host.worlds.open(checked)))
  }

  /** Creates a copy with the same data. */
  fork(): ServedSandbox {
    return new ServedSandbox(this.sandbox.fork())
  }

  /** Writes a line for each new client mistake, with the console URL of the request. */
  async warn(write: (line: string) => void): Promise<void> {
    const { warnings } = this.host.options
    const { pace } = this.host.queue
    const runtimes: Runtime[] = []
    let due = 0
    this.host.forEachWorld((runtime) => {
      const requests = warnings.countDue(runtime.world.journal)
      if (requests > 0) runtimes.push(runtime)
      due += requests
    })
    // All worlds share the budget.
    const budget = createWarningBudget(due, pace?.now)
    for (const runtime of runtimes.slice(0, maxWarnedWorlds)) {
      // Skips worlds that have been evicted since the request.
      if (runtime.isClosed) continue
      const { world, worldName } = runtime
      const query = worldName === undefined ? '' : `?world=${worldName}`
      const pageOf = (id: number) => `${this.sandbox.baseUrl}/_sandbox/${query}#requests/${id}`
      for (const line of await warnings.look(world.journal, { budget, pace, pageOf })) write(line)
      if (budget.isSpent) return
    }
  }

  /** Makes long operations pause regularly, so that the server can handle other requests. */
  follow(pace: PausePolicy): void {
    this.host.forEachWorld(({ queue }) => {
      queue.pace = pace
    })
  }

  /** Sets the parser for scenarios sent by clients. */
  parseWith(parse: ScenarioParser): void {
    this.host.forEachWorld((runtime) => {
      runtime.parseScenario = parse
    })
  }

  /** Builds the indexes of large tables in advance. */
  prepare(): Promise<void> {
    const { queue } = this.host
    return queue.runUnlessClosed('seeding', () => this.host.world.preparing())
  }

  /** Reports in `/health` since when and why saving fails. */
  reportState(failure: SaveFailure | undefined): void {
    const isShared = this.host.worlds.store?.leases !== undefined
    const effect = isShared
      ? 'writes wait until it is saved again'
      : 'until it is saved again, a crash loses more than 500 ms'
    this.host.options.conditions.state =
      failure && `failing since ${failure.since}, because ${failure.why}; ${effect}`
  }

  usage(): Usage {
    let journal = 0
    this.host.forEachWorld(({ world }) => {
      journal += world.journal.size
    })
    const { count, storedCount: stored, store } = this.host.worlds
    return {
      worlds: { ...count, stored, leased: store?.leases?.count },
      journal,
      memory: this.memory,
    }
  }

  /**
   * Restores the main world from the store if it is saved there, and starts saving all worlds.
   * Returns false if another server uses the main world.
   *
   * @throws {SandboxError} if the saved world is damaged
   */
  async keepIn(saver: WorldSaver): Promise<boolean> {
    const { worlds, world } = this.host
    worlds.store = saver
    if (saver.leases !== undefined) return saver.leases.acquireIfFree(world.id)
    if (saver.has(world.id)) await this.host.restoreSaved(saver)
    else saver.track(world.id, this.host)
    return true
  }

  /**
   * Loads the state of the main world that another server saved.
   *
   * @throws {SandboxError}
   */
  async reloadMain(saver: WorldSaver, bases: StoredBases): Promise<void> {
    const runtime = this.host
    await runtime.queue.replace(restoringFromStore, async () => {
      if (this.#isOutdated) {
        const { source, seed, start } = await bases.mainHead()
        await runtime.replaceScenario(source, { seed, now: parseIso(start) })
        this.#isOutdated = false
      }
      if (saver.has(mainId)) await runtime.restoreSaved(saver)
      else saver.track(mainId, runtime)
    })
  }

  /** Saves the main world's base rows in the store. */
  saveBase(bases: StoredBases): Promise<void> {
    return bases.setMain(this.host.active)
  }

  /** Removes an isolated world from memory. For the main world, only stops its story. */
  closeWorld(id: string): void {
    const name = toWorldName(id)
    if (name !== undefined) return this.host.worlds.close(name)
    this.host.player.clear()
    this.host.recordings.restart()
    this.#isOutdated = true
  }

  async acquireLease(name?: string): Promise<Lease | undefined> {
    const id = name === undefined ? mainId : toWorldId(name)
    return name === undefined || worldNameForm.test(name)
      ? this.host.worlds.store?.leases?.acquire(id)
      : undefined
  }

  /**
   * Waits until the store accepts writes. Before sending the response, call and await the returned
   * function.
   */
  async admit(): Promise<(() => Promise<void>) | undefined> {
    return this.host.worlds.store?.admit(this.host.world.id)
  }

  /**
   * Starts recording changes to the sandbox. The returned function converts the recording to a
   * scenario.
   */
  record(): (name: string) => RecordingResult {
    return this.host.recordings.startPermanent()
  }
}

async function rejectMetrics(): Promise<TextResponse> {
  throw new NotFoundError(
    'Failed to read the metrics: they are not available here. Start the server with --metrics ' +
      '(startServer: metrics), and send the request without ?world.',
  )
}
