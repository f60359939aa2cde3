import { z } from 'zod'
import type { Action, ActionContext } from '../api/action.ts'
import type { Cause } from '../data/change-log.ts'
import { ApiError, SandboxError } from '../errors.ts'
import type { Actions } from '../generated/inputs.ts'
import type { World } from '../resources/world.ts'
import type { ActionIds, DoneAction } from '../world/action-log.ts'
import { actions } from '../actions/all-actions.ts'
import type { ActionType, ResultIds } from '../actions/all-actions.ts'
import { checkInput } from '../api/check-input.ts'

/** Maximum number of actions per call. */
const maxActions = 1000

// The map loses the type of each input. The cast is safe, because each effect receives input that
// its own schema has validated.
const byType: ReadonlyMap<string, Action<World>> = new Map(
  actions.map((action) => [action.type, action as unknown as Action<World>]),
)
const typed = z.looseObject({ type: z.enum(actions.map(({ type }) => type)) })

/** The result of an action. */
export interface ActionResult<Type extends ActionType = ActionType> {
  type: Type
  /**
   * Ids of the records that the action created or changed, such as `{ account: 101, fan: 2001,
   * transaction: '7001' }`.
   */
  ids: ResultIds<Type>
  /** Describes the result on one line, without a full stop. */
  happened: string
}

/** The action type with the given name. */
export type TypedAction<Type extends ActionType> = { readonly type: Type } & Actions[Type]

/** The action types with the given names, in order. */
export type TypedActions<Types extends readonly ActionType[]> = {
  readonly [Place in keyof Types]: TypedAction<Types[Place]>
}

/** The results of the actions with the given names, in order. */
export type ActionResults<Types extends readonly ActionType[]> = {
  -readonly [Place in keyof Types]: ActionResult<Types[Place]>
}

/** The context of actions, and a listener that is called before each action is applied. */
interface ApplyContext extends ActionContext {
  onAction?: ((action: object) => void) | undefined
}

/**
 * Applies one action, or several in order as a transaction: if one fails, all are rolled back.
 * Returns the results in order.
 *
 * @throws {SandboxError} with a message that names the action, the field, the value and the allowed
 * values
 */
export function applyActions(
  world: World,
  input: unknown,
  { onAction, ...context }: ApplyContext = {},
): readonly ActionResult[] {
  const list = Array.isArray(input) ? input : [input]
  if (list.length > maxActions)
    throw new SandboxError(
      `Failed to act (${list.length} actions): at most ${maxActions} are allowed in one call.`,
    )
  const steps = list.map((item: unknown, index) =>
    prepare(item, Array.isArray(input) ? `actions[${index}]` : ''),
  )
  world.runDueEffects()
  world.requireRoom('act')
  const by = world.changeLog.cause.by === 'story' ? 'story' : 'action'
  // Sets the ids and texts of the causes after all actions have run. The change log refers to the
  // same objects.
  const causes = steps.map((): Cause => ({ by, id: null, text: '' }))
  return world.attempt(() => {
    const results = steps.map((step, place) => {
      onAction?.(list[place] as object)
      return world.changeLog.runWithCause(causes[place] as Cause, () => step(world, context))
    })
    for (const [place, { type, happened, ids }] of results.entries()) {
      world.actionLog.record({
        at: world.clock.iso(),
        story_ms: world.timeline.elapsed(world),
        type,
        text: happened,
        ids,
        ...findPayment(world, ids),
      })
      Object.assign(causes[place] as Cause, { id: world.actionLog.lastId, text: happened })
    }
    return results
  })
}

/** Returns the payment whose id an action returned. */
function findPayment(world: World, ids: ActionIds): Pick<DoneAction, 'payment'> {
  const { transaction } = ids
  if (typeof transaction !== 'string') return {}
  const {
    amount = null,
    vat_amount: tax,
    fee,
    net = 0,
  } = world.db.transactions.get(transaction) ?? {}
  return amount === null ? {} : { payment: { amount, tax: tax ?? 0, fee: fee ?? 0, net } }
}

function prepare(
  item: unknown,
  place: string,
): (world: World, context: ActionContext) => ActionResult {
  const { type, ...fields } = checkInput(typed, item, { verb: 'act', place })
  const action = byType.get(type) as Action<World>
  const input = checkInput(action.schema, fields, { verb: `apply ${type}`, place })
  return (world, context) => {
    try {
      const { happened, ids } = action.effect(world, input, context)
      return { type, ids, happened } as ActionResult
    } catch (error) {
      // Also converts an ApiError, which an action throws if it calls API code that fails.
      if (!(error instanceof SandboxError || error instanceof ApiError)) throw error
      const field = 'field' in error ? error.field : undefined
      throw new SandboxError(
        `Failed to apply ${type}${place === '' ? '' : ` (${place})`}: ${error.message}`,
        { cause: error, field: field && [place, field].filter(Boolean).join('.') },
      )
    }
  }
}

/** Description of an action, from which the console creates a form. */
export interface ActionDescription {
  type: string
  summary: string
  /** JSON Schema of the fields, without `type`. */
  schema: Record<string, unknown>
}

/** Describes every action. */
export function describeActions(): ActionDescription[] {
  return actions.map(({ type, summary, schema }) => ({
    type,
    summary,
    schema: z.toJSONSchema(schema as z.ZodType, { io: 'input' }),
  }))
}
