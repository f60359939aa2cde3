import { z } from 'zod'
import { shippedScenarios } from '../generated/scenario-index.ts'
import type { ClockState } from '../model/clock.ts'
import type { JournalEntry } from '../model/journal.ts'
import { parseJson, toJson } from '../model/snapshot.ts'
import type { WorldJson } from '../model/snapshot.ts'
import type { World } from '../model/world.ts'
import { parseScenario } from '../scenario/parse.ts'
import type { Scenario } from '../scenario/schema.ts'
import { parseMoment } from '../schemas/time.ts'
import { applyActions } from './act.ts'
import type { ActionInput } from './actions/index.ts'
import { check, UnknownError } from './check.ts'
import { countRecords, readTable } from './data.ts'
import type { DataPage, DataQuery } from './data.ts'
import { createFaultControl, toRouteId } from './faults.ts'
import type { FaultControl, RouteNames } from './faults.ts'
import { readState } from './state.ts'
import type { SandboxState } from './state.ts'

/** How to move the clock: on by a duration, to a later instant, or into another mode. */
export const ClockChange = z
  .strictObject({
    advance: z.union([z.string(), z.number()], { error: "it must be a duration such as '2h 1s', or milliseconds" }).optional(),
    set: z.string().optional(),
    mode: z.enum(['frozen', 'running']).optional(),
    rate: z.number().positive().max(1_000_000).optional(),
  })
  .refine(({ advance, set, mode }) => [advance, set, mode].filter((part) => part !== undefined).length === 1, { error: 'it needs exactly one of advance, set and mode' })
  .refine(({ mode, rate }) => rate === undefined || mode === 'running', { error: 'rate goes with the mode running' })
export type ClockChange = z.infer<typeof ClockChange>

/** Which scenario to load: a shipped one by its name, or one written in YAML. */
export const ScenarioChoice = z
  .strictObject({
    name: z.string().optional(),
    yaml: z.string().optional(),
    seed: z.int().optional(),
    now: z.string().refine((text) => parseMoment(text) !== undefined, { error: 'it must be an RFC 3339 instant from 2004 to 2286, such as 2026-10-01T09:00:00Z' }).optional(),
  })
  .refine(({ name, yaml }) => (name === undefined) !== (yaml === undefined), { error: 'it needs either name or yaml' })
export type ScenarioChoice = z.infer<typeof ScenarioChoice>

/** Which requests of the journal to show. */
export interface RequestFilter {
  /** Method and path as the route list has them; `null` for requests that no route answered. */
  route?: string
  status?: number
  account?: number
}

/** A shipped scenario. */
export interface ScenarioSummary {
  name: string
  title: string
  description: string
  seed: number
  now: string
}

/** An isolated world: its id, and its own keys to reach it. */
export interface WorldSummary extends Pick<SandboxState, 'keys' | 'accounts'> {
  id: string
}

/** Everything that a person can do to a sandbox. The HTTP routes under `/_sandbox/` and the methods of the sandbox are faces of it. */
export interface Control {
  /** Scenario, clock, organisations, keys, accounts, and how many records there are. */
  state: () => SandboxState
  /** How many records each table has. */
  tables: () => Record<string, number>
  /** Raw records of a table. */
  data: (table: string, query?: DataQuery) => DataPage
  /** Goes back to the seeded state. */
  reset: () => Promise<void>
  clock: (change: ClockChange) => ClockState
  /** Applies an action, or several in order: all or none. Returns how many. */
  act: (actions: ActionInput | readonly ActionInput[]) => number
  faults: FaultControl
  /** The last requests, newest first. */
  requests: (filter?: RequestFilter) => JournalEntry[]
  /** Empties the journal; returns how many requests it held. */
  clearRequests: () => number
  /** The whole world as JSON. */
  snapshot: () => WorldJson
  /** Goes back to a snapshot. Nothing changes when it is refused. */
  restore: (snapshot: unknown) => Promise<void>
  /** The shipped scenarios. */
  scenarios: () => ScenarioSummary[]
  /** Puts another scenario in place of the present one. */
  loadScenario: (choice: ScenarioChoice) => Promise<void>
  worlds: () => WorldSummary[]
  /** Makes an isolated world with the same data and keys of its own. */
  createWorld: () => WorldSummary
  /** The control of one world. @throws {SandboxError} when there is none of that id. */
  world: (id: string) => Control
  /** @throws {SandboxError} when there is none of that id. */
  removeWorld: (id: string) => void
}

/** What the control works on: a sandbox from within. */
export interface ControlHost {
  world: () => World
  /** The name of the scenario. */
  scenario: () => string
  routes: RouteNames
  reset: () => Promise<void>
  load: (scenario: string | Scenario, start: { seed?: number; now?: string }) => Promise<void>
  restore: (snapshot: WorldJson) => Promise<void>
  worlds: {
    create: () => { id: string; control: Control }
    list: () => { id: string; control: Control }[]
    get: (id: string) => { control: Control } | undefined
    remove: (id: string) => boolean
  }
}

/** Makes the control of a sandbox. */
export function createControl(host: ControlHost): Control {
  const world = () => {
    const current = host.world()
    current.settle()
    return current
  }
  return {
    state: () => readState(world(), host.scenario()),
    tables: () => countRecords(world()),
    data: (table, query = {}) => readTable(world(), table, query),
    reset: () => host.reset(),
    clock: (change) => moveClock(host.world(), change),
    act: (actions) => applyActions(host.world(), actions),
    faults: createFaultControl(() => host.world().faults, host.routes),
    requests: (filter = {}) => filterRequests(host, filter),
    clearRequests() {
      const { journal } = host.world()
      const count = journal.entries().length
      journal.clear()
      return count
    },
    snapshot: () => toJson(world(), host.scenario()),
    async restore(snapshot) {
      await host.restore(parseJson(snapshot))
    },
    scenarios: () => shippedScenarios.map(({ name, title, description, seed, now }) => ({ name, title, description, seed, now })),
    async loadScenario(choice) {
      const { name, yaml, seed, now } = check(ScenarioChoice, choice, { verb: 'load a scenario' })
      await host.load(yaml === undefined ? (name ?? '') : await parseScenario(yaml, 'yaml'), { seed, now })
    },
    worlds: () => host.worlds.list().map(summarise),
    createWorld: () => summarise(host.worlds.create()),
    world(id) {
      const member = host.worlds.get(id)
      if (member === undefined) throw unknownWorld(id)
      return member.control
    },
    removeWorld(id) {
      if (!host.worlds.remove(id)) throw unknownWorld(id)
    },
  }
}

function moveClock({ clock }: World, change: ClockChange): ClockState {
  const { advance, set, mode, rate } = check(ClockChange, change, { verb: 'move the clock' })
  if (advance !== undefined) clock.advance(advance)
  if (set !== undefined) clock.set(set)
  if (mode === 'frozen') clock.freeze()
  if (mode === 'running') clock.run(rate)
  return clock.state()
}

function filterRequests(host: ControlHost, { route, status, account }: RequestFilter): JournalEntry[] {
  const wanted = route === undefined || route === 'null' ? null : toRouteId(route, host.routes, 'read the requests')
  return host
    .world()
    .journal.entries()
    .filter((entry) => (route === undefined || entry.route === wanted) && (status === undefined || entry.status === status) && (account === undefined || entry.account_id === account))
}

function summarise({ id, control }: { id: string; control: Control }): WorldSummary {
  const { keys, accounts } = control.state()
  return { id, keys, accounts }
}

function unknownWorld(id: string): UnknownError {
  return new UnknownError(`Failed to find the world ${JSON.stringify(id.slice(0, 80))}: there is none of that id. GET /_sandbox/worlds lists them.`)
}
