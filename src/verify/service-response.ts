import { ErrorBody, Meta } from '../api/envelope.ts'
import { z } from 'zod'
import type { Route } from '../api/route.ts'
import { compareShapeWithSchema } from './compare-shape.ts'
import type { Finding, Comparison, ExpectedCache } from './compare-shape.ts'
import { addToShape, createEmptyShape } from './shape.ts'
import type { ShapeOptions, Shape } from './shape.ts'
import { isObject } from '../lib/plain-json.ts'

/** A response of the service. */
export interface ServiceResponse {
  status: number
  contentType: string | null
  /** The body as parsed JSON, or undefined if it is not JSON. */
  json: unknown
}

/** True if the status is from 200 to 299. */
export function isSuccess({ status }: ServiceResponse): boolean {
  return status >= 200 && status < 300
}

/**
 * Returns the data of a successful response: the content of its envelope, or the whole response
 * without an envelope.
 */
export function getResponseData(route: Pick<Route, 'accessChecks'>, json: unknown): unknown {
  return route.accessChecks === 'none' ? json : isObject(json) ? json['data'] : undefined
}

/** True if the response links to a next page. */
export function hasNextPage(json: unknown): boolean {
  const page = isObject(json) ? json['_pagination'] : undefined
  return isObject(page) && page['next_page'] !== null && page['next_page'] !== undefined
}

/**
 * Returns the differences in a successful response outside its data, which an overlay cannot
 * express.
 */
export function compareEnvelope(
  route: Route,
  { status, contentType, json }: ServiceResponse,
): Finding[] {
  const found: string[] = []
  if (contentType === null || !/^application\/json\b/i.test(contentType))
    found.push('has a Content-Type other than application/json')
  if (route.accessChecks !== 'none') {
    if (!isObject(json) || !('data' in json))
      return [...found, 'has no envelope with data'].map(toFinding)
    const { findings } = compareShapeWithSchema(
      z.object({ _meta: Meta }),
      addToShape(createEmptyShape(), { _meta: json['_meta'] }),
    )
    for (const { path = '$', text } of findings.filter(({ names }) => names.length === 0))
      found.push(`envelope: ${path.replace('$.', '')} ${text}`)
    found.push(...comparePagination(route, json))
  }
  const expected = route.status ?? 200
  const other =
    status === expected ? [] : [{ text: `answers ${status}, not ${expected}`, status, names: [] }]
  return [...other, ...found.map(toFinding)]
}

function comparePagination(
  { pagination }: Route,
  json: Readonly<Record<string, unknown>>,
): string[] {
  const page = json['_pagination']
  if (page === undefined || page === null) return []
  const next = isObject(page) ? page['next_page'] : undefined
  if (pagination === undefined) return ['has _pagination']
  if (next === null || next === undefined)
    return pagination.last === 'null' ? [] : ['also has _pagination on the last page']
  const form =
    typeof next !== 'string'
      ? 'not a string'
      : /^\d+$/.test(next)
        ? 'bare'
        : next.startsWith('/')
          ? 'address'
          : 'an absolute URL'
  return form === pagination.next
    ? []
    : [
        'next_page is ' +
          `${form === 'bare' ? 'a bare offset' : form === 'address' ? 'a relative URL' : form}`,
      ]
}

/** Returns the differences between an error response and the format that all errors share. */
export function compareError({ status, contentType, json }: ServiceResponse): Finding[] {
  if (json === undefined)
    return [
      toFinding(
        `its ${status} is ${/html/i.test(contentType ?? '') ? 'HTML' : 'another type'}, not JSON`,
      ),
    ]
  const { findings } = compareShapeWithSchema(ErrorBody, addToShape(createEmptyShape(), json))
  return findings.map(({ path = '$', text, names }) => ({
    text: `its ${status}: ${path} ${text}`,
    names,
  }))
}

function toFinding(text: string): Finding {
  return { text, names: [] }
}

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
