import type { Sandbox } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Context, Route } from '../../src/api/route.ts'
import { readExampleValues } from '../../src/openapi/examples.ts'
import type { ExampleValues } from '../../src/openapi/examples.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const taking = routes.filter(
  ({ query, body, fileLimit }) =>
    fileLimit === undefined && getFields(query).length + getFields(body).length > 0,
)

it.each(taking)('uses all fields that $id accepts', async (route) => {
  const sandbox = await createFreshSandbox('agency')
  const known = readExampleValues(sandbox.control)(route.examplesOf ?? route.group)
  const read = new Set<string>()
  watchFields(route, read)
  const accepted = [
    ...getFields(route.query).map((field) => `query.${field}`),
    ...getFields(route.body).map((field) => `body.${field}`),
  ]
  const unread = () => accepted.filter((field) => !read.has(field))
  let answer = await send(sandbox, route, { known })
  // Some fields require or exclude others, so these are tested separately.
  for (const field of unread()) answer = await send(sandbox, route, { known, alone: field })
  const excused = Object.keys(route.withoutEffect ?? {})
  expect(
    unread()
      .map(toName)
      .filter((field) => !excused.includes(field)),
    `${route.id} accepts these, and its handler never looks at them (last answer: ${answer}). Use them, take them out of its ` +
      `schema, or say in \`withoutEffect\` why they change nothing`,
  ).toEqual([])
  expect(
    excused.filter((field) => !unread().map(toName).includes(field)),
    `${route.id} does look at these: take them out of \`withoutEffect\``,
  ).toEqual([])
})

/** Returns the field names of an object schema. */
function getFields(schema: z.ZodType | null): string[] {
  const inner = schema instanceof z.ZodLazy ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

/** Records which input fields a route's handler reads. */
function watchFields(route: Route, read: Set<string>): void {
  const handle = route.handle.bind(route)
  vi.spyOn(route, 'handle').mockImplementation((context: Context) =>
    handle({
      ...context,
      query: createWatchedInput(context.query, 'query', read),
      body: createWatchedInput(context.body, 'body', read),
    }),
  )
}

function createWatchedInput(input: unknown, place: string, read: Set<string>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return new Proxy(input, {
    get(target, field, receiver) {
      read.add(`${place}.${String(field)}`)
      return Reflect.get(target, field, receiver)
    },
  })
}

function toName(field: string): string {
  return field.replace(/^\w+\./, '')
}

/**
 * Calls the route with all its fields, or with the required fields and one optional field. Returns
 * the result.
 */
async function send(
  sandbox: Sandbox,
  route: Route,
  { known: { address, body }, alone }: { known: ExampleValues; alone?: string },
): Promise<string> {
  const keep = (place: string) => (name: string, isRequired: boolean) =>
    alone === undefined || isRequired || alone === `${place}.${name}`
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(address[name] ?? 1)),
  )
  const query = new URLSearchParams(
    Object.entries(createSamples(route.query, address, keep('query'))).map(([name, value]) => [
      name,
      String(value),
    ]),
  )
  const samples = route.body === null ? undefined : createSamples(route.body, body, keep('body'))
  const answer = await sendAsOwner(sandbox, route.method, `${path}?${query}`, samples)
  return `${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`
}

/**
 * Returns a value for each field of a schema: a known valid value, or otherwise any value of the
 * right type.
 */
function createSamples(
  schema: z.ZodType | null,
  known: Readonly<Record<string, unknown>>,
  keeps: (name: string, isRequired: boolean) => boolean,
): Record<string, unknown> {
  if (schema === null) return {}
  const {
    properties = {},
    required = [],
    ...rest
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  if (rest.type === 'array') return createSample(rest) as Record<string, unknown>
  const kept = Object.entries(properties).filter(([name]) => keeps(name, required.includes(name)))
  return Object.fromEntries(
    kept.map(([name, property]) => [
      name,
      findFittingValue(property as JsonSchema, [known[name], words[name]]) ??
        createSample(property as JsonSchema),
    ]),
  )
}

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Values of fields whose valid values cannot be derived from the schema. */
const words: Readonly<Record<string, unknown>> = {
  timezone: 'Europe/Berlin',
  custom_source_url: 'https://example.com/',
  expires_at: '2026-12-01T00:00:00.000Z',
  expiredAt: '2026-12-01T00:00:00.000Z',
  scheduledDate: '2026-12-01T00:00:00.000Z',
  scheduledTime: '2026-12-01T00:00:00.000Z',
  price: 5,
  label: 'archived',
  exclude_label: 'private_archived',
  marker: '1790000000',
}

/** Returns the first value with the schema's type that its enum allows, if any. */
function findFittingValue(
  { type, enum: values }: JsonSchema,
  candidates: readonly unknown[],
): unknown {
  const ofType = (value: unknown) =>
    type === undefined ||
    (type === 'array'
      ? Array.isArray(value)
      : type === 'integer'
        ? Number.isInteger(value) || /^\d+$/.test(String(value))
        : [type].flat().some((each) => typeof value === each))
  return candidates.find(
    (value) =>
      value !== undefined &&
      ofType(value) &&
      (values === undefined || values.includes(value as never)),
  )
}

function createSample({
  type,
  enum: values,
  anyOf,
  oneOf,
  default: standard,
  minimum,
  items,
  properties,
  required = [],
}: JsonSchema): unknown {
  const [first] = values ?? []
  if (first !== undefined) return first
  const [option] = anyOf ?? oneOf ?? []
  if (option !== undefined) return createSample(option as JsonSchema)
  if (standard !== undefined) return standard
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return items === undefined ? [] : [createSample(items as JsonSchema)]
  if (type === 'object')
    return Object.fromEntries(
      required.map((name) => [name, createSample((properties?.[name] ?? {}) as JsonSchema)]),
    )
  return '2026-09-01'
}
