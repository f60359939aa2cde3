import { isObject, getOwnProperty } from '../lib/plain-json.ts'
import type { z } from 'zod'
import type { PlainRequest, Route } from '../api/route.ts'
import { getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'
import { parseQuery, splitUrl } from '../lib/url.ts'
import { getSandboxFormat, convertToFormat, convertToType } from './convert.ts'
import type { Change, ChangeTree } from './format.ts'

/** Changes to the requests of a route. */
interface RequestTrees {
  query: ChangeTree | undefined
  body: ChangeTree | undefined
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Creates a function that converts requests from the service's form to the form of `route`.
 * Recordings need it, because stories are played without an overlay.
 */
export function createRequestConverter(
  route: Route,
  { query, body }: RequestTrees,
): NonNullable<Route['toPlain']> {
  return (sent: PlainRequest) => {
    const { rawQuery } = splitUrl(sent.url)
    const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(sent.params[name] ?? ''),
    )
    const search = query === undefined ? rawQuery : toPlainQuery(rawQuery, query, route.query)
    const plain = {
      ...sent,
      method: route.method,
      url: search === '' ? path : `${path}?${search}`,
      body:
        body === undefined || sent.body === null || route.body === null
          ? sent.body
          : toPlainBody(sent.body, body, route.body),
    }
    return route.toPlain === undefined ? plain : route.toPlain(plain)
  }
}

function toPlainQuery(rawQuery: string, tree: ChangeTree, schema: z.ZodType): string {
  const fields = Object.entries(toPlainFields(parseQuery(rawQuery), tree, schema))
  return new URLSearchParams(
    fields.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  ).toString()
}

function toPlainBody(body: string, tree: ChangeTree, schema: z.ZodType): string {
  try {
    return JSON.stringify(toPlainValue(JSON.parse(body), tree, schema))
  } catch {
    return body // Not JSON: refused with and without an overlay.
  }
}

function toPlainValue(sent: unknown, tree: ChangeTree, schema: z.ZodType | undefined): unknown {
  const { change, inside } = tree
  const value =
    change?.wrap !== undefined && isObject(sent) ? getOwnProperty(sent, change.wrap) : sent
  if (value === null && change?.value !== undefined) return change.value
  const known = change === undefined ? value : convertSentValue(value, change, schema)
  const plain = schema === undefined ? undefined : unwrapSchema(schema, known)
  const each = inside.get('[*]')
  if (Array.isArray(known))
    return each === undefined
      ? known
      : known.map((entry) => toPlainValue(entry, each, getSchemaDefinition(plain).element))
  return isObject(known) && inside.size > 0 ? toPlainFields(known, tree, plain) : known
}

function toPlainFields(sent: Fields, tree: ChangeTree, schema: z.ZodType | undefined): Fields {
  const shape =
    schema === undefined ? undefined : getSchemaDefinition(unwrapSchema(schema, sent)).shape
  const known = new Map<string, unknown>()
  for (const [sentName, value] of Object.entries(sent)) {
    const renamed = [...tree.inside].find(([, { change }]) => change?.rename === sentName)
    const [name, below] = renamed ?? [sentName, tree.inside.get(sentName) ?? tree.inside.get('*')]
    // Skips names that the service does not know.
    if (
      below?.change?.add !== undefined ||
      below?.change?.remove === true ||
      (renamed === undefined && below?.change?.rename !== undefined)
    )
      continue
    known.set(
      name,
      below === undefined ? value : toPlainValue(value, below, getOwnProperty(shape, name)),
    )
  }
  for (const [name, { change }] of tree.inside) {
    const standIn =
      change?.default ??
      (change?.remove === true || change?.optional === true ? change.value : undefined)
    if (!known.has(name) && standIn !== undefined) known.set(name, standIn)
  }
  return Object.fromEntries(known)
}

function convertSentValue(
  value: unknown,
  { format, type, maximum }: Change,
  schema: z.ZodType | undefined,
): unknown {
  const formed = format === undefined ? value : convertToFormat(value, getSandboxFormat(format))
  const types = (['string', 'integer', 'number', 'boolean'] as const).map((each) =>
    convertToType(formed, each),
  )
  const typed =
    type === undefined
      ? formed
      : (types.find((each) => schema?.safeParse(each).success === true) ?? formed)
  return maximum !== undefined && Number(typed) > maximum ? maximum : typed
}
