import type { SentRequestState } from '../api/variation-service.ts'
import type { Delays } from '../api/inject-fault.ts'
import type { Random } from '../world/random.ts'
import type { Call } from '../api/route.ts'
import { variationNames } from '../world/variation-choice.ts'
import type { VariationName } from '../world/variation-choice.ts'
import { z } from 'zod'

/** A JSON object in a response. */
export type JsonObject = Record<string, unknown>

/** The parts of a JSON Schema that variations use. */
export interface Shape {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  additionalProperties?: Shape | boolean
  items?: Shape
  anyOf?: readonly Shape[]
  allOf?: readonly Shape[]
}

/** Returns the JSON Schema for the output of a zod schema. */
export function toOutputShape(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Shape
}

/**
 * Calls `visit` with each object in a value and the object's shape. Inner objects come first. The
 * shape of a map has no properties.
 */
export function visitObjects(
  shape: Shape | undefined,
  value: unknown,
  visit: (object: JsonObject, shape: Shape) => void,
): void {
  if (typeof value !== 'object' || value === null || shape === undefined) return
  const fitting = findMatchingMember(shape, value)
  if (fitting === undefined) return
  if (Array.isArray(value)) {
    for (const item of value) visitObjects(fitting.items, item, visit)
    return
  }
  const rest =
    typeof fitting.additionalProperties === 'object' ? fitting.additionalProperties : undefined
  for (const [name, inner] of Object.entries(value))
    visitObjects(fitting.properties?.[name] ?? rest, inner, visit)
  visit(value as JsonObject, fitting)
}

/** True if the shape allows null. */
export function isNullable({ type, anyOf }: Shape): boolean {
  return (
    (Array.isArray(type) ? type.includes('null') : type === 'null') ||
    anyOf?.some(isNullable) === true
  )
}

/** Returns the format of a string or nullable string, such as `date-time`. */
export function getFormat({ format, anyOf }: Shape): string | undefined {
  return format ?? anyOf?.map(getFormat).find((found) => found !== undefined)
}

/**
 * Returns the union member that matches a value. For objects, it is the first member whose required
 * fields are all present.
 */
function findMatchingMember(shape: Shape, value: object): Shape | undefined {
  const { anyOf, items, properties, additionalProperties, required = [] } = shape
  if (anyOf !== undefined)
    return anyOf.map((one) => findMatchingMember(one, value)).find((one) => one !== undefined)
  if (Array.isArray(value)) return items === undefined ? undefined : shape
  if (properties === undefined && typeof additionalProperties !== 'object') return undefined
  return required.every((name) => name in value) ? shape : undefined
}

/** A response to vary. Hooks modify the body in place. */
export interface VariableResponse {
  status: number
  body: JsonObject
  /** Shape of `data`. Undefined for responses without data, such as errors. */
  shape: Shape | undefined
}

/** A request to vary. */
export interface Varied extends SentRequestState {
  /** Random source for this variation and request. */
  random: Random
}

/** Functions that change requests and responses. */
export interface VariationHooks {
  /**
   * Returns a changed call for the routes. Undefined means no change.
   * @throws {ApiError} to reject the request before it reaches a route
   */
  varyRequest?: (asked: Varied) => Call | undefined | Promise<Call | undefined>
  /**
   * Changes a response. Returns true if the response was changed. `call` is the call that the route
   * received.
   */
  varyResponse?: (answer: VariableResponse, asked: Varied & { call: Call }) => boolean
}

/** World data that variations need. */
export interface VariationContext {
  isAccount: (id: number) => boolean
  /**
   * Returns the response to a request without variations. Returns undefined if the request would be
   * rejected.
   */
  preview: (call: Call) => JsonObject | undefined
  /** Maximum delay, ms of real time. */
  delayMs: number
  /** The delays in progress in the world. */
  delays: Delays
}

/** A change to responses that the API contract allows. */
export interface Variation {
  name: VariationName
  /** Sentence that describes the effect of the variation. */
  does: string
  /** Sentence that describes a client that fails with this variation. */
  breaks: string
  /** The part of the API contract that allows this variation. */
  source: string
  /**
   * True if the variation uses no random numbers, so that the responses are the same for all seeds.
   */
  isFixed?: boolean
  /** True if all values stay the same, so that a correct client has the same output as usual. */
  keepsValues?: boolean
  /** Creates the hooks for a world. Worlds do not share their state. */
  open: (context: VariationContext) => VariationHooks
}

/** Declares a variation. */
export function defineVariation(declared: Variation): Variation {
  return declared
}

/** The bad days of the service, in the order of docs/variation.md. */
export const badDayNames = [
  'bad-gateway',
  'bad-gateway-twice',
  'throttled',
  'lapsed-session',
  'lost-answer',
  'late-answer',
  'no-credits',
  'dropped-read',
  'hanging-read',
  'html-error',
  'key-revoked',
  'account-disconnected',
] as const
export type BadDayName = (typeof badDayNames)[number]

/** Variations and bad days, in the order in which `survive` runs them. */
export const trialNames = [...variationNames, ...badDayNames] as const
export type TrialName = VariationName | BadDayName
