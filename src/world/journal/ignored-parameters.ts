import type { z } from 'zod'
import { getSchemaDefinition, unwrapSchema } from '../../lib/schema-parts.ts'
import { parseJsonBody } from '../../lib/parse-json-body.ts'
import { parseQuery, splitUrl } from '../../lib/url.ts'

/** A request parameter that has no effect, because the route does not define it. */
export interface IgnoredParameter {
  in: 'query' | 'body'
  /** Name of the parameter. For a key in a body, the path, such as `rows.0.colour`. */
  name: string
}

/** The part of a route that is needed for finding ignored parameters. */
interface ParameterSchemas {
  query: z.ZodType
  /** Null if the route does not accept a body. */
  body: z.ZodType | null
  fileLimit?: number
}

/** Maximum number of parameters to list. */
const maxIgnored = 20

/** Lists the parameters of a request that the route does not define. */
export function listIgnoredParameters(
  { query, body: schema, fileLimit }: ParameterSchemas,
  url: string,
  body: string | null,
): IgnoredParameter[] {
  const { rawQuery } = splitUrl(url)
  const inQuery = rawQuery === '' ? [] : listUnknownKeys(query, parseQuery(rawQuery))
  const inBody =
    body === null || fileLimit !== undefined ? [] : listUnknownKeys(schema, parseJsonBody(body))
  return [
    ...inQuery.map((name) => ({ in: 'query', name }) as const),
    ...inBody.map((name) => ({ in: 'body', name }) as const),
  ].slice(0, maxIgnored)
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

function listUnknownKeys(schema: z.ZodType | null, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = schema === null ? undefined : unwrapSchema(schema, value)
  const { shape, element } = getSchemaDefinition(inner)
  if (Array.isArray(value))
    return element === undefined
      ? []
      : value.flatMap((item, index) => listUnknownKeys(element, item, `${path}${index}.`))
  const known = listKnownKeys(schema, value)
  if (known === undefined) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (!known.includes(name)) return [`${path}${name}`]
    const next = shape?.[name]
    return next === undefined ? [] : listUnknownKeys(next, part, `${path}${name}.`)
  })
}
