import type { z } from 'zod'
import { apiError, invalidParameter } from '../errors.ts'
import type { ParameterPlace } from '../errors.ts'
import type { Call, Route } from '../route.ts'

/** What a route's schemas made of the request. */
export interface Input {
  params: unknown
  query: unknown
  body: unknown
}

/** Steps 8 and 9: the size of the body, its form, and every parameter against the route's schema. @throws {ApiError} body_too_large, body_not_json, parameter_invalid */
export function validate(call: Call, route: Route, { params, rawQuery, bodyLimit }: { params: Readonly<Record<string, string>>; rawQuery: string; bodyLimit: number }): Input {
  const limit = route.fileLimit ?? bodyLimit
  const bytes = route.fileLimit === undefined ? undefined : readBytes(call)
  const isTooLarge = bytes === undefined ? call.body !== null && isLonger(call.body, limit) : bytes.length > limit
  if (call.isBodyTooLarge === true || isTooLarge) throw apiError('body_too_large', { limit })
  const body = route.body === null ? undefined : (bytes ?? check(route.body, readJson(call), 'Body field'))
  return {
    params: check(route.params, decode(params), 'Path parameter'),
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
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw apiError('body_not_json', { problem: `the Content-Type is ${JSON.stringify(contentType.slice(0, 80))}` })
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
    query[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return query
}

function decode(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeSegment(value)]))
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // malformed percent-encoding names nothing: the schema refuses it as it stands
  }
}

function check(schema: z.ZodType, value: unknown, place: ParameterPlace): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue?.path ?? []
  const received = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
  throw invalidParameter(place, path.join('.') || 'body', received, issue === undefined ? 'it is not allowed' : expectation(issue, received, place))
}

/** What an issue says is allowed, as the end of a sentence. Schemas that say it themselves use custom issues. */
function expectation(issue: z.core.$ZodIssue, received: unknown, place: ParameterPlace): string {
  if (place === 'Query parameter' && Array.isArray(received)) return 'it must be given once'
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${article(typeNames[issue.expected] ?? issue.expected)}`
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `it must ${issue.origin === 'string' || issue.origin === 'array' ? 'have at least' : 'be at least'} ${issue.minimum}${unit(issue.origin, Number(issue.minimum))}`
    case 'too_big':
      return `it must ${issue.origin === 'string' || issue.origin === 'array' ? 'have at most' : 'be at most'} ${issue.maximum}${unit(issue.origin, Number(issue.maximum))}`
    default:
      return issue.message
  }
}

const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' }

function article(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function unit(origin: string, amount: number): string {
  if (origin === 'string') return amount === 1 ? ' character' : ' characters'
  if (origin === 'array') return amount === 1 ? ' item' : ' items'
  return ''
}
