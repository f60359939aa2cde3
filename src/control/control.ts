import type { RouteSummary } from '../api/route.ts'
import type { DoneAction } from '../world/action-log.ts'
import type { ClockState } from '../world/clock.ts'
import type { JournalEntry, JournalRow } from '../world/journal/journal-entry.ts'
import { describeValue, wrapWithTrimmedStack } from '../errors.ts'
import { getRealTime, parseClockStart } from '../world/real-time.ts'
import { runToEnd } from '../world/work.ts'
import type * as inputs from '../generated/inputs.ts'
import type { Id } from '../data/rows.ts'
import type { RouteId } from '../generated/inputs.ts'
import type { ReplayState, StorySummary } from '../scenario/player.ts'
import { summariseLoadable } from '../scenario/summary.ts'
import type { LoadableScenario } from '../scenario/summary.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { checkInput, NotFoundError } from '../api/check-input.ts'
import { startClockChange } from './clock-change.ts'
import { countRecords, readTablePage } from './table-page.ts'
import type { DataPage } from './table-page.ts'
import { describeActions } from './apply-actions.ts'
import type { ActionDescription } from './apply-actions.ts'
import { insertRecords, removeRecord, updateRecord, readRecordView } from './edit-records.ts'
import type { RecordView } from './edit-records.ts'
import {
  HappeningFilter,
  ScenarioChoice,
  ScenarioNaming,
  SnapshotNaming,
  WorldChoice,
  WorldName,
} from './inputs.ts'
import { toJournalQuery } from './journal-query.ts'
import { Operations } from './operations.ts'
import type {
  ControlHost,
  StoryClientState,
  RecordedScenario,
  RecordingState,
  WrittenScenario,
} from './control-host.ts'
import { createUnknownWorldError, readRowsOfAllWorlds, summariseWorld } from './world-list.ts'
import type { WorldRow, WorldSummary } from './world-list.ts'
import { startReplayCommand } from './replay-command.ts'
import { readSeries } from './series.ts'
import type { Series } from './series.ts'
import type { SnapshotSummary } from './named-snapshots.ts'
import { readChangingState, readState } from './sandbox-state.ts'
import type { Pulse, SandboxState } from './sandbox-state.ts'

/** A journal entry. If the response is a list, the entry explains which filters removed rows. */
export interface ExplainedEntry extends JournalEntry {
  /** Sentences that describe the current data. Empty if the response does not contain a list. */
  explanation: string[]
}

/** All control operations of a sandbox. The routes under `/_sandbox/` call the same operations. */
export class Control extends Operations {
  readonly #host: ControlHost

  constructor(host: ControlHost) {
    super(host)
    this.#host = host
  }

  /** Returns the scenario, clock, organisations, keys, accounts and record counts. */
  state(): SandboxState {
    const { active, queue, options, worlds } = this.#host
    return readState(this.#shownWorld(), {
      scenario: active.scenario,
      busy: queue.operation,
      overlay: options.overlaid.routes?.changed ?? null,
      worlds: worlds.count,
    })
  }

  /** Counts the records in each table. */
  tables(): Record<TableName, number> {
    return countRecords(this.#host.useCurrent('read the tables'))
  }

  /** Returns raw records of a table. */
  data(table: TableName | (string & {}), query: inputs.DataQuery = {}): DataPage {
    return runToEnd(readTablePage(this.#host.useCurrent('read the tables'), table, query))
  }

  /** Returns a record, the records that it references, and the records that reference it. */
  record(table: TableName | (string & {}), id: string | number): RecordView {
    return runToEnd(readRecordView(this.#host.useCurrent('read the tables'), table, toId(id)))
  }

  /**
   * Adds a record and returns the stored record. Missing fields get plausible values. With a
   * `trait`, such as `{ trait: 'whale' }` for a fan, also adds the records that belong to it.
   */
  insertRecord(table: TableName | (string & {}), fields: object): { readonly id: Id } {
    return this.insertRecords(table, [fields])[0] as { readonly id: Id }
  }

  /** Adds several records in order, as `insertRecord` does. If one of them fails, adds none. */
  insertRecords(
    table: TableName | (string & {}),
    records: readonly object[],
  ): { readonly id: Id }[] {
    return insertRecords(this.#host.useCurrent('insert a record'), table, records)
  }

  /** Changes some fields of a record and returns the stored record. */
  updateRecord(table: TableName | (string & {}), id: string | number, fields: object): object {
    const world = this.#host.useCurrent('update a record')
    return updateRecord(world, table, { id: toId(id), fields })
  }

  /**
   * Removes a record.
   *
   * @throws {SandboxError} if another record references it
   */
  removeRecord(table: TableName | (string & {}), id: string | number): void {
    runToEnd(removeRecord(this.#host.useCurrent('remove a record'), table, toId(id)))
  }

  /**
   * Stores the current records, so that `changes` can compare later records with them. Returns the
   * sandbox time. `checkpoint` does the same, and also marks the last request.
   */
  remember(): string {
    const world = this.#host.useCurrent('set the checkpoint of the records')
    world.checkpoint = world.snapshot()
    return world.clock.iso()
  }

  /**
   * Saves the world's changes as a snapshot. Without a name, the snapshot is automatic. Only the
   * latest five automatic snapshots are kept.
   *
   * @throws {SandboxError} if there are too many named snapshots
   */
  keepSnapshot(choice: SnapshotNaming = {}): SnapshotSummary {
    const { name, note } = checkInput(SnapshotNaming, choice, { verb: 'save a snapshot' })
    const realTime = this.#host.options.realTime?.()
    const { actionLog, changeLog } = this.#host.use()
    const logs = { history: changeLog.history, actions: actionLog.after(0) }
    return this.#host.snapshots.save(this.#host.takeChanges(), { name, note, realTime, logs })
  }

  /** Lists the named snapshots, oldest first. */
  snapshots(): SnapshotSummary[] {
    this.#host.use()
    return this.#host.snapshots.list()
  }

  /**
   * Restores a named snapshot, with the actions before it.
   *
   * @throws {SandboxError} if it does not exist
   */
  async restoreSnapshot(name: string): Promise<void> {
    const { snapshots } = this.#host
    const actions = snapshots.getActions(name)
    await this.#host.restore(snapshots.get(name))
    this.#host.use().actionLog.restore(actions)
  }

  /**
   * Removes a named snapshot.
   *
   * @throws {SandboxError} if it does not exist
   */
  removeSnapshot(name: string): void {
    this.#host.snapshots.remove(name)
  }

  /** Moves the clock or changes its mode. */
  clock(change: inputs.ClockChange): ClockState {
    const { clock } = this.#host.useIdle()
    const work = startClockChange(clock, change)
    if (work !== undefined) runToEnd(work)
    return clock.state()
  }

  /** Returns all actions with the schemas of their fields. */
  actions(): ActionDescription[] {
    this.#host.use()
    return describeActions()
  }

  /**
   * Returns the latest actions, oldest first. With `after`, returns only actions with a larger id.
   */
  happenings(filter: { after?: number } = {}): DoneAction[] {
    const { actionLog } = this.#shownWorld()
    return actionLog.after(
      checkInput(HappeningFilter, filter, { verb: 'read the actions' }).after ?? 0,
    )
  }

  /**
   * Runs a story command, if one is given, and returns the story's state.
   *
   * @throws {SandboxError}
   */
  replay(command?: inputs.ReplayCommand): ReplayState {
    this.#host.useIdle()
    const { player } = this.#host
    const work = command === undefined ? undefined : startReplayCommand(player, command)
    if (work !== undefined) runToEnd(work)
    return player.state()
  }

  /** Returns the story's title, chapters and tracked values over time. */
  story(): StorySummary {
    this.#host.useIdle()
    return this.#host.player.summary()
  }

  /**
   * Returns what the client of the story experiences on the stage. It runs in a copy of the world.
   * Null if the story has no client, or if another client sends requests.
   */
  storyClient(): Promise<StoryClientState | null> {
    this.#host.useIdle()
    return this.#host.storyClient()
  }

  /** Returns the state that changes over time: clock, story, rate windows, sessions. */
  pulse(): Pulse {
    const { active, player, queue } = this.#host
    const pulse = readChangingState(this.#shownWorld(), active.scenario, player.state())
    return { ...pulse, busy: queue.operation, ...this.#countWorlds() }
  }

  /**
   * Returns the ids of the last request and the last action, the number of stored requests, the
   * number of rewinds that removed actions, and the number of times that the journal was cleared.
   */
  positions(): {
    lastRequest: number
    keptRequests: number
    lastAction: number
    rewinds: number
    emptied: number
  } {
    const { journal, actionLog } = this.#host.use()
    const { lastId, rewinds } = actionLog
    return {
      lastRequest: journal.lastId,
      keptRequests: journal.size,
      lastAction: lastId,
      rewinds,
      emptied: journal.timesEmptied,
    }
  }

  /** Returns revenue, subscribers and requests over sandbox time. */
  series(query?: inputs.SeriesQuery): Series {
    return readSeries(this.#host.useCurrent('read the figures'), query)
  }

  /** Returns the names of the API routes, as used in faults and the journal. */
  routes(): readonly RouteId[] {
    this.#host.use()
    return [...this.#host.routeNames.ids] as RouteId[]
  }

  /** Lists the API routes with their summaries. */
  routeSummaries(): readonly RouteSummary[] {
    this.#host.use()
    return this.#host.routeNames.summaries
  }

  /** Returns the latest requests, newest first. */
  requests(filter: inputs.RequestFilter = {}): JournalEntry[] {
    return this.#host.use().journal.entries(toJournalQuery(filter, this.#host.routeNames))
  }

  /**
   * Returns a journal entry. If its list is empty or filtered, `explanation` states how many rows
   * each filter removes. The filters are tried on a copy of the world, so the explanation describes
   * the current data.
   *
   * @throws {SandboxError} if the journal does not contain the request
   */
  async request(id: number): Promise<ExplainedEntry> {
    const entry = this.#host.use().journal.entry(id)
    if (entry === undefined)
      throw new NotFoundError(
        `Failed to read the request ${id}: it is not in the journal, which stores only the ` +
          'latest requests. To store more, raise journalSize.',
      )
    return { ...entry, explanation: await this.#host.explain(entry) }
  }

  /** Like `requests`, but without bodies. */
  requestRows(filter: inputs.RequestFilter = {}): JournalRow[] {
    return this.#host.use().journal.rows(toJournalQuery(filter, this.#host.routeNames))
  }

  /**
   * Returns the requests of this world and its isolated worlds, newest first by real time. `world`
   * is null for this world.
   */
  requestRowsOfAllWorlds(filter: inputs.RequestFilter = {}): WorldRow[] {
    return runToEnd(readRowsOfAllWorlds(this.#host, filter))
  }

  /** Clears the journal and returns the number of removed requests. */
  clearRequests(): number {
    const { journal } = this.#host.use()
    const count = journal.size
    journal.clear()
    return count
  }

  /** Converts the current world to a scenario whose initial data are the world's records. */
  async presentScenario(choice: ScenarioNaming = {}): Promise<WrittenScenario> {
    const verb = 'write the world as a scenario'
    const { name = 'present' } = checkInput(ScenarioNaming, choice, { verb })
    const world = this.#host.useCurrent(verb)
    const [{ convertWorldToScenario, leftOutOfScenario }, { writeScenarioYaml }] =
      await Promise.all([
        import('../scenario/from-world.ts'),
        import('../scenario/scenario-yaml.ts'),
      ])
    const { scenario: source, seeded } = this.#host.active
    const personas = seeded?.scenario.personas ?? {}
    const { queue } = this.#host
    const scenario = await queue.slice(convertWorldToScenario(world, { name, source, personas }))
    const yaml = await queue.slice(writeScenarioYaml(scenario))
    return { name, yaml, left_out: leftOutOfScenario }
  }

  /** Returns the progress of the recording. */
  recording(): RecordingState {
    return this.#host.recordings.state()
  }

  /**
   * Starts recording actions and client requests.
   *
   * @throws {SandboxError} if a recording is already running
   */
  startRecording(): RecordingState {
    this.#host.useIdle()
    this.#host.recordings.start()
    return this.#host.recordings.state()
  }

  /**
   * Ends the recording and returns it as a scenario. If `gap` is null, replaying the scenario
   * produces the same world.
   *
   * @throws {SandboxError} if no recording is running
   */
  async stopRecording(choice: ScenarioNaming = {}): Promise<RecordedScenario> {
    const { name = 'recorded' } = checkInput(ScenarioNaming, choice, { verb: 'end the recording' })
    const { scenario, steps, leftOut, gap } = this.#host.recordings.stop(name)
    const { toScenarioYaml } = await import('../scenario/scenario-yaml.ts')
    const left = leftOut === 0 ? [] : [`${leftOut} requests that changed nothing`]
    return { name, yaml: toScenarioYaml(scenario), steps, gap, left_out: left }
  }

  /** Returns the scenarios that can be loaded by name. */
  scenarios(): LoadableScenario[] {
    this.#host.use()
    const { library = [], beginsNow } = this.#host.options
    return summariseLoadable(library, { beginsNow, real: getRealTime() })
  }

  /** Replaces the current scenario with another one. */
  async loadScenario(choice: inputs.ScenarioChoice): Promise<void> {
    const verb = 'load a scenario'
    const { name = '', yaml, seed, now, cue } = checkInput(ScenarioChoice, choice, { verb })
    const { library = [] } = this.#host.options
    const scenario =
      yaml === undefined
        ? name
        : await this.#host.parseScenario({ text: yaml, source: 'yaml', library })
    await this.#host.load(scenario, { seed, now: parseClockStart(now), cue })
  }

  /** Returns the isolated worlds. */
  worlds(): WorldSummary[] {
    this.#host.use()
    return this.#host.worlds.list().map(({ runtime }) => summariseWorld(runtime))
  }

  /**
   * Creates an isolated world in the seeded state, with the clock at the current time. With `fork`,
   * the new world is a copy of this one.
   *
   * @throws {SandboxError} if the name is taken or a limit is reached
   */
  createWorld(choice: WorldChoice = {}): WorldSummary {
    return summariseWorld(
      this.#host.createWorld(checkInput(WorldChoice, choice, { verb: 'create a world' })),
    )
  }

  /**
   * Returns the control of an isolated world. Creates the world if needed.
   *
   * @throws {SandboxError} if the name is invalid
   */
  world(name: string): Control {
    return createControl(
      this.#host.worlds.open(checkInput(WorldName, name, { verb: 'open a world', place: 'name' })),
    )
  }

  /**
   * Removes an isolated world.
   *
   * @throws {SandboxError} if the world does not exist
   */
  removeWorld(name: string): void {
    if (!this.#host.worlds.delete(name)) throw createUnknownWorldError(name)
  }

  /** True if the world was removed. */
  isClosed(): boolean {
    return this.#host.isClosed
  }

  /** Counts the isolated worlds and their requests, unless this world is isolated itself. */
  #countWorlds(): Pick<Pulse, 'worlds'> {
    if (this.#host.worldName !== undefined) return {}
    const list = this.#host.worlds.list()
    const requests = list.reduce((sum, { runtime }) => sum + runtime.world.journal.lastId, 0)
    return { worlds: { open: list.length, requests } }
  }

  /**
   * Returns the world for reading, after running due effects unless a long operation is in
   * progress.
   */
  #shownWorld(): World {
    const world = this.#host.use()
    if (this.#host.queue.operation === null) world.runDueEffects()
    return world
  }
}

/** Creates the control of a world. */
export function createControl(host: ControlHost): Control {
  return wrapWithTrimmedStack(new Control(host))
}

/** Returns an id as text. An id of another type is described, because no record has it. */
function toId(id: unknown): string {
  return typeof id === 'object' || typeof id === 'function' ? describeValue(id) : String(id)
}
