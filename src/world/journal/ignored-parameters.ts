import type { z } from 'zod'
import { getSchemaDefinition, unwrapSchema } from '../../lib/schema-parts.ts'
import { parseQuery, splitUrl } from '../../lib/url.ts'

/** A request parameter that has no effect, because the route does not define it. */
export interface IgnoredParameter {
  in: 'query' | 'body'
  /** Name of the parameter. For a key in a body, the path, such as `rows.0.colour`. */
  name: string
}

/** The part of a route that is needed for finding ignored parameters. */
export interface ParameterSchemas {
  query: z.ZodType
  /** Null if the route does not accept a body. */
  body: z.ZodType | null
  fileLimit?: number
}

/** Maximum number of parameters to list. */
const maxIgnored = 20

/** Lists the first parameters of a request that the route does not define. `json` is its body. */
export function listIgnoredParameters(
  { query, body: schema, fileLimit }: ParameterSchemas,
  url: string,
  json: unknown,
): IgnoredParameter[] {
  const { rawQuery } = splitUrl(url)
  const ignored: IgnoredParameter[] = []
  const list = (place: IgnoredParameter['in'], keys: Iterable<string>) => {
    for (const name of keys) {
      if (ignored.length >= maxIgnored) return
      ignored.push({ in: place, name })
    }
  }
  if (rawQuery !== '') list('query', findUnknownKeys(query, parseQuery(rawQuery)))
  if (fileLimit === undefined) list('body', findUnknownKeys(schema, json))
  return ignored
}

/** Returns the top-level keys of a schema. Undefined if it accepts any key. */
export function listKnownKeys(
  schema: z.ZodType | null,
  value: unknown = {},
): readonly string[] | undefined {
  if (schema === null) return []
  const { shape, catchall } = getSchemaDefinition(unwrapSchema(schema, value))
  return shape === undefined ||
    (catchall !== undefined && getSchemaDefinition(catchall).type !== 'never')
    ? undefined
    : Object.keys(shape)
}

function* findUnknownKeys(
  schema: z.ZodType | null,
  value: unknown,
  path = '',
): Generator<string, void> {
  if (typeof value !== 'object' || value === null) return
  const inner = schema === null ? undefined : unwrapSchema(schema, value)
  const { shape, element } = getSchemaDefinition(inner)
  if (Array.isArray(value)) {
    if (element === undefined) return
    for (const [index, item] of value.entries())
      if (typeof item === 'object') yield* findUnknownKeys(element, item, `${path}${index}.`)
    return
  }
  const known = listKnownKeys(schema, value)
  if (known === undefined) return
  for (const [name, part] of Object.entries(value)) {
    const next = shape?.[name]
    if (!known.includes(name)) yield `${path}${name}`
    else if (next !== undefined) yield* findUnknownKeys(next, part, `${path}${name}.`)
  }
}
