import { z } from 'zod'
import { splitRouteId } from '../../api/route.ts'
import type { MethodAndPath, RouteInfo } from '../../api/route.ts'
import type { Control } from '../control.ts'
import type { ServedWorld } from '../served-world.ts'

/** A control plane route: its path, its input, and the control method that handles it. */
export interface ControlRoute extends Pick<RouteInfo, 'method' | 'path'> {
  /** Method and path under `/_sandbox`. The last two segments may be `:parameters`. */
  id: MethodAndPath
  summary: string
  query: z.ZodType
  /** Null if the route accepts no body. */
  body: z.ZodType | null
  /**
   * True if the body can be omitted.
   * @default false
   */
  isBodyOptional?: boolean
  /** True if the body may be as large as a snapshot. */
  isLarge: boolean
  /** Name of the operation if it may take long. `state` reports it as `busy`. */
  operation?: string
  /**
   * True if the route bypasses the queue, because it only reads the current state or its method
   * itself waits.
   */
  skipsQueue?: boolean
  /**
   * Returns the names of the worlds that the route uses, or undefined for the main world. `world`
   * is the world in the query.
   * @default the world in the query
   */
  uses?: (input: WorldInput) => (string | undefined)[]
  /**
   * Content type and documentation example of a text response. Set for a route that only some
   * servers provide.
   */
  text?: { contentType: string; example: string }
  run: (control: Control, input: ControlInput<never, never>) => unknown
}

/** The parts of a request that may contain world names. */
interface WorldInput {
  id: string
  body: unknown
  world: string | undefined
}

interface ControlInput<Query, Body> {
  /** The path's first parameter, or an empty string. */
  id: string
  /** The path's second parameter, or an empty string. */
  item: string
  query: Query
  body: Body
  /** The world to which `control` belongs. Long operations run on it. */
  served: ServedWorld
}

interface ControlDefinition<Query extends z.ZodType, Body extends z.ZodType> extends Omit<
  ControlRoute,
  'method' | 'path' | 'query' | 'body' | 'isLarge' | 'run'
> {
  query?: Query
  body?: Body
  isLarge?: boolean
  run: (control: Control, input: ControlInput<z.output<Query>, z.output<Body>>) => unknown
}

/** Defines a route of the control plane. */
export function defineControlRoute<
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
>({ query, body, isLarge = false, ...route }: ControlDefinition<Query, Body>): ControlRoute {
  return {
    ...route,
    ...splitRouteId(route.id),
    query: query ?? nothing,
    body: body ?? null,
    isLarge,
  }
}

/** An integer query parameter in a range. */
export function createIntegerSchema(min: number, max: number) {
  return z
    .string({ error: 'it must be sent only once' })
    .max(2_000)
    .refine((given) => /^\d{1,15}$/.test(given) && Number(given) >= min && Number(given) <= max, {
      error: `it must be an integer from ${min} to ${max}`,
    })
    .transform(Number)
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })
}

/** An integer query parameter of at least 0, which may be omitted. */
export const integer = createIntegerSchema(0, Number.MAX_SAFE_INTEGER).optional()

/** A string query parameter, which may be omitted. */
export const text = z.string({ error: 'it must be sent only once' }).max(2_000).optional()

/** A query flag, which may be omitted. */
export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()

const nothing = z.strictObject({})
