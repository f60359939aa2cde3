import type { z } from 'zod'
import { getAtPath } from '../lib/get-at-path.ts'
import { stopEarly } from '../lib/parse-until-error.ts'
import { parseDuration, toIsoTime } from '../lib/time.ts'

/** Maximum number of relative times in a request body. */
const maxTimes = 100

/**
 * Replaces relative times in a request body (`+2h`, `-3d` and `now`) with absolute times, relative
 * to `now`, epoch ms. Replaces only strings that the schema rejects, so the text of a message never
 * changes.
 */
export function resolveRelativeTimes(body: unknown, schema: z.ZodType, now: number): unknown {
  let filled = body
  for (let count = 0; count < maxTimes; count += 1) {
    const result = schema.safeParse(filled, stopEarly)
    const path = result.error?.issues[0]?.path ?? []
    const instant = path.length === 0 ? undefined : readRelative(getAtPath(filled, path), now)
    if (instant === undefined) return filled
    filled = replaceAt(filled, path, toIsoTime(instant))
  }
  return filled
}

function readRelative(text: unknown, now: number): number | undefined {
  if (text === 'now') return now
  const [, sign, amount = ''] = (typeof text === 'string' ? /^([+-])(.+)$/.exec(text) : null) ?? []
  const duration = parseDuration(amount)
  if (duration === undefined) return undefined
  return sign === '-' ? now - duration : now + duration
}

/** Returns a copy of a value with a new part at an existing path. */
function replaceAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  replacement: string,
): unknown {
  if (key === undefined) return replacement
  const inner = replaceAt((value as Readonly<Record<PropertyKey, unknown>>)[key], rest, replacement)
  return Array.isArray(value)
    ? value.with(Number(key), inner)
    : { ...(value as object), [key]: inner }
}
