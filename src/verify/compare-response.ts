import type { Route } from '../api/route.ts'
import { compareShapeWithSchema } from './compare-shape.ts'
import type { Comparison, Finding, ExpectedCache } from './compare-shape.ts'
import { compareEnvelope, getResponseData } from './service-response.ts'
import type { ServiceResponse } from './service-response.ts'
import { addToShape, createEmptyShape } from './shape.ts'
import type { ShapeOptions, Shape } from './shape.ts'

/** Compares a successful response with its route's declaration. */
export function compareResponse(
  route: Route,
  answered: ServiceResponse,
  { look, readings }: { look: ShapeOptions; readings: ExpectedCache },
): Comparison {
  const shape = addToShape(createEmptyShape(), getResponseData(route, answered.json), look)
  return compareMergedShape(route, shape, { around: compareEnvelope(route, answered), readings })
}

/** Compares the merged structure of several successful responses with the route's declaration. */
export function compareMergedShape(
  route: Route,
  shape: Shape,
  { around, readings }: { around: readonly Finding[]; readings: ExpectedCache },
): Comparison {
  if (route.data === null) return { findings: [...around], notSeen: [] }
  const { findings, notSeen } = compareShapeWithSchema(route.data, shape, readings)
  return { findings: [...around, ...findings, ...compareOrder(route, shape)], notSeen }
}

/** Checks that a list is sorted newest first if the route declares that order. */
function compareOrder({ newestFirst: time }: Route, shape: Shape): Finding[] {
  if (time === undefined) return []
  const unsorted = findLists(shape, '$').find(
    ({ list }) => list.entries?.fields.has(time) === true && list.newestFirst?.has(time) === false,
  )
  return unsorted === undefined
    ? []
    : [{ path: unsorted.path, text: 'is not sorted newest first', names: [] }]
}

/**
 * Returns the lists in a response: the response itself if it is a list, or its fields that are
 * lists.
 */
function findLists(shape: Shape, path: string): { list: Shape; path: string }[] {
  if (shape.types.has('array')) return [{ list: shape, path }]
  return [...shape.fields]
    .flatMap(([name, field]) =>
      field.types.has('array') ? [{ list: field, path: `${path}.${name}` }] : [],
    )
    .slice(0, 1)
}
