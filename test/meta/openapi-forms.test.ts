import { expect, it } from 'vitest'
import { createControlOpenApi } from '../../src/openapi/control.ts'
import type { OpenApiDocument } from '../../src/openapi/document.ts'
import { inAddress, inBody } from '../../src/openapi/field-examples.ts'
import { createOpenApi } from '../../src/openapi/openapi.ts'
import type { JsonSchema } from '../../src/openapi/schemas.ts'
import { routes } from '../../src/resources/all-resources.ts'

const baseUrl = 'http://127.0.0.1:4010'
const documents = {
  api: createOpenApi(routes, { baseUrl }),
  control: createControlOpenApi({ baseUrl }) as unknown as OpenApiDocument,
}

/** A schema in a document, with the name of the value that it describes. */
interface Found {
  /** Path of the schema in the document, for error messages. */
  place: string
  name: string
  schema: JsonSchema
  isSent: boolean
  /** True if the schema or one of its parents has an example value. */
  isShown: boolean
}

const found = Object.entries(documents).flatMap(([name, document]) =>
  [...readDocument(document)].map((one) => ({ ...one, place: `${name} ${one.place}` })),
)

it.each(['api', 'control'] as const)('reads the whole %s', (name) => {
  const schemas = found.filter(({ place }) => place.startsWith(name))

  expect(schemas.some(({ isSent }) => isSent)).toBe(true)
  expect(schemas.some(({ isSent }) => !isSent)).toBe(true)
})

it('declares for each integer whether it has 32 or 64 bits, and its maximum', () => {
  const wide = found.filter(
    ({ schema }) => getIs(schema, 'integer') && !isChoice(schema) && !isSized(schema),
  )

  expect(getPlaces(wide)).toEqual([])
})

it('has an example or a format for each string in a request', () => {
  expect(getPlaces(found.filter((one) => one.isSent && isMute(one)))).toEqual([])
})

it('has an example or a format for each time, cursor, id, time zone and page in a response', () => {
  const meant =
    /(?:^|_)(?:id|date|time|at|timezone|page|birthday)$|(?:Id|Date|DateTime|At|Marker|Precise|Code)$/

  expect(
    getPlaces(found.filter((one) => !one.isSent && meant.test(one.name) && isMute(one))),
  ).toEqual([])
})

it('has examples only for fields that exist', () => {
  const names = new Set(found.map(({ name }) => name))

  expect(Object.keys({ ...inAddress, ...inBody }).filter((name) => !names.has(name))).toEqual([])
})

/** True for a string whose format is unknown. */
function isMute({ schema, isShown }: Found): boolean {
  return getIs(schema, 'string') && !isChoice(schema) && schema.format === undefined && !isShown
}

function getIs({ type }: { type?: unknown }, one: string): boolean {
  return Array.isArray(type) ? type.includes(one) : type === one
}

function isChoice({ enum: options, const: only }: JsonSchema): boolean {
  return options !== undefined || only !== undefined
}

function isSized({ maximum, format }: JsonSchema): boolean {
  return (
    maximum !== undefined &&
    maximum <= Number.MAX_SAFE_INTEGER &&
    (maximum < 2 ** 31 || format === 'int64')
  )
}

function getPlaces(some: readonly Found[]): string[] {
  return [...new Set(some.map(({ place, schema }) => `${place}: ${JSON.stringify(schema)}`))]
}

/**
 * Lists all schemas in a document, for parameters, request bodies and responses. A named schema is
 * listed at most once in requests and once in responses.
 */
function* readDocument(document: OpenApiDocument): Generator<Found> {
  const { schemas = {}, parameters = {}, responses: refusals = {} } = document.components
  const seen = new Set<string>()
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const operation of operations) {
    const place = operation.operationId
    for (const parameter of operation.parameters ?? []) {
      const { name, schema, example } =
        '$ref' in parameter ? parameters[getLast(parameter.$ref)]! : parameter
      const isShown = example !== undefined
      yield* read(schema, { place: `${place} ${name}`, name, isSent: true, isShown })
    }
    const sent = { place: `${place} body`, name: '', isSent: true, isShown: false }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      yield* read(schema as JsonSchema, sent)
    for (const [status, response] of Object.entries(operation.responses)) {
      const answer = '$ref' in response ? refusals[getLast(response.$ref)]! : response
      const answered = { place: `${place} ${status}`, name: '', isSent: false, isShown: false }
      for (const [name, { schema }] of Object.entries(answer.headers ?? {}))
        yield* read(schema, { ...answered, place: `${place} ${status} ${name}`, name })
      for (const { schema } of Object.values(answer.content ?? {}))
        yield* read(schema as JsonSchema, answered)
    }
  }

  function* read(schema: JsonSchema, from: Omit<Found, 'schema'>): Generator<Found> {
    if (schema.$ref !== undefined) {
      const name = getLast(schema.$ref)
      const key = `${name} ${from.isSent} ${from.isShown} ${from.name}`
      if (seen.has(key)) return
      seen.add(key)
      const place = `${from.isSent ? 'sent' : 'answered'} ${name}`
      yield* read(schemas[name]!, { ...from, place })
      return
    }
    const here = {
      ...from,
      isShown: from.isShown || schema.examples !== undefined || 'example' in schema,
    }
    yield { ...here, schema }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const place = `${here.place}.${name}`
      yield* read(field as JsonSchema, { ...here, name, place, isShown: false })
    }
    const parts = [
      schema.items,
      schema.additionalProperties,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ]
    for (const part of parts)
      if (typeof part === 'object' && part !== null) yield* read(part as JsonSchema, here)
  }
}

function getLast(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}
