import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import type { World } from '../model/world.ts'

/** A verb that changes the world: its fields, and what it does. */
export interface Action<Type extends string = string, Schema extends z.ZodType = z.ZodType> {
  type: Type
  /** One line: what it does. */
  summary: string
  /** Its fields besides `type`. */
  schema: Schema
  effect: (world: World, input: z.output<Schema>) => void
}

/** Declares an action. Its effect is typed by its schema and gets checked input. */
export function defineAction<const Type extends string, Schema extends z.ZodObject>(action: Action<Type, Schema>): Action<Type, Schema> {
  return action
}

/** The field that names an account. */
export const accountId = z.int().describe('The id of an account, connected or not.')

/** The field that names an organisation. */
export const organisationId = z.int().optional().describe('The id of an organisation. Absent: every one.')

/** Changes an account. @throws {SandboxError} when there is none of that id. */
export function updateAccount(world: World, id: number, changes: Parameters<World['db']['accounts']['update']>[1]): void {
  requireAccount(world, id)
  world.db.accounts.update(id, changes)
}

/** @throws {SandboxError} when there is no account of that id. */
export function requireAccount(world: World, id: number): void {
  if (world.db.accounts.get(id) !== undefined) return
  const ids = world.db.accounts.slice(0, 10).map((account) => account.id)
  throw new SandboxError(`account_id is ${id}, but there is no such account. There are ${ids.join(', ')}${world.db.accounts.size > ids.length ? ', …' : ''}.`)
}

/** The organisation of that id, or all of them. @throws {SandboxError} when there is none of that id. */
export function organisationsNamed(world: World, id: number | undefined): readonly number[] {
  const ids = world.db.organisations.all().map((organisation) => organisation.id)
  if (id === undefined) return ids
  if (!ids.includes(id)) throw new SandboxError(`organisation is ${id}, but there is no such organisation. There are ${ids.join(', ')}.`)
  return [id]
}
