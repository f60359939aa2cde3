import type { z } from 'zod'
import type { ParameterPlace } from '../errors.ts'
import { stopEarly } from '../lib/schema-parts.ts'

type Issue = z.core.$ZodIssue

/** A value that a schema rejected. */
interface RejectedValue {
  schema: z.ZodType
  /** The whole value, even if only part of it is invalid. */
  value: unknown
  /** The part of the request that contains the value. */
  place: ParameterPlace
}

/**
 * Describes the values that a schema allows, as the end of a sentence such as `it must be an
 * integer`. If the schema defines a custom message, that message is used.
 */
export function describeExpectedValues(
  issue: Issue,
  received: unknown,
  refused: RejectedValue,
): string {
  if (refused.place === 'Query parameter') {
    if (Array.isArray(received)) return 'it must be sent only once'
    // For a missing parameter, zod reports only that a string is missing. Validating an empty
    // string shows which strings are allowed.
    const issueOfEmpty = received === undefined ? findIssueForSample(issue, '', refused) : undefined
    return describeIssue(issueOfEmpty ?? issue)
  }
  const expectation = describeIssue(issue, findIssueForSample(issue, 0.5, refused))
  const allowsNull =
    refused.place === 'Body field' &&
    received !== null &&
    findIssueForSample(issue, null, refused) === undefined
  if (!allowsNull || expectation.includes('null')) return expectation
  return `${expectation}, or ${expectation.startsWith('it must be ') ? '' : 'be '}null`
}

/**
 * Replaces the rejected part of the value with `sample` and returns the issue that the schema then
 * reports. Returns undefined if the schema accepts the sample.
 */
function findIssueForSample(
  { path }: Issue,
  sample: unknown,
  { schema, value }: RejectedValue,
): Issue | undefined {
  const issues = schema.safeParse(replaceAt(value, path, sample), stopEarly).error?.issues ?? []
  return issues.find(
    (other) =>
      other.path.length === path.length && other.path.every((key, index) => key === path[index]),
  )
}

function replaceAt(value: unknown, path: readonly PropertyKey[], sample: unknown): unknown {
  const [key] = path
  if (key === undefined) return sample
  const rest = path.slice(1)
  if (Array.isArray(value))
    return value.with(Number(key), replaceAt(value[Number(key)], rest, sample))
  const object = value as Readonly<Record<PropertyKey, unknown>>
  // Inherits from the object and overrides one field, because copying a large object is slow.
  return Object.create(object, {
    [key]: { value: replaceAt(object[key], rest, sample), enumerable: true },
  })
}

/**
 * Describes an issue. `issueOfHalf` is the issue that the schema reports for the value 0.5. It is
 * needed to distinguish integers from other numbers, because zod expects a `number` in both cases.
 */
function describeIssue(issue: Issue, issueOfHalf?: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${addArticle(expectsInteger(issueOfHalf) ? 'integer' : (typeNames[issue.expected] ?? issue.expected))}`
    case 'invalid_value':
      return `it must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return describeUnion(
        issue.errors,
        issueOfHalf?.code === 'invalid_union' ? issueOfHalf.errors : [],
      )
    case 'too_small':
      return describeBound(
        issue.origin,
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
      )
    case 'too_big':
      return describeBound(
        issue.origin,
        issue.inclusive === false ? 'less than' : 'at most',
        issue.maximum,
      )
    default:
      return issue.message
  }
}

/** Describes the values that a union type allows, such as `it must be a string or an integer`. */
function describeUnion(
  members: readonly (readonly Issue[])[],
  membersOfHalf: readonly (readonly Issue[])[],
): string {
  const expectations = members.flatMap(([issue], index) =>
    issue === undefined
      ? []
      : describeIssue(issue, membersOfHalf[index]?.[0]).replace(/^it must be /, ''),
  )
  return `it must be ${[...new Set(expectations)].join(' or ')}`
}

function expectsInteger(issueOfHalf: Issue | undefined): boolean {
  return issueOfHalf?.code === 'invalid_type' && issueOfHalf.expected === 'int'
}

const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' }

/** Describes a limit, such as `it must have at least 1 item` or `it must be at most 100`. */
function describeBound(origin: string, comparison: string, bound: number | bigint): string {
  return (
    `it must ${isSized(origin) ? 'have' : 'be'} ${comparison} ` +
    `${bound}${formatUnit(origin, Number(bound))}`
  )
}

function addArticle(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function isSized(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}

function formatUnit(origin: string, amount: number): string {
  if (origin === 'string') return amount === 1 ? ' character' : ' characters'
  if (origin === 'array') return amount === 1 ? ' item' : ' items'
  return ''
}
