import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import { isWholeCents } from './money.ts'
import type { RouteNames } from './route.ts'
import type { Account } from './tenancy/tenancy.table.ts'
import type { World } from './world.ts'

/** A named change of the world: the schema of its fields and its effect. */
export interface Action<W = never, Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  type: Type
  /** One line: what the action does. */
  summary: string
  /** The fields of the action besides `type`. */
  schema: Schema
  /** Applies the action, and returns a line without a full stop that says what happened. */
  effect: (world: W, input: z.output<Schema>, context: ActionContext) => string
}

/** What the effect of an action receives besides the world and its input. */
export interface ActionContext {
  /** The routes of the API. Without them, the name of a route is not checked. */
  routes?: RouteNames
}

/** Makes the function that declares actions over worlds of type `W`. The schema types the effect, which receives checked input. */
export function actionsOver<W>() {
  return <const Type extends string, Schema extends z.ZodLazy<z.ZodObject>>(action: Action<W, Type, Schema>): Action<W, Type, Schema> =>
    action
}

/** The field that names an account. */
export const accountId = z.int().describe('The id of an account, connected or not.')

/** The field that names an organisation. */
export const organisationId = z.int().optional().describe('The id of an organisation. Absent: every one.')

/** A field of dollars in whole cents. */
export function dollars(min: number, max: number) {
  return z.number().min(min).max(max).refine(isWholeCents, { error: 'it must be dollars in whole cents, such as 12.5' })
}

/** Changes an account and returns it. @throws {SandboxError} when there is none of that id. */
export function updateAccount(world: World, id: number, changes: Partial<Account>): Account {
  requireAccount(world, id)
  return world.db.accounts.update(id, changes)
}

/** Finds an account by its id, connected or not. @throws {SandboxError} when there is none, or no data yet. */
export function requireAccount(world: World, id: number): Account {
  assertSeeded(world)
  const account = world.db.accounts.get(id)
  if (account === undefined) throw unknown({ field: 'account_id', id, thing: 'account' }, world.db.accounts.slice(0, 11))
  return account
}

/** Makes the error of an unknown id. It lists up to ten ids of `existing`, which may hold more. */
export function unknown(
  { field, id, thing }: { field: string; id: number | string; thing: string },
  existing: readonly { id: number | string }[],
): SandboxError {
  return new SandboxError(`${field} is ${id}, but there is no such ${thing}. ${listExamples(existing)}.`)
}

function listExamples(existing: readonly { id: number | string }[]): string {
  const ids = existing.slice(0, 10).map(({ id }) => id)
  if (ids.length === 0) return 'There is none at all'
  return `There ${ids.length === 1 ? 'is' : 'are'} ${ids.join(', ')}${existing.length > ids.length ? ', …' : ''}`
}

/** The id of one organisation as a list, or the ids of all. @throws {SandboxError} when there is none of that id, or no data yet. */
export function organisationsNamed(world: World, id: number | undefined): readonly number[] {
  assertSeeded(world)
  const ids = world.db.organisations.all().map((organisation) => organisation.id)
  if (id === undefined) return ids
  if (!ids.includes(id)) throw new SandboxError(`organisation is ${id}, but there is no such organisation. There are ${ids.join(', ')}.`)
  return [id]
}

function assertSeeded({ isSeeded }: World): void {
  if (!isSeeded) throw new SandboxError('the data of the sandbox are still to come, and would undo this. Await sandbox.ready first.')
}
