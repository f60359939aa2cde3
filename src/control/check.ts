import { z } from 'zod'
import { SandboxError } from '../errors.ts'

/** What stands at that place does not exist: 404 over HTTP. */
export class UnknownError extends SandboxError {}

/** How a refusal names what was tried, as in `act`, and where the value stands, as in `actions[1]`. */
export interface CheckNames {
  verb: string
  place?: string
}

/** Checks a value given by a developer and fills in the defaults. @throws {SandboxError} that names the field, the value and what is allowed. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown, { verb, place = '' }: CheckNames): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue === undefined) throw new SandboxError(`Failed to ${verb}: the value is not allowed.`)
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const received = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
  const where = toPath(place, path)
  throw new SandboxError(`Failed to ${verb} (${where === '' ? '' : `${where}: `}${show(received)}): ${expectation(issue, schema)}.`)
}

/** A value as a short text on one line. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function toPath(place: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`), place)
}

/** What is allowed in place of what was refused: `it must be …`. */
export function expectation(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  switch (issue.code) {
    case 'invalid_union':
      return issue.discriminator === undefined ? issue.message : `it must be one of ${((issue as { options?: unknown[] }).options ?? []).map(String).join(', ')}`
    case 'unrecognized_keys':
      return `there is no such field${issue.path.length === 0 ? allowedFields(schema) : ''}`
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message
      return `it must be of type ${issue.expected === 'int' ? 'integer' : issue.expected}`
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `it must ${isSized(issue.origin) ? 'have' : 'be'} at least ${issue.minimum}${isSized(issue.origin) ? ` ${sizes[issue.origin]}` : ''}`
    case 'too_big':
      return `it must ${isSized(issue.origin) ? 'have' : 'be'} at most ${issue.maximum}${isSized(issue.origin) ? ` ${sizes[issue.origin]}` : ''}`
    default:
      return issue.message
  }
}

function allowedFields(schema: z.ZodType): string {
  const object = schema instanceof z.ZodLazy ? schema.unwrap() : schema
  return object instanceof z.ZodObject ? `. Allowed: ${Object.keys(object.shape).join(', ') || 'none'}` : ''
}

const sizes = { string: 'characters', array: 'items' } as const

function isSized(origin: string): origin is keyof typeof sizes {
  return origin in sizes
}
