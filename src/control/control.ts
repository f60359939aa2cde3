import { z } from 'zod'
import type { Audit } from '../audit/audit.ts'
import { costOf } from '../audit/cost.ts'
import type { Cost } from '../audit/cost.ts'
import type { DoneAction } from '../world/action-log.ts'
import type { ClockState } from '../world/clock.ts'
import { checkInvariants } from '../world/invariant.ts'
import type { WorldCheck } from '../world/invariant.ts'
import { askerOf, containsText } from '../world/exchange.ts'
import type { Exchange } from '../world/exchange.ts'
import type { JournalEntry, JournalRow } from '../world/journal-entry.ts'
import type { JournalQuery } from '../world/journal.ts'
import { momentForms, readStart } from '../world/real-time.ts'
import type { RouteNames } from '../api/route.ts'
import { toJson } from '../world/snapshot/snapshot.ts'
import { latestMoment } from '../lib/time.ts'
import { finish } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import { worldNameForm, worldNameRule } from '../world/world-name.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import { throwingAtCaller } from '../errors.ts'
import type * as inputs from '../generated/inputs.ts'
import type { ActionInput, RouteId } from '../generated/inputs.ts'
import { version } from '../generated/version.ts'
import { ScenarioName } from '../scenario/name.ts'
import { findIn, parseScenario } from '../scenario/parse.ts'
import type { Player, ReplayState, StorySummary } from '../scenario/player.ts'
import type { Scenario } from '../scenario/schema.ts'
import { summariseScenarios } from '../scenario/summary.ts'
import type { ScenarioSummary } from '../scenario/summary.ts'
import { namesInvariant } from '../resources/references.ts'
import { allResources } from '../resources/all-resources.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { applyActions } from './act.ts'
import type { ActionResults } from './act.ts'
import { Remembered } from './changes.ts'
import type { Changes } from './changes.ts'
import { check, show, UnknownError } from './check.ts'
import { countRecords, readTable } from './data.ts'
import type { DataPage } from './data.ts'
import { describeActions } from './describe.ts'
import type { ActionDescription } from './describe.ts'
import { insertRecord, removeRecord, updateRecord, viewRecord } from './edit.ts'
import type { RecordView } from './edit.ts'
import { createFaultControl, toRouteId } from './faults.ts'
import type { FaultControl } from './faults.ts'
import { directing } from './replay.ts'
import type { ReplayCommand } from './replay.ts'
import { readSeries } from './series.ts'
import type { Series } from './series.ts'
import { readAccounts, readPulse, readState } from './state.ts'
import type { Pulse, SandboxState, WorldCount } from './state.ts'
import type { TextAnswer } from './text-answer.ts'

/** A change of the clock: on by a duration, to a later instant, or into another mode. */
export const ClockChange = z.lazy(() =>
  z
    .strictObject({
      advance: z
        .union([z.string().max(200), z.number().max(Number.MAX_VALUE)], {
          error: "it must be a duration such as '2h 1s', or milliseconds",
        })
        .optional()
        .describe("How far to move on: a duration such as '2h 1s', or milliseconds."),
      set: z
        .union([z.string().max(100), z.number().min(0).max(latestMoment)], {
          error: `it must be ${momentForms}`,
        })
        .optional()
        .describe('The later instant to move to: RFC 3339, epoch ms, or now, the real time.'),
      mode: z
        .enum(['frozen', 'running'])
        .optional()
        .describe('Whether time stands until it is moved, or runs.'),
      rate: z
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .describe('With running: sandbox seconds per real second.'),
    })
    .refine(
      ({ advance, set, mode }) =>
        [advance, set, mode].filter((part) => part !== undefined).length === 1,
      {
        error: 'it needs exactly one of advance, set and mode',
      },
    )
    .refine(({ mode, rate }) => rate === undefined || mode === 'running', {
      error: 'rate goes with the mode running',
    }),
)
export type ClockChange = z.infer<typeof ClockChange>

/** The most characters of a scenario in YAML. */
const longestYaml = 64 * 1024 * 1024

/** Which scenario to load: a shipped one by its name, or one written in YAML. */
export const ScenarioChoice = z.lazy(() =>
  z
    .strictObject({
      name: z.string().max(200).optional().describe('The name of a scenario that can be loaded.'),
      yaml: z
        .string()
        .max(longestYaml)
        .optional()
        .describe('A scenario, as its file would have it; in place of name.'),
      seed: z.int().optional().describe("Where all chance comes from. Absent: the scenario's."),
      now: z
        .union([z.string().max(100), z.number().min(0).max(latestMoment)])
        .refine((given) => readStart(given) !== undefined, { error: `it must be ${momentForms}` })
        .optional()
        .describe(
          "The clock's start: RFC 3339, epoch ms, now (the UTC minute) or today (00:00 UTC). " +
            "Absent: the scenario's, or on a server now.",
        ),
      cue: z
        .boolean()
        .optional()
        .describe(
          'true: a story stands at its start until it is played. Absent: its time goes on as ' +
            'the clock of the sandbox does.',
        ),
    })
    .refine(({ name, yaml }) => (name === undefined) !== (yaml === undefined), {
      error: 'it needs either name or yaml',
    }),
)
export type ScenarioChoice = z.infer<typeof ScenarioChoice>

/** Selects requests of the journal. */
export const RequestFilter = z.lazy(() =>
  z.strictObject({
    route: z
      .string()
      .optional()
      .describe(
        'Method and path as the route list shows them; the text `null`: requests that no route ' +
          'answered.',
      ),
    status: z.int().optional(),
    status_class: z
      .literal([2, 3, 4, 5])
      .optional()
      .describe('Only statuses that begin with this digit.'),
    path: z.string().optional().describe('Only paths that contain this text, ignoring case.'),
    account: z.int().optional(),
    method: z.string().max(20).optional().describe('Only requests of this method.'),
    asked_by: z
      .enum(['client', 'story', 'console', 'docs'])
      .optional()
      .describe('Only requests of clients, of the story, or of a page of the server.'),
    contains: z
      .string()
      .max(200)
      .optional()
      .describe('Only requests whose path or bodies contain this text, ignoring case.'),
    limit: z
      .int()
      .min(0)
      .optional()
      .describe('The most requests to return. Default: all that the journal holds.'),
    before: z.int().min(0).optional().describe('Only requests before the one with this id.'),
  }),
)
export type RequestFilter = z.infer<typeof RequestFilter>

/** From which request on to look. */
const Since = z.lazy(() => z.strictObject({ since: z.int().min(0).optional() }))
/**
 * From which request on to look: those after the one with this id. Absent: those after the
 * checkpoint, or all that the journal holds.
 */
export type Since = z.infer<typeof Since>

/** What to audit. */
const AuditQuery = z.lazy(() =>
  z.strictObject({ since: z.int().min(0).optional(), of: z.enum(['client', 'story']).optional() }),
)
/**
 * What to audit: `since` as for the cost, and `of`, who sent the requests: clients (the default),
 * or the story of a recording.
 */
export type AuditQuery = z.infer<typeof AuditQuery>

/** Selects actions that were applied. */
const HappeningFilter = z.lazy(() => z.strictObject({ after: z.int().min(0).optional() }))

/** The name of an isolated world. */
export const WorldName = z.lazy(() =>
  z.string().max(40).regex(worldNameForm, { error: worldNameRule }),
)

/** An isolated world to make. */
export const WorldChoice = z.lazy(() =>
  z.strictObject({
    name: WorldName.optional().meta({
      description: 'What to call it. Absent: w1, w2, ….',
      examples: ['worker-3'],
    }),
  }),
)
export type WorldChoice = z.infer<typeof WorldChoice>

/** What to call a scenario that is written. */
const ScenarioNaming = z.lazy(() => z.strictObject({ name: ScenarioName.optional() }))
export type ScenarioNaming = z.infer<typeof ScenarioNaming>

/** A scenario in YAML, as its file has it. */
export interface WrittenScenario {
  name: string
  yaml: string
  /** What it leaves out, for people. */
  left_out: readonly string[]
}

/** A recording in YAML. */
export interface RecordedScenario extends WrittenScenario {
  /** How many steps it has. */
  steps: number
  /** Why it does not lead to the same world again; null when it does. */
  gap: string | null
}

/** How far a recording is. */
export interface RecordingState {
  /**
   * Since when what is done is recorded, RFC 3339 by the clock of the sandbox; null when it is not.
   */
  since: string | null
  steps: number
  /** Why it will not lead to the same world again; null when it will. */
  gap: string | null
}

/** An isolated world, and what reaches it. */
export interface WorldSummary extends Pick<SandboxState, 'accounts'> {
  /** Its name, as in `?world=`. */
  id: string
  /** The API keys by role: those of the sandbox, each followed by `~` and the name. */
  keys: Readonly<Record<string, string>>
}

/**
 * Everything that a person can do to a sandbox. The HTTP routes under `/_sandbox/` and the methods
 * of the sandbox call it.
 */
export interface Control {
  /** Scenario, clock, organisations, keys, accounts, and the number of records. */
  state: () => SandboxState
  /** The number of records of each table. */
  tables: () => Record<TableName, number>
  /** Reads raw records of a table. */
  data: (table: TableName | (string & {}), query?: inputs.DataQuery) => DataPage
  /** Reads a record with what it names and what names it. */
  record: (table: TableName | (string & {}), id: string | number) => RecordView
  /**
   * Adds a record by hand, and returns it as stored; what it leaves out gets a believable value.
   */
  insertRecord: (table: TableName | (string & {}), fields: object) => object
  /** Changes some fields of a record, and returns it as stored. */
  updateRecord: (table: TableName | (string & {}), id: string | number, fields: object) => object
  /** Removes a record that no other one names. */
  removeRecord: (table: TableName | (string & {}), id: string | number) => void
  /** Remembers the records as they are, for `changes`. Returns the sandbox time. */
  remember: () => string
  /** What was added, changed and removed since `remember`. */
  changes: () => Changes
  /** Goes back to the seeded state. */
  reset: () => Promise<void>
  /** Moves the clock, or changes its mode. */
  clock: (change: inputs.ClockChange) => ClockState
  /**
   * Applies an action, or several in order. When one fails, none is applied. Tells what each did:
   * of an array in an array.
   */
  act: <const Input extends ActionInput | readonly ActionInput[]>(
    actions: Input,
  ) => ActionResults<Input>
  /** All actions, with the schema of their fields. */
  actions: () => ActionDescription[]
  /** The last actions, oldest first, or only those after the one with the id `after`. */
  happenings: (filter?: { after?: number }) => DoneAction[]
  /**
   * Whether the records agree with one another: what always holds, by name, each with the records
   * that break it. It changes nothing.
   */
  check: () => WorldCheck
  /**
   * Applies a command to the story of the scenario, or only reads its state. @throws {SandboxError}
   */
  replay: (command?: inputs.ReplayCommand) => ReplayState
  /** What the story is about: its title, its chapters, and how the figures went that it watches. */
  story: () => StorySummary
  /**
   * Plays the story: at once, or with `speed` in real time. Resolves when it stops. @throws
   * {SandboxError}
   */
  play: (options?: inputs.PlayOptions) => Promise<ReplayState>
  /** Goes to a place of the story, forwards or back. @throws {SandboxError} */
  seek: (to: string) => ReplayState
  /** What changes as time goes on: clock, story, rate windows, sessions. */
  pulse: () => Pulse
  /**
   * The ids of the last request and the last action, and how often the world went back and dropped
   * actions.
   */
  positions: () => { lastRequest: number; lastAction: number; rewinds: number }
  /** Revenue, subscribers and requests over sandbox time. */
  series: (query?: inputs.SeriesQuery) => Series
  /** The names of the routes of the API in faults and the journal. */
  routes: () => readonly RouteId[]
  faults: FaultControl
  /** The last requests, newest first. */
  requests: (filter?: inputs.RequestFilter) => JournalEntry[]
  /** The same requests without their bodies. */
  requestRows: (filter?: inputs.RequestFilter) => JournalRow[]
  /** What clients do wrong, what it cost, and what they never met. */
  audit: (query?: AuditQuery) => Promise<Audit>
  /** What clients spent: credits, requests, bytes and pages, in all and by route. */
  cost: (query?: Since) => Cost
  /**
   * From now on audit and cost begin behind the last request. Returns its id. A reset forgets it,
   * and so does an emptied journal.
   */
  checkpoint: () => number
  /** Empties the journal. Returns how many requests it held. */
  clearRequests: () => number
  /** The whole world as JSON. */
  snapshot: () => WorldJson
  /** Goes back to a snapshot. A refused snapshot changes nothing. */
  restore: (snapshot: unknown) => Promise<void>
  /** The present world as a scenario: started, it has these records. It says what it leaves out. */
  presentScenario: (choice?: ScenarioNaming) => Promise<WrittenScenario>
  /** Whether what is done is recorded, since when, and how many steps that came to. */
  recording: () => RecordingState
  /**
   * Records from now on what is done, by actions and by clients. @throws {SandboxError} when it is
   * recorded already
   */
  startRecording: () => RecordingState
  /**
   * Ends the recording: what was done as a scenario, which plays to the same world if `gap` is
   * null. @throws {SandboxError} without one
   */
  stopRecording: (choice?: ScenarioNaming) => Promise<RecordedScenario>
  /** The scenarios that can be loaded by name. */
  scenarios: () => ScenarioSummary[]
  /** Replaces the present scenario by another one. */
  loadScenario: (choice: inputs.ScenarioChoice) => Promise<void>
  /** The isolated worlds. */
  worlds: () => WorldSummary[]
  /**
   * Makes an isolated world in the seeded state, moved on to the present time.
   * @throws {SandboxError} when the name is taken, or there is no room.
   */
  createWorld: (choice?: WorldChoice) => WorldSummary
  /**
   * The control of an isolated world, which is made where it is not there. @throws {SandboxError}
   * when it is no name of one.
   */
  world: (name: string) => Control
  /** Removes an isolated world. @throws {SandboxError} when there is none of that name. */
  removeWorld: (name: string) => void
  /** Whether the world was removed. */
  isClosed: () => boolean
  /** @internal What a server does that has others to answer while a world is busy. */
  readonly served: ServedControl
}

/** What takes long, in units, and the turns of those who wait for it. */
export interface ServedControl {
  /** What the world is busy with; null when with nothing that takes long. */
  busy: () => string | null
  /** Whether so much may have fallen due that a look at the world takes long. */
  isBehind: () => boolean
  /**
   * Does a job in its turn. `doing` says what it is where it may take long. @throws {CrowdError}
   * when too many wait.
   */
  inTurn: <Result>(
    doing: string | null,
    job: () => Result | Work<Result> | Promise<Result>,
  ) => Promise<Result>
  /** Does work that touches no world. */
  aside: <Result>(work: Work<Result>) => Promise<Result>
  clock: (change: ClockChange) => Work<ClockState>
  replay: (command: ReplayCommand) => Work<ReplayState>
  /**
   * The control of an isolated world. `isMade`: it is made if there is none of that name. @throws
   * {UnknownError} otherwise
   */
  world: (name: string, options: { isMade: boolean }) => Control
  /** The whole world as the bytes of its JSON. */
  snapshot: () => Work<readonly Uint8Array[]>
  /**
   * What the server counted, in the text format of Prometheus. @throws {SandboxError} when it
   * counts nothing, as it does by itself
   */
  metrics: () => Promise<TextAnswer>
}

/** How another scenario begins. */
export interface ScenarioStart {
  seed?: number | undefined
  now?: number | undefined
  /** Whether its story stands at its start. */
  cue?: boolean | undefined
}

/** What was recorded: a scenario that is still to be written. */
export interface Recorded {
  scenario: Record<string, unknown>
  steps: number
  /** How many requests that wrote nothing it left out. */
  leftOut: number
  gap: string | null
}

/** What records a sandbox. */
export interface RecordingHost {
  state: () => RecordingState
  start: () => void
  /** Ends it; the scenario is still to be written. */
  stop: (name: string) => Recorded
}

/** The inside of a sandbox, which the control works on. */
export interface ControlHost {
  world: () => World
  /** The name of the scenario. */
  scenario: () => string
  routes: RouteNames
  /** The names of the routes that overlays changed; null without one. */
  overlay: () => readonly string[] | null
  player: Player
  /** The personas of its scenario. */
  personas: () => Scenario['personas']
  recording: RecordingHost
  play: Control['play']
  seek: Control['seek']
  /** The scenarios besides the shipped ones. */
  library: readonly Scenario[]
  reset: () => Promise<void>
  load: (scenario: string | Scenario, start: ScenarioStart) => Promise<void>
  restore: (snapshot: unknown) => Promise<void>
  worlds: {
    create: (name?: string) => WorldEntry
    list: () => WorldEntry[]
    open: (name: string) => { control: Control }
    has: (name: string) => boolean
    remove: (name: string) => boolean
    count: () => WorldCount
  }
  isClosed: () => boolean
  /** Finishes what the world is busy with. */
  finishNow: () => void
  served: Pick<ServedControl, 'busy' | 'isBehind' | 'inTurn' | 'aside' | 'metrics'>
}

/** An isolated world, as the host of a control knows it. */
interface WorldEntry extends Pick<WorldSummary, 'id' | 'keys'> {
  world: World
}

const invariants = [
  namesInvariant,
  ...allResources.flatMap((resource) => resource.invariants ?? []),
]

/** Creates the control of a sandbox. */
export function createControl(host: ControlHost): Control {
  const free = () => {
    host.finishNow()
    return host.world()
  }
  const world = () => {
    const current = free()
    current.runDueEffects()
    return current
  }
  /** @throws {SandboxError} before the data are there. */
  const seeded = (verb: string) => {
    host.world().requireSeeded(verb)
    return world()
  }
  /** What a busy world shows is as it was after the last unit. */
  const shown = () => (host.served.busy() === null ? world() : host.world())
  /** Reads what is the same for all sandboxes. Of a closed one nothing can be read. */
  const fixed =
    <Value>(read: () => Value) =>
    (): Value => {
      host.world()
      return read()
    }
  const limitsOf = (organisation: number) => host.world().db.organisations.get(organisation)?.limits
  const takeSnapshot = () => {
    return toJson(seeded('take a snapshot'), { scenario: host.scenario(), release: version })
  }
  const faults = createFaultControl(free, host.routes)
  const remembered = new Remembered()
  const openWorld: ServedControl['world'] = (given, { isMade }) => {
    const name = check(WorldName, given, { verb: 'open a world', place: 'name' })
    if (!isMade && !host.worlds.has(name)) throw unknownWorld(name)
    return host.worlds.open(name).control
  }
  const served: ServedControl = {
    ...host.served,
    clock: (change) => movingClock(host.world(), change),
    snapshot: () => takeSnapshot().writing(),
    world: openWorld,
    replay: (command) => directing(host.player, command),
  }
  /** Runs a change. A recorder, if there is one, records it as these actions. */
  const recorded = <Result>(actions: readonly unknown[], run: () => Result): Result => {
    const { recorder } = free()
    return recorder === undefined ? run() : recorder.actions(actions, run)
  }
  return throwingAtCaller<Control>({
    state: () =>
      readState(shown(), {
        scenario: host.scenario(),
        busy: host.served.busy(),
        overlay: host.overlay(),
        worlds: host.worlds.count(),
      }),
    tables: () => countRecords(seeded('read the tables')),
    data: (table, query = {}) => readTable(seeded('read the tables'), table, query),
    record: (table, id) => viewRecord(seeded('read the tables'), table, String(id)),
    insertRecord: (table, fields) => insertRecord(seeded('insert a record'), table, fields),
    updateRecord: (table, id, fields) =>
      updateRecord(seeded('update a record'), table, { id: String(id), fields }),
    removeRecord: (table, id) => removeRecord(seeded('remove a record'), table, String(id)),
    remember: () => remembered.keep(seeded('remember the records')),
    changes: () => remembered.tell(seeded('tell the changes')),
    reset: () => host.reset(),
    clock: (change) => finish(movingClock(free(), change)),
    act<const Input extends ActionInput | readonly ActionInput[]>(input: Input) {
      const current = free()
      current.requireSeeded('act')
      const results = recorded([input].flat(), () =>
        applyActions(current, input, { routes: host.routes }),
      )
      return (Array.isArray(input) ? results : results[0]) as ActionResults<Input>
    },
    actions: fixed(describeActions),
    happenings: (filter = {}) =>
      shown().actionLog.after(
        check(HappeningFilter, filter, { verb: 'read the actions' }).after ?? 0,
      ),
    check: () => checkInvariants(seeded('check the records'), invariants),
    replay(command) {
      host.finishNow()
      return command === undefined ? host.player.state() : finish(directing(host.player, command))
    },
    story() {
      host.finishNow()
      return host.player.told()
    },
    play: (options) => host.play(options),
    seek: (to) => host.seek(to),
    pulse: () => ({
      ...readPulse(shown(), host.scenario(), host.player.state()),
      busy: host.served.busy(),
    }),
    positions: () => ({
      lastRequest: host.world().journal.lastId,
      lastAction: host.world().actionLog.lastId,
      rewinds: host.world().actionLog.rewinds,
    }),
    series: (query) => readSeries(seeded('read the figures'), query),
    routes: fixed(() => [...host.routes.ids] as RouteId[]),
    faults: throwingAtCaller<FaultControl>({
      ...faults,
      add: (fault) => recorded([{ type: 'fault.add', ...fault }], () => faults.add(fault)),
      remove: (id) =>
        recorded(
          faults.list().some((fault) => fault.id === id) ? [{ type: 'fault.clear', id }] : [],
          () => faults.remove(id),
        ),
      clear: () => recorded([{ type: 'fault.clear' }], () => faults.clear()),
    }),
    requests: (filter = {}) => host.world().journal.entries(toQuery(host, filter)),
    requestRows: (filter = {}) => host.world().journal.rows(toQuery(host, filter)),
    async audit(query = {}) {
      const heard = check(AuditQuery, query, { verb: 'audit' })
      const { auditJournal } = await import('../audit/audit.ts')
      return auditJournal(host.world().journal, heard, limitsOf)
    },
    cost: (query = {}) =>
      costOf(host.world().journal, check(Since, query, { verb: 'add up the cost' }), limitsOf),
    checkpoint() {
      const { journal } = host.world()
      journal.checkpoint = journal.lastId
      return journal.lastId
    },
    clearRequests() {
      const { journal } = host.world()
      const count = journal.size
      journal.clear()
      return count
    },
    snapshot: takeSnapshot,
    restore: (snapshot) => host.restore(snapshot),
    async presentScenario(choice = {}) {
      const { name = 'present' } = check(ScenarioNaming, choice, {
        verb: 'make a scenario of the world',
      })
      const current = seeded('make a scenario of the world')
      const [{ toPresentScenario, leftOutOfPresent }, { toScenarioYaml }] = await Promise.all([
        import('../scenario/present.ts'),
        import('../scenario/write.ts'),
      ])
      const naming = { name, source: host.scenario(), personas: host.personas() }
      const yaml = toScenarioYaml(toPresentScenario(current, naming))
      return { name, yaml, left_out: leftOutOfPresent }
    },
    recording: () => host.recording.state(),
    startRecording() {
      host.finishNow()
      host.recording.start()
      return host.recording.state()
    },
    async stopRecording(choice = {}) {
      const { name = 'recorded' } = check(ScenarioNaming, choice, { verb: 'end the recording' })
      const { scenario, steps, leftOut, gap } = host.recording.stop(name)
      const { toScenarioYaml } = await import('../scenario/write.ts')
      const left = leftOut === 0 ? [] : [`${leftOut} requests that wrote nothing`]
      return { name, yaml: toScenarioYaml(scenario), steps, gap, left_out: left }
    },
    scenarios: fixed(() => summariseScenarios(host.library)),
    async loadScenario(choice) {
      const { name, yaml, seed, now, cue } = check(ScenarioChoice, choice, {
        verb: 'load a scenario',
      })
      const scenario =
        yaml === undefined ? (name ?? '') : await parseScenario(yaml, 'yaml', findIn(host.library))
      await host.load(scenario, { seed, now: readStart(now), cue })
    },
    worlds: fixed(() => host.worlds.list().map(summarise)),
    createWorld: (choice = {}) =>
      summarise(host.worlds.create(check(WorldChoice, choice, { verb: 'make a world' }).name)),
    world: (name) => openWorld(name, { isMade: true }),
    removeWorld(name) {
      if (!host.worlds.remove(name)) throw unknownWorld(name)
    },
    isClosed: () => host.isClosed(),
    served,
  })
}

function* movingClock({ clock }: World, change: ClockChange): Work<ClockState> {
  const { advance, set, mode, rate } = check(ClockChange, change, { verb: 'move the clock' })
  if (advance !== undefined) yield* clock.advancing(advance)
  if (set !== undefined) yield* clock.setting(set)
  if (mode === 'frozen') clock.freeze()
  if (mode === 'running') clock.run(rate)
  return clock.state()
}

function toQuery(host: ControlHost, filter: RequestFilter): JournalQuery {
  const asked = check(RequestFilter, filter, { verb: 'read the requests' })
  const {
    route,
    status,
    status_class: digit,
    path,
    account,
    method,
    asked_by: asker,
    contains = '',
    limit,
    before,
  } = asked
  const routeId =
    route === undefined || route === 'null'
      ? null
      : toRouteId(route, host.routes, 'read the requests')
  const part = path?.toLowerCase() ?? ''
  const tests: ((entry: Exchange) => boolean)[] = []
  if (route !== undefined) tests.push((entry) => (entry.route?.id ?? null) === routeId)
  if (status !== undefined) tests.push((entry) => entry.status === status)
  if (digit !== undefined) tests.push((entry) => Math.floor(entry.status / 100) === digit)
  if (part !== '') tests.push((entry) => entry.path.toLowerCase().includes(part))
  if (account !== undefined) tests.push((entry) => entry.account_id === account)
  if (method !== undefined) tests.push((entry) => entry.method === method.toUpperCase())
  if (asker !== undefined) tests.push((entry) => askerOf(entry) === asker)
  if (contains !== '') tests.push((entry) => containsText(entry, contains))
  return { limit, before, passes: (entry) => tests.every((test) => test(entry)) }
}

/** What is told of a world as it is: nothing that has fallen due happens by it. */
function summarise({ id, keys, world }: WorldEntry): WorldSummary {
  return { id, keys, accounts: readAccounts(world) }
}

function unknownWorld(name: string): UnknownError {
  return new UnknownError(
    `Failed to find the world ${show(name)}: there is none of that name. GET /_sandbox/worlds ` +
      `lists them, and POST /_sandbox/worlds {"name": …} makes one.`,
  )
}
