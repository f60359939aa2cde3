import type { SentRequestState } from '../api/variator.ts'
import type { Random } from '../world/random.ts'
import type { Call } from '../api/route.ts'
import type { VariationName } from '../world/variation-choice.ts'
import type { JsonObject, Shape } from './output-shape.ts'

/** A response to vary. Hooks change its body in place. */
export interface VariableResponse {
  status: number
  body: JsonObject
  /** The shape of `data`. Undefined for responses without data, such as errors. */
  shape: Shape | undefined
}

/** A request to vary. */
export interface Varied extends SentRequestState {
  /** Random numbers for this variation and request. */
  random: Random
}

/** Functions that change requests and responses. */
export interface VariationHooks {
  /**
   * Returns a changed call for the routes. Undefined means no change.
   *
   * @throws {ApiError} to reject the request before it reaches a route
   */
  enter?: (asked: Varied) => Call | undefined | Promise<Call | undefined>
  /**
   * Changes a response. Returns true if it was changed. `call` is the call that the route received.
   */
  leave?: (answer: VariableResponse, asked: Varied & { call: Call }) => boolean
}

/** Data that variations need from their world. */
export interface VariationContext {
  isAccount: (id: number) => boolean
  /** Returns the response to a request without variations. Undefined if the request is rejected. */
  preview: (call: Call) => JsonObject | undefined
  /** Maximum delay, in ms of real time. */
  delayMs: number
}

/** A difference between responses that the contract allows. */
export interface Variation {
  name: VariationName
  /** Its effect, in a sentence. */
  does: string
  /** A kind of client that fails with it, in a sentence. */
  breaks: string
  /** The part of the contract that allows it. */
  source: string
  /** True if it uses no random numbers, so the responses are the same for all seeds. */
  isFixed?: boolean
  /** Creates the hooks for one world. Their state is not shared with other worlds. */
  open: (context: VariationContext) => VariationHooks
}

/** Declares a variation. */
export function defineVariation(declared: Variation): Variation {
  return declared
}
