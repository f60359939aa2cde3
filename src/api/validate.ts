import type { z } from 'zod'
import { createApiError, truncateForMessage, createInvalidParameterError } from '../errors.ts'
import type { ParameterPlace } from '../errors.ts'
import { getAtPath } from '../lib/plain-json.ts'
import { nothing } from './route.ts'
import type { Call, Match, Route } from './route.ts'
import { deepFreeze } from '../data/rows.ts'
import { countBytes, toChunks } from '../lib/chunks.ts'
import { parseUntilFirstError } from '../lib/schema-parts.ts'
import { parseQuery } from '../lib/url.ts'
import { describeExpectedValues } from './expected-values.ts'
import { findJsonBodyProblem } from './json-body.ts'

/** The validated and converted input of a route. */
export interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/**
 * Steps 8 and 9: checks the size and format of the body, then validates all parameters.
 * @throws {ApiError} body_too_large, body_encoded, body_not_json, parameter_invalid
 */
export function validateRequest(
  call: Call,
  route: Route,
  {
    params,
    rawQuery,
    bodyLimit,
    defaults,
  }: { params: Match['params']; rawQuery: string; bodyLimit: number; defaults: EmptyQueryCache },
): Input {
  const body = readBody(call, route, bodyLimit)
  return {
    params:
      route.params === nothing
        ? noParameters
        : checkAgainstSchema(route.params, params, 'Path parameter'),
    query:
      rawQuery === ''
        ? defaults.get(route.query)
        : checkAgainstSchema(route.query, parseQuery(rawQuery), 'Query parameter'),
    body,
  }
}

const noParameters = Object.freeze({})

/** Caches each schema's result for an empty query, because it never changes. */
export class EmptyQueryCache {
  readonly #known = new Map<z.ZodType, unknown>()

  /** @throws {ApiError} parameter_invalid if the schema has a required parameter */
  get(schema: z.ZodType): unknown {
    if (!this.#known.has(schema))
      this.#known.set(
        schema,
        deepFreeze(checkAgainstSchema(schema, parseQuery(''), 'Query parameter')),
      )
    return this.#known.get(schema)
  }
}

/**
 * Returns the bytes of an uploaded file in chunks, or validates a JSON body. Returns undefined if
 * the route accepts no body.
 */
function readBody(call: Call, { body: schema, fileLimit }: Route, bodyLimit: number): unknown {
  const limit = fileLimit ?? bodyLimit
  const file = fileLimit === undefined ? undefined : toChunks(call.bytes ?? call.body)
  const isTooLarge =
    file === undefined
      ? call.body !== null && exceedsBytes(call.body, limit)
      : countBytes(file) > limit
  if (call.isBodyTooLarge === true || isTooLarge) throw createApiError('body_too_large', { limit })
  if (schema === null) return undefined
  const encoding = call.header('content-encoding')?.trim() ?? ''
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw createApiError('body_encoded', { encoding: truncateForMessage(encoding, 80) })
  return file ?? checkAgainstSchema(schema, readJson(call), 'Body field')
}

/**
 * True if a string exceeds the limit in bytes. A character has at most 3 bytes in UTF-8, so short
 * strings do not have to be encoded.
 */
function exceedsBytes(text: string, limitBytes: number): boolean {
  if (text.length * 3 <= limitBytes) return false
  return text.length > limitBytes || new TextEncoder().encode(text).length > limitBytes
}

function readJson(call: Call): unknown {
  const problem = findJsonBodyProblem(call)
  if (problem !== undefined) throw createApiError('body_not_json', { problem })
  try {
    return JSON.parse(call.body ?? '')
  } catch {
    throw createApiError('body_not_json', {
      problem: call.body ? 'the body is not well-formed' : 'the body is empty',
    })
  }
}

function checkAgainstSchema(schema: z.ZodType, value: unknown, place: ParameterPlace): unknown {
  const result = parseUntilFirstError(schema, value)
  if (result.success) return result.data
  const issue = selectIssue(result.error.issues)
  const path = issue?.path ?? []
  const received = getAtPath(value, path)
  const expected =
    issue === undefined
      ? 'it is not allowed'
      : describeExpectedValues(issue, received, { schema, value, place })
  throw createInvalidParameterError(place, path.join('.') || 'body', received, expected)
}

/**
 * Selects the issue to report. For an unsafe integer, zod first reports the safe range and then the
 * schema's own maximum, which is more useful to the client.
 */
function selectIssue([first, second]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const isSafeIntegerBound = first?.code === 'too_big' && first.origin === 'int'
  const hasOwnBound = second?.code === 'too_big' && second.path.join() === first?.path.join()
  return isSafeIntegerBound && hasOwnBound ? second : first
}
