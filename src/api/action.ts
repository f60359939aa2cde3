import { z } from 'zod'
import { createInputError } from '../errors.ts'
import type { SandboxError } from '../errors.ts'
import type { ActionIds } from '../world/action-log.ts'
import { isWholeCents } from '../lib/money.ts'
import type { RouteNames } from './route.ts'
import type { Account } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'

/**
 * The result of an action: the ids of the changed records, and a description that does not end with
 * a full stop.
 */
export interface ActionOutcome<Ids extends ActionIds = ActionIds> {
  happened: string
  ids: Ids
}

/**
 * A named change to the world. Declares a schema for the action's fields and a function that
 * applies the change.
 */
export interface Action<
  W = never,
  Type extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Ids extends ActionIds = ActionIds,
> {
  type: Type
  /** Description of the action in one line. */
  summary: string
  /** The fields of the action, without `type`. */
  schema: Schema
  /** Performs the action. */
  effect: (world: W, input: z.output<Schema>, context: ActionContext) => ActionOutcome<Ids>
}

/** The context that an action receives when it runs. */
export interface ActionContext {
  /**
   * Routes of the API, for validating route names.
   * @default route names are not validated
   */
  routes?: RouteNames
}

/**
 * Creates a function that declares actions on worlds of type `W`. TypeScript infers the input type
 * of each action from its schema.
 */
export function createActionDefiner<W>() {
  return <const Type extends string, Schema extends z.ZodLazy<z.ZodObject>, Ids extends ActionIds>(
    action: Action<W, Type, Schema, Ids>,
  ): Action<W, Type, Schema, Ids> => action
}

/** An optional account field. */
export const accountId = z
  .union([z.int(), z.string().min(1).max(100)])
  .optional()
  .describe(
    'The id or username of an account. Disconnected accounts are also accepted. ' +
      'Required if the world has more than one account.',
  )

/** An optional organisation field. */
export const organisationId = z
  .int()
  .optional()
  .describe('The id of an organisation. Default: all organisations.')

/** An amount in dollars, with at most two decimals. */
export function createDollarsSchema(min: number, max: number) {
  return z.number().min(min).max(max).refine(isWholeCents, {
    error: 'it must be an amount in dollars with at most two decimals, such as 12.5',
  })
}

/**
 * Updates an account and returns it.
 * @throws {SandboxError} if no account has that id or username
 */
export function updateAccount(world: World, name: AccountName, changes: Partial<Account>): Account {
  return world.db.accounts.update(requireAccount(world, name).id, changes)
}

/** The account field of an action. */
export type AccountName = z.output<typeof accountId>

/**
 * Finds an account by id or username, even if it is not connected. Without an id or username,
 * returns the only account.
 * @throws {SandboxError} if there is no such account
 */
export function requireAccount({ db }: World, name: AccountName): Account {
  const some = db.accounts.slice(0, 11)
  if (name === undefined) {
    const [only, ...others] = some
    if (only !== undefined && others.length === 0) return only
    throw createInputError(
      { account_id: 'missing' },
      `and there are several accounts. ${listExamples(some)}.`,
    )
  }
  const account =
    typeof name === 'number'
      ? db.accounts.get(name)
      : db.accounts.in('byUsername', name.toLowerCase()).at(0)
  if (account === undefined)
    throw createUnknownIdError(
      { field: 'account_id', id: JSON.stringify(name), thing: 'account' },
      some,
    )
  return account
}

/** Creates the error for an unknown id. The message lists up to ten ids of `existing`. */
export function createUnknownIdError(
  { field, id, thing }: { field: string; id: number | string; thing: string },
  existing: readonly { id: number | string }[],
): SandboxError {
  const examples = listExamples(existing)
  return createInputError({ [field]: id }, `but there is no such ${thing}. ${examples}.`)
}

function listExamples(existing: readonly { id: number | string }[]): string {
  const ids = existing.slice(0, 10).map(({ id }) => id)
  if (ids.length === 0) return 'There are none'
  return (
    `There ${ids.length === 1 ? 'is' : 'are'} ` +
    `${ids.join(', ')}${existing.length > ids.length ? ', …' : ''}`
  )
}

/**
 * Returns the given organisation id in a list, or the ids of all organisations if no id is given.
 * @throws {SandboxError} if no organisation has that id
 */
export function resolveOrganisationIds(world: World, id: number | undefined): readonly number[] {
  const ids = world.db.organisations.all().map((organisation) => organisation.id)
  if (id === undefined) return ids
  if (!ids.includes(id))
    throw createInputError(
      { organisation: id },
      `but there is no such organisation. There are ${ids.join(', ')}.`,
    )
  return [id]
}
