import type { Audit } from '../audit/audit.ts'
import { costOf } from '../audit/cost.ts'
import type { Cost } from '../audit/cost.ts'
import { checkInvariants } from '../world/invariant.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type { RouteNames } from '../api/route.ts'
import type { Fault } from '../world/fault.ts'
import type { WorldChangesJson, WorldJson } from '../world/snapshot/snapshot.ts'
import { forCaller, forCallerLater } from '../errors.ts'
import type { ActionInput, ActionType, Chapter, PlayOptions } from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import { namesInvariant } from '../resources/references.ts'
import { allResources } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'
import { applyActions } from './act.ts'
import type { ActionOf, ActionResult, ActionResults, ActionsOf } from './act.ts'
import { findStartOfChanges, readChanges } from './changes.ts'
import type { Changes } from './changes.ts'
import { check } from './check.ts'
import { createFaultControl } from './faults.ts'
import type { FaultControl } from './faults.ts'
import { AuditQuery, ChangesQuery, Since, SnapshotForm } from './inputs.ts'
import type { NamedSnapshots } from './snapshots.ts'

/** The inside of a sandbox, or of one of its isolated worlds, that operations work on. */
export interface OperationHost {
  readonly routeNames: RouteNames
  readonly snapshots: NamedSnapshots
  readonly loaded: { readonly baseName: string }
  /** Returns the world and marks it as used. @throws {SandboxError} once it is closed */
  use: () => World
  /** Returns the world like `use`, after the long operation under way has been finished. */
  useIdle: () => World
  /**
   * Returns the world like `useIdle`, after all effects that are due have run.
   * @throws {SandboxError} before `ready`
   */
  useCurrent: (verb: string) => World
  play: (options: PlayOptions) => Promise<ReplayState>
  seek: (to: string) => ReplayState
  reset: () => Promise<ResetResult>
  takeSnapshot: () => WorldJson
  takeChanges: () => WorldChangesJson
  restore: (snapshot: unknown) => Promise<void>
}

/** The result of a reset. */
export interface ResetResult {
  /** Faults that the reset removed before they fired. */
  unfiredFaults: Fault[]
}

/** The invariants of every world. */
export const invariants = [
  namesInvariant,
  ...allResources.flatMap((resource) => resource.invariants ?? []),
]

/** The operations that a sandbox and its control have in common. */
export abstract class Operations {
  readonly #host: OperationHost
  /** Adds, lists and removes faults. */
  readonly faults: FaultControl

  constructor(host: OperationHost) {
    this.#host = host
    this.faults = createFaultControl(() => host.useIdle(), host.routeNames)
  }

  /**
   * Applies an action, or several in order. If one fails, none is applied. Returns what each made
   * or changed; for an array, an array. Await `ready` first.
   *
   * @throws {SandboxError} that names the field, the value and what is allowed, or says that the
   * sandbox is not ready.
   * @example
   * const { ids, happened } = sandbox.act({ type: 'tip', account_id: 101, amount: 20 })
   * sandbox.db.transactions.get(ids.transaction) // the payment of the tip
   */
  act<Type extends ActionType>(action: ActionOf<Type>): ActionResult<Type>
  act<const Types extends readonly ActionType[]>(actions: ActionsOf<Types>): ActionResults<Types>
  act(actions: ActionInput | readonly ActionInput[]): ActionResult | ActionResult[]
  act(actions: ActionInput | readonly ActionInput[]): ActionResult | readonly ActionResult[] {
    return forCaller(this.act, () => {
      const world = this.#host.useIdle()
      world.requireSeeded('act')
      const { recorder } = world
      const apply = () => applyActions(world, actions, { routes: this.#host.routeNames })
      const results = recorder === undefined ? apply() : recorder.actions([actions].flat(), apply)
      return Array.isArray(actions) ? results : (results[0] as ActionResult)
    })
  }

  /**
   * Checks that the records are consistent. Returns each invariant with the first ten records that
   * break it. It reads all records and changes none. Await `ready` first.
   *
   * @example
   * expect(sandbox.check()).toMatchObject({ holds: true })
   */
  check(): WorldCheck {
    return forCaller(this.check, () =>
      checkInvariants(this.#host.useCurrent('check the records'), invariants),
    )
  }

  /**
   * Audits what clients sent since the last `checkpoint`: their mistakes, what these cost, and the
   * cases that they never met. A correct client gets no findings.
   *
   * @example
   * expect((await sandbox.audit()).findings).toEqual([])
   */
  audit(query: AuditQuery = {}): Promise<Audit> {
    return forCallerLater(this.audit, async () => {
      const checked = check(AuditQuery, query, { verb: 'audit' })
      const { auditJournal } = await import('../audit/audit.ts')
      return auditJournal(this.#host.use().journal, checked, this.#limitsOf)
    })
  }

  /**
   * Adds up what clients spent since the last `checkpoint`: credits, requests, bytes and pages, in
   * total and by route.
   *
   * @example
   * expect(sandbox.cost()).toMatchSnapshot()
   */
  cost(query: Since = {}): Cost {
    return forCaller(this.cost, () =>
      costOf(
        this.#host.use().journal,
        check(Since, query, { verb: 'add up the cost' }),
        this.#limitsOf,
      ),
    )
  }

  /**
   * Lets `changes` start from the present records, and `audit`, `cost`, `received` and
   * `assertSettled` after the last request. Returns its id. A reset removes the checkpoint, and an
   * emptied journal its request.
   */
  checkpoint(): number {
    const world = this.#host.use()
    if (world.isSeeded) world.checkpoint = world.snapshot()
    world.journal.checkpoint = world.journal.lastId
    return world.journal.lastId
  }

  /**
   * Lists the records that were added, changed (field by field) and removed since the last
   * `checkpoint`, or since the data were loaded, by table and id. Each has the request or action
   * that did it. `since` names another state: `'load'`, `'request'` for the last request of a
   * client, or a snapshot of `control.keepSnapshot`. Await `ready` first.
   *
   * @example
   * await sandbox.checkpoint()
   * await publish(post)
   * expect(await sandbox.changes()).toMatchSnapshot()
   */
  changes(query: ChangesQuery = {}): Changes {
    return forCaller(this.changes, () => {
      const { since } = check(ChangesQuery, query, { verb: 'list the changes' })
      const world = this.#host.useCurrent('list the changes')
      return readChanges(world, findStartOfChanges(world, since, this.#host))
    })
  }

  /**
   * Plays the story of the scenario: at once, or with `speed` in real time. Resolves when it stops.
   * Without `speed` the story only goes forwards, and a story that has ended stays at its end. With
   * `speed` a story that has ended plays again from its start. Await `ready` first. A story in real
   * time does not keep a process alive.
   *
   * @throws {SandboxError} if an option is not allowed, there is no story, the place is unknown or
   * has passed, or a step failed.
   * @example
   * await sandbox.play({ until: 'First sale' })
   */
  play(options: PlayOptions = {}): Promise<ReplayState> {
    return forCallerLater(this.play, () => this.#host.play(options))
  }

  /**
   * Goes to a place of the story, forwards or back: a chapter, `'2m'` from its start, `'+30s'` from
   * here, or an instant. A seek back drops what was written since. Await `ready` first.
   *
   * @throws {SandboxError} if there is no story, the place is unknown, or a step on the way failed.
   */
  seek(to: Chapter | (string & {})): ReplayState {
    return forCaller(this.seek, () => this.#host.seek(to))
  }

  /**
   * Goes back to the seeded state: data, clock, rate windows, faults, sessions and journal. Returns
   * the faults that it removed before they fired.
   */
  reset(): Promise<ResetResult> {
    return this.#host.reset()
  }

  /**
   * Returns the whole world as JSON, without the journal. With `form: 'changes'` it holds only the
   * changes since the data were loaded, and restores only on the same version, scenario, seed and
   * start.
   * @throws {SandboxError} before `ready`.
   */
  snapshot(options?: { form?: 'whole' }): WorldJson
  snapshot(options: { form: 'changes' }): WorldChangesJson
  snapshot(options: SnapshotForm): WorldJson | WorldChangesJson
  snapshot(options: SnapshotForm = {}): WorldJson | WorldChangesJson {
    return forCaller(this.snapshot, () => {
      const { form } = check(SnapshotForm, options, { verb: 'take a snapshot' })
      return form === 'changes' ? this.#host.takeChanges() : this.#host.takeSnapshot()
    })
  }

  /**
   * Goes back to a snapshot of any scenario and seed. A refused snapshot changes nothing.
   * @throws {SandboxError} that names the table, the id and the field.
   */
  restore(snapshot: unknown): Promise<void> {
    return forCallerLater(this.restore, () => this.#host.restore(snapshot))
  }

  readonly #limitsOf = (organisation: number) =>
    this.#host.use().db.organisations.get(organisation)?.limits
}
