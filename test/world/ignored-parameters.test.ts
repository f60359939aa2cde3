import { expect, it } from 'vitest'
import { z } from 'zod'
import { listIgnoredParameters, listKnownKeys } from '../../src/world/journal/request-facts.ts'
import { routes } from '../../src/resources/all-resources.ts'

interface Shape {
  type?: string
  properties?: Readonly<Record<string, Shape>>
  items?: Shape
  anyOf?: readonly Shape[]
}

const shapeOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape

/** Returns a value that has every key of the shape at all levels. */
function fill(shape: Shape): unknown {
  const inner = shape.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? shape
  if (inner.properties !== undefined)
    return Object.fromEntries(
      Object.entries(inner.properties).map(([name, property]) => [name, fill(property)]),
    )
  return inner.type === 'array' ? [fill(inner.items ?? {})] : 'x'
}

it.each(routes.map((route) => [route.id, route] as const))(
  'accepts exactly the parameters of %s',
  (_, route) => {
    const body =
      route.body === null || route.fileLimit !== undefined ? null : fill(shapeOf(route.body))
    const query = new URLSearchParams(
      Object.keys(shapeOf(route.query).properties ?? {}).map((name) => [name, 'x']),
    )
    expect(listIgnoredParameters(route, `/?${query.toString()}`, body)).toEqual([])
    if (listKnownKeys(route.query) !== undefined)
      expect(listIgnoredParameters(route, '/?no_such_parameter=1', null)).toEqual([
        { in: 'query', name: 'no_such_parameter' },
      ])
    if (body !== null && !Array.isArray(body))
      expect(listIgnoredParameters(route, '/', { ...(body as object), noSuchKey: 1 })).toEqual([
        { in: 'body', name: 'noSuchKey' },
      ])
  },
)
