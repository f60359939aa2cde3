import type { z } from 'zod'
import { findNearestWord } from '../lib/nearest-word.ts'
import { getAtPath } from '../lib/plain-json.ts'
import { maxFindings, stopEarly, getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'
import { truncateForMessage, describeValue, SandboxError } from '../errors.ts'

/** Thrown if something does not exist. Over HTTP, it becomes a 404. */
export class NotFoundError extends SandboxError {}

/** Names that appear in the error message. */
interface CheckNames {
  /** Name of the operation, such as `act`. */
  verb: string
  /** Path of the value, such as `actions[1]`. */
  place?: string
}

/** An invalid value. */
interface Problem {
  path: readonly PropertyKey[]
  /** The invalid value. */
  received: unknown
  /** The allowed values, worded as `it must be …`. */
  expected: string
}

/**
 * Validates input from the sandbox's user and fills in defaults.
 *
 * @throws {SandboxError} that names the field, the value and the allowed values
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { verb, place = '' }: CheckNames,
): z.output<Schema> {
  const result = schema.safeParse(value, stopEarly)
  if (result.success) return result.data
  const [problem] = listProblems(result.error, schema, value)
  if (problem === undefined) throw new SandboxError(`Failed to ${verb}: the value is not allowed.`)
  const where = toPath(place, problem.path)
  const fields =
    problem.path.length === 0 && problem.expected === 'it must be of type object'
      ? listAllowedFields(schema, [], {})
      : undefined
  throw new SandboxError(
    `Failed to ${verb} (${where === '' ? '' : `${where}: `}${describeValue(problem.received)}): ` +
      `${problem.expected}${fields === undefined ? '' : ` with fields such as ${fields.slice(0, maxNamedFields).join(', ')}`}.`,
    { field: where || undefined },
  )
}

/** Maximum number of fields that the error for a value of another type names. */
const maxNamedFields = 5

/** Lists up to twelve problems that a schema found in a value. */
export function listProblems(error: z.ZodError, schema: z.ZodType, value: unknown): Problem[] {
  const issues = error.issues
    .slice(0, maxFindings)
    .flatMap(selectLikeliestIssues)
    .slice(0, maxFindings)
  const problems = issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, maxFindings) : []
    const paths =
      issue.code === 'unrecognized_keys' ? keys.map((key) => [...issue.path, key]) : [issue.path]
    const expected = describeExpectation(issue, schema, value)
    // Only the first problem lists the allowed fields, because the list is long.
    return paths.map((path, index) => ({
      path,
      received: getAtPath(value, path),
      expected: index === 0 ? expected : expected.replace(/\. Allowed: .*/, ''),
    }))
  })
  return problems.slice(0, maxFindings)
}

function toPath(place: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number'
        ? `${text}[${key}]`
        : `${text}${text === '' ? '' : '.'}${truncateForMessage(String(key), 80)}`,
    place,
  )
}

/**
 * Replaces a union's issue with more specific issues, if only one member of the union matches the
 * type of the value. For example, `scenario` accepts a name or an object, so an object with a wrong
 * field gets an issue for that field.
 */
function selectLikeliestIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.discriminator !== undefined) return [issue]
  const [fitting, ...others] = issue.errors.filter((issues) => !issues.some(isOfWholeValue))
  if (fitting === undefined || others.length > 0) return [issue]
  return fitting
    .flatMap(selectLikeliestIssues)
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function isOfWholeValue({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

/**
 * Lists the allowed values, and suggests the allowed value that is most similar to the given value.
 */
function suggestNearest(allowed: readonly string[], received: unknown): string {
  const nearest = typeof received === 'string' ? findNearestWord(allowed, received) : undefined
  return `${allowed.join(', ')}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`
}

/** Describes the allowed values as `it must be …`. */
function describeExpectation(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  switch (issue.code) {
    case 'invalid_union':
      if (issue.discriminator !== undefined)
        return (
          `it must be one of ` +
          `${((issue as { options?: unknown[] }).options ?? []).map(String).join(', ')}`
        )
      return issue.message === 'Invalid input'
        ? issue.errors
            .flatMap(([first]) =>
              first === undefined ? [] : describeExpectation(first, schema, value),
            )
            .join(', or ')
        : issue.message
    case 'unrecognized_keys': {
      const allowed = listAllowedFields(schema, issue.path, value)
      const hint = allowed === undefined ? '' : `. Allowed: ${allowed.join(', ') || 'none'}`
      return `there is no such field${hint}`
    }
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message
      return `it must be of type ${issue.expected === 'int' ? 'integer' : issue.expected}`
    case 'invalid_value':
      return `it must be one of ${suggestNearest(issue.values.map(String), getAtPath(value, issue.path))}`
    case 'too_small':
      if (hasUnit(issue.origin))
        return `it must have at least ${issue.minimum} ${units[issue.origin]}`
      return `it must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    case 'too_big':
      if (hasUnit(issue.origin))
        return `it must have at most ${issue.maximum} ${units[issue.origin]}`
      return `it must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    case 'invalid_format':
      if (issue.message === 'Invalid ISO datetime')
        return 'it must be an RFC 3339 time in UTC, such as 2026-10-01T09:00:00.000Z'
      return toSentence(issue.message)
    default:
      return toSentence(issue.message)
  }
}

function toSentence(message: string): string {
  return message.replace(/^(Invalid [\w ]+: )?must/, 'it must')
}

const units = { string: 'characters', array: 'items' } as const

function hasUnit(origin: string): origin is keyof typeof units {
  return origin in units
}

/**
 * Returns the fields that a schema allows in the object at a path within a value, or undefined if
 * any field is allowed.
 */
function listAllowedFields(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): string[] | undefined {
  let innerValue = value
  let innerSchema = unwrapSchema(schema, value)
  for (const key of path) {
    // A schema may accept a single item in place of a list. The path then contains an index,
    // although the value is not a list.
    const isSingleItem = typeof key === 'number' && !Array.isArray(innerValue)
    if (!isSingleItem)
      innerValue = (innerValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const { element, valueType, shape } = getSchemaDefinition(innerSchema)
    const next: z.ZodType | undefined = element ?? valueType ?? shape?.[String(key)]
    innerSchema = next && unwrapSchema(next, innerValue)
  }
  const { shape } = getSchemaDefinition(innerSchema)
  return shape && Object.keys(shape)
}
