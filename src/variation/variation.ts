import type { SentRequestState } from '../api/variator.ts'
import type { Random } from '../world/random.ts'
import type { Call } from '../api/route.ts'
import type { VariationName } from '../world/variation-choice.ts'
import type { JsonObject, Shape } from './shape.ts'

/** An answer under variation. Hooks change its body in place. */
export interface Answer {
  status: number
  body: JsonObject
  /** The shape of `data`. Undefined without data, as in an error. */
  shape: Shape | undefined
}

/** A request under variation. */
export interface Varied extends SentRequestState {
  /** Random numbers of this variation and request only. */
  random: Random
}

/** Changes to requests and answers. */
export interface Hooks {
  /**
   * Returns another call for the routes, or undefined to keep it.
   *
   * @throws {ApiError} to refuse the request before the routes see it
   */
  enter?: (asked: Varied) => Call | undefined | Promise<Call | undefined>
  /** Changes an answer. Returns true if it did. `call` is the call that the routes received. */
  leave?: (answer: Answer, asked: Varied & { call: Call }) => boolean
}

/** The world of a variation. */
export interface Surroundings {
  isAccount: (id: number) => boolean
  /** The answer to a call without variation. Undefined if it is refused. */
  preview: (call: Call) => JsonObject | undefined
  /** Maximum wait, real ms. */
  delayMs: number
}

/** A way in which answers may differ by the contract. */
export interface Variation {
  name: VariationName
  /** Its effect, in a sentence. */
  does: string
  /** A kind of client that fails under it, in a sentence. */
  breaks: string
  /** The part of the contract that allows it. */
  source: string
  /** Creates the hooks for one world, with their own state. */
  open: (surroundings: Surroundings) => Hooks
}

/** Declares a variation. */
export function defineVariation(declared: Variation): Variation {
  return declared
}
