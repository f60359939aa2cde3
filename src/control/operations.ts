import type { Audit } from '../audit/audit.ts'
import { computeCost } from '../audit/cost.ts'
import type { Cost } from '../audit/cost.ts'
import { checkInvariants } from '../world/invariant.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type { WorldChangesJson, WorldJson } from '../world/snapshot/snapshot.ts'
import { runWithTrimmedStack, runWithTrimmedStackAsync } from '../errors.ts'
import type { ActionInput, ActionType, Chapter, PlayOptions } from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import { namesInvariant } from '../resources/references.ts'
import { allResources } from '../resources/all-resources.ts'
import { applyActions } from './apply-actions.ts'
import type { TypedAction, ActionResult, ActionResults, TypedActions } from './apply-actions.ts'
import { findComparisonBase, readChanges } from './list-changes.ts'
import type { Changes } from './list-changes.ts'
import { checkInput } from '../api/check-input.ts'
import { createFaultControl } from './fault-control.ts'
import type { FaultControl } from './fault-control.ts'
import { AuditQuery, ChangesQuery, Since, SnapshotForm } from './inputs.ts'
import type { ControlHost, ResetResult } from './control-host.ts'

/** Invariants that every world must satisfy. */
export const invariants = [
  namesInvariant,
  ...allResources.flatMap((resource) => resource.invariants ?? []),
]

/** Operations shared by a sandbox and its control. */
export abstract class Operations {
  readonly #host: ControlHost
  /** Adds, lists and removes faults. */
  readonly faults: FaultControl

  constructor(host: ControlHost) {
    this.#host = host
    this.faults = createFaultControl(() => host.useIdle(), host.routeNames)
  }

  /**
   * Applies one action, or several in order as a transaction: if one fails, all are rolled back.
   * Returns the ids of the records that the action created or changed, as an array for an array of
   * actions. Await `ready` first.
   *
   * @throws {SandboxError} that names the field, the value and the allowed values, or if the
   * sandbox is not ready
   * @example
   * const { ids, happened } = sandbox.act({ type: 'tip', account_id: 101, amount: 20 })
   * sandbox.db.transactions.get(ids.transaction) // the payment of the tip
   */
  act<Type extends ActionType>(action: TypedAction<Type>): ActionResult<Type>
  act<const Types extends readonly ActionType[]>(actions: TypedActions<Types>): ActionResults<Types>
  act(actions: ActionInput | readonly ActionInput[]): ActionResult | ActionResult[]
  act(actions: ActionInput | readonly ActionInput[]): ActionResult | readonly ActionResult[] {
    return runWithTrimmedStack(this.act, () => {
      const world = this.#host.useIdle('act')
      world.requireSeeded('act')
      const apply = (onAction?: (action: object) => void) =>
        applyActions(world, actions, { routes: this.#host.routeNames, onAction })
      const results = world.recorder?.actions(apply) ?? apply()
      return Array.isArray(actions) ? results : (results[0] as ActionResult)
    })
  }

  /**
   * Checks that the records are consistent. Returns up to ten violations of each rule. This reads
   * all records but does not change them. Await `ready` first.
   *
   * @example
   * expect(sandbox.check()).toMatchObject({ holds: true })
   */
  check(): WorldCheck {
    return runWithTrimmedStack(this.check, () =>
      checkInvariants(this.#host.useCurrent('check the records'), invariants),
    )
  }

  /**
   * Audits client requests since the last `checkpoint`: mistakes, costs, and situations that the
   * clients did not encounter. A correct client gets no findings.
   *
   * @example
   * expect((await sandbox.audit()).findings).toEqual([])
   */
  audit(query: AuditQuery = {}): Promise<Audit> {
    return runWithTrimmedStackAsync(this.audit, async () => {
      const checked = checkInput(AuditQuery, query, { verb: 'audit' })
      const { auditJournal } = await import('../audit/audit.ts')
      const work = auditJournal(this.#host.use().journal, checked, this.#limitsOf)
      return this.#host.queue.slice(work)
    })
  }

  /**
   * Adds up the cost of requests since the last `checkpoint`: credits, requests, bytes and pages,
   * in total and by route.
   *
   * @example
   * expect(sandbox.cost()).toMatchSnapshot()
   */
  cost(query: Since = {}): Cost {
    return runWithTrimmedStack(this.cost, () =>
      computeCost(
        this.#host.use().journal,
        checkInput(Since, query, { verb: 'add up the cost' }),
        this.#limitsOf,
      ),
    )
  }

  /**
   * Sets a checkpoint: `changes` then compares with the current records, and `audit`, `cost`,
   * `received` and `assertSettled` include only later requests. Returns the id of the last request.
   * A reset removes the checkpoint. Clearing the journal removes only the request id from the
   * checkpoint.
   */
  checkpoint(): number {
    const world = this.#host.use()
    if (world.isSeeded) world.checkpoint = world.snapshot()
    world.journal.checkpoint = world.journal.lastId
    return world.journal.lastId
  }

  /**
   * Returns the records that were added, changed (with the changed fields) or removed since the
   * last `checkpoint`, or since the data was loaded, by table and id. Each record has the request
   * or action that caused its change. `since` selects another state: `'load'`, `'request'` for the
   * last request of a client, a snapshot saved with `control.keepSnapshot`, or a sandbox time such
   * as `'2026-10-01T09:30:00Z'`. Await `ready` first.
   *
   * @example
   * await sandbox.checkpoint()
   * await publish(post)
   * expect(await sandbox.changes()).toMatchSnapshot()
   */
  changes(query: ChangesQuery = {}): Changes {
    return runWithTrimmedStack(this.changes, () => {
      const { since } = checkInput(ChangesQuery, query, { verb: 'list the changes' })
      const world = this.#host.useCurrent('list the changes')
      return readChanges(world, findComparisonBase(world, since, this.#host))
    })
  }

  /**
   * Plays the scenario's story: without delays, or in real time if `speed` is given. Resolves when
   * the story stops. Without `speed`, the story only moves forwards and does not restart after its
   * end. With `speed`, a story that has ended starts again. Await `ready` first. A story in real
   * time does not keep the process alive.
   *
   * @throws {SandboxError} if an option is invalid, there is no story, the target is unknown or in
   * the past, or a step failed
   * @example
   * await sandbox.play({ until: 'First sale' })
   */
  play(options: PlayOptions = {}): Promise<ReplayState> {
    return runWithTrimmedStackAsync(this.play, () => this.#host.play(options))
  }

  /**
   * Moves the story forwards or back: to a chapter, `'2m'` after its start, `'+30s'` from here, or
   * an RFC 3339 time. Going back drops all changes made after that time. Await `ready` first.
   *
   * @throws {SandboxError} if there is no story, the target is unknown, or a step failed.
   */
  seek(to: Chapter | (string & {})): ReplayState {
    return runWithTrimmedStack(this.seek, () => this.#host.seek(to))
  }

  /**
   * Restores the seeded state: data, clock, rate windows, faults, sessions and journal. Returns the
   * removed faults that no request had triggered. If the sandbox is ready, the state is restored
   * before this method returns its promise. Requests that were sent before get their responses
   * from a copy of the seeded state.
   */
  reset(): Promise<ResetResult> {
    return runWithTrimmedStackAsync(this.reset, () => this.#host.reset())
  }

  /**
   * Returns the whole world as JSON, without the journal. With `form: 'changes'`, the result
   * contains only the changes since the data was loaded, and can only be restored with the same
   * version, scenario, seed and start.
   * @throws {SandboxError} before `ready`.
   */
  snapshot(options?: { form?: 'whole' }): WorldJson
  snapshot(options: { form: 'changes' }): WorldChangesJson
  snapshot(options: SnapshotForm): WorldJson | WorldChangesJson
  snapshot(options: SnapshotForm = {}): WorldJson | WorldChangesJson {
    return runWithTrimmedStack(this.snapshot, () => {
      const { form } = checkInput(SnapshotForm, options, { verb: 'take a snapshot' })
      return form === 'changes' ? this.#host.takeChanges() : this.#host.takeSnapshot()
    })
  }

  /**
   * Restores a snapshot of any scenario and seed. An invalid snapshot leaves the world unchanged.
   * @throws {SandboxError} that names the table, the id and the field.
   */
  restore(snapshot: unknown): Promise<void> {
    return runWithTrimmedStackAsync(this.restore, () => this.#host.restore(snapshot))
  }

  readonly #limitsOf = (organisation: number) =>
    this.#host.use().db.organisations.get(organisation)?.limits
}
