import type { z } from 'zod'
import { apiError, invalidParameter } from '../../errors.ts'
import type { ParameterPlace } from '../../errors.ts'
import { readAt } from '../read-at.ts'
import type { Call, Route } from '../route.ts'
import { expectationOf } from './expectation.ts'

/** What a route's schemas made of the request. */
export interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/** Steps 8 and 9: the size of the body, its form, and every parameter against the route's schema. @throws {ApiError} body_too_large, body_not_json, parameter_invalid */
export function validate(
  call: Call,
  route: Route,
  { params, rawQuery, bodyLimit }: { params: Readonly<Record<string, string>>; rawQuery: string; bodyLimit: number },
): Input {
  const limit = route.fileLimit ?? bodyLimit
  const bytes = route.fileLimit === undefined ? undefined : readBytes(call)
  const isTooLarge = bytes === undefined ? call.body !== null && isLonger(call.body, limit) : bytes.length > limit
  if (call.isBodyTooLarge === true || isTooLarge) throw apiError('body_too_large', { limit })
  const body = route.body === null ? undefined : (bytes ?? check(route.body, readJson(call), 'Body field'))
  return {
    params: check(route.params, params, 'Path parameter'),
    query: check(route.query, readQuery(rawQuery), 'Query parameter'),
    body,
  }
}

function isLonger(text: string, limitBytes: number): boolean {
  if (text.length * 3 <= limitBytes) return false
  return text.length > limitBytes || new TextEncoder().encode(text).length > limitBytes
}

function readBytes({ bytes, body }: Call): Uint8Array {
  return bytes ?? new TextEncoder().encode(body ?? '')
}

function readJson(call: Call): unknown {
  const contentType = call.header('content-type')
  if (contentType === null) throw apiError('body_not_json', { problem: 'there is no Content-Type' })
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw apiError('body_not_json', { problem: `the Content-Type is ${JSON.stringify(contentType.slice(0, 80))}` })
  try {
    return JSON.parse(call.body ?? '')
  } catch {
    throw apiError('body_not_json', { problem: call.body ? 'the body is not well-formed' : 'the body is empty' })
  }
}

/** The parameters by name; one that was sent more than once is an array, which no schema takes by accident. */
function readQuery(rawQuery: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  if (rawQuery === '') return query
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const earlier = query[name]
    // Added to, not copied: thousands of them fit into one address.
    if (Array.isArray(earlier)) earlier.push(value)
    else query[name] = earlier === undefined ? value : [earlier, value]
  }
  return query
}

function check(schema: z.ZodType, value: unknown, place: ParameterPlace): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first, second] = result.error.issues
  // Past the safe integers zod tells that first, and then of the limit that counts.
  const issue =
    first?.code === 'too_big' && first.origin === 'int' && second?.code === 'too_big' && second.path.join() === first.path.join()
      ? second
      : first
  const path = issue?.path ?? []
  const received = readAt(value, path)
  throw invalidParameter(
    place,
    path.join('.') || 'body',
    received,
    issue === undefined ? 'it is not allowed' : expectationOf(issue, received, { schema, value, place }),
  )
}
