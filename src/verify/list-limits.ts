import { z } from 'zod'
import type { Route } from '../api/route.ts'
import { getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'
import type { Finding } from './compare-shape.ts'
import { hasNextPage } from './service-response.ts'
import type { ServiceResponse } from './service-response.ts'
import { findLongestList } from './known-ids.ts'

/** The maximum page size of a route. */
export interface Limit {
  part: 'query' | 'body'
  maximum: number
  /** True if the route lowers larger values to the maximum, false if it rejects them. */
  clamp: boolean
}

/** Returns the page limit of a route, or undefined if it has none. */
export function getListLimit({ query, body }: Route): Limit | undefined {
  return readLimit(query, 'query') ?? (body === null ? undefined : readLimit(body, 'body'))
}

function readLimit(schema: z.ZodType, part: Limit['part']): Limit | undefined {
  const field = getSchemaDefinition(unwrapSchema(schema, {})).shape?.['limit']
  if (field === undefined) return undefined
  const { maximum } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return { part, maximum, clamp: false }
  const most = Number.MAX_SAFE_INTEGER
  const { data } = field.safeParse(part === 'query' ? String(most) : most)
  return typeof data === 'number' && data < most ? { part, maximum: data, clamp: true } : undefined
}

/** Checks the response to a request whose page size exceeds the maximum by one. */
export function compareLimit(
  { part, maximum, clamp }: Limit,
  { status, json }: ServiceResponse,
  data: unknown,
): Finding[] {
  const say = (text: string, change?: { maximum: number; clamp: boolean }): Finding[] => [
    {
      path: '$.limit',
      part,
      text,
      names: [],
      ...(change === undefined ? {} : { changes: { '$.limit': change } }),
    },
  ]
  if (status === 400)
    return clamp ? say(`is refused above ${maximum}, not lowered`, { maximum, clamp: false }) : []
  if (status < 200 || status > 299 || data === undefined) return []
  const rows = findLongestList(data).length
  if (rows > maximum) return say(`is accepted above ${maximum}`)
  const hasMore =
    hasNextPage(json) ||
    (typeof data === 'object' && data !== null && (data as { hasMore?: unknown }).hasMore === true)
  if (hasMore && rows < maximum && rows > 0)
    return say(`is lowered to ${rows}, not ${clamp ? 'to ' : 'refused above '}${maximum}`, {
      maximum: rows,
      clamp: true,
    })
  return clamp
    ? []
    : say(`is lowered to ${maximum}, not refused above it`, { maximum, clamp: true })
}
