import type { Asked } from '../api/variation-edge.ts'
import type { Random } from '../world/random.ts'
import type { Call } from '../api/route.ts'
import type { VariationName } from '../world/variation-choice.ts'
import type { JsonObject, Shape } from './shape.ts'

/** An answer while it varies: hooks change its body in place. */
export interface Answer {
  status: number
  body: JsonObject
  /** The shape of `data`; undefined where there is none, as in an error. */
  shape: Shape | undefined
}

/** A request that varies. */
export interface Varied extends Asked {
  /** Chance of this variation and this request alone. */
  random: Random
}

/** What a variation does to requests and answers. */
export interface Hooks {
  /**
   * Gives another call for the routes, or undefined where it stays as it is. @throws {ApiError} for
   * what they refuse unseen
   */
  enter?: (asked: Varied) => Call | undefined | Promise<Call | undefined>
  /** Changes an answer. Returns whether it did. `call` is what the routes got. */
  leave?: (answer: Answer, asked: Varied & { call: Call }) => boolean
}

/** What a variation knows of its world. */
export interface Surroundings {
  isAccount: (id: number) => boolean
  /** The longest wait, real ms. */
  delayMs: number
}

/** A way in which answers may differ that the contract allows. */
export interface Variation {
  name: VariationName
  /** What it does, in a sentence. */
  does: string
  /** A client that it breaks, and how that is mended, in a sentence. */
  breaks: string
  /** Where the contract allows it. */
  source: string
  /** Its hooks for one world, with what they remember. */
  open: (surroundings: Surroundings) => Hooks
}

/** Declares a variation. */
export function defineVariation(declared: Variation): Variation {
  return declared
}
