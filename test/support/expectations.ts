import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { z } from 'zod'

/** Number of characters to show on each side of a difference. */
const around = 60

/** Fails if the strings differ, showing only the first difference. */
export function expectSameText(actual: string, expected: string, name: string): void {
  const difference = findFirstDifference(actual, expected)
  if (difference !== undefined) throw new Error(`${name}: ${difference}`)
}

/**
 * Returns the first difference between two strings and the text that follows it, or undefined
 * if the strings are equal.
 */
export function findFirstDifference(actual: string, expected: string): string | undefined {
  if (actual === expected) return undefined
  let at = 0
  while (at < Math.min(actual.length, expected.length) && actual[at] === expected[at]) at += 1
  const line = actual.slice(0, at).split('\n').length
  return `it differs in line ${line}, at character ${at}. It is\n  ${excerpt(actual, at)}\nbut should be\n  ${excerpt(expected, at)}`
}

/**
 * Parses data with a schema.
 *
 * @throws an error with one line per invalid field
 */
export function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  name: string,
): z.output<Schema> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const lines = result.error.issues
    .slice(0, 8)
    .map(({ path, message }) => `  ${path.map(String).join('.') || 'all of it'}: ${message}`)
  throw new Error(`${name} does not fit its schema:\n${lines.join('\n')}`)
}

/**
 * Fails unless parsing the data with the schema returns the same data, without unknown keys.
 * `expect` is ten times slower, so it is called only to show a difference.
 */
export function expectUnchangedByParsing(schema: z.ZodType, data: unknown, name: string): void {
  const parsed = parseAs(schema, data, name)
  if (!isDeepStrictEqual(parsed, data))
    expect(parsed, `${name} has what its schema does not name`).toEqual(data)
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - around, text.lastIndexOf('\n', at - 1) + 1)
  const end = text.indexOf('\n', at)
  const part = text.slice(start, Math.min(at + around, end === -1 ? text.length : end))
  return part === '' ? '(nothing more)' : part
}
