import { z } from 'zod'
import type { Route } from '../../src/api/route.ts'

const mebibyte = 1_048_576
/** JSON values with a size of almost 1 MiB, and a deeply nested JSON value. */
export const largeValues: readonly string[] = [
  JSON.stringify('x'.repeat(mebibyte - 1_000)),
  JSON.stringify(Array.from({ length: 200_000 }, () => 'x')),
  JSON.stringify(Array.from({ length: 400_000 }, () => 1)),
  JSON.stringify(
    Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`field${index}`, 1])),
  ),
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
]

/**
 * Yields variants of a body: one for each of its first fields, with a large value in that field,
 * and one in which the whole body is a large value.
 */
export function* generateLargeBodies(
  { body }: Pick<Route, 'body'>,
  maxFields = Infinity,
): Generator<string> {
  const schema = body instanceof z.ZodLazy ? (body.unwrap() as z.ZodType) : body
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const [text = '', texts = '', numbers = '', object = '', deep = ''] = largeValues
  yield texts
  for (const field of fields.slice(0, maxFields))
    for (const value of [text, texts, numbers]) yield `{${JSON.stringify(field)}:${value}}`
  yield `{${JSON.stringify(fields[0] ?? 'x')}:${object}}`
  yield `{${JSON.stringify(fields[0] ?? 'x')}:${deep}}`
}
