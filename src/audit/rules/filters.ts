import { z } from 'zod'
import { getRangeDirection, pageNames } from '../../lib/paging-parameters.ts'
import { groupBy } from '../../lib/group-by.ts'
import { defineRule } from '../rule.ts'
import { isEmptyPage } from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'

export const emptyByFilter = defineRule({
  name: 'empty-by-filter',
  severity: 'hint',
  mistake:
    'Two or more values of the same filter, all with empty responses, although the list has ' +
    'rows without the filter.',
  advice:
    'Compare the value with the rows of an unfiltered response. Check the spelling, the unit ' +
    'of times, and whether the parameter expects an id or a name.',
  source: 'reference §4 Fans: filters combine with AND, so one without a match empties the list',
  example: {
    wrong: 'get(`/v1/${account}/chats?query=id:${fan.id}`) // query searches names',
    right: 'get(`/v1/${account}/chats?query=${fan.name}`)',
  },
  find({ requests }) {
    const lists = requests.filter(({ route, isGood }) => route?.pagination !== undefined && isGood)
    return [...groupBy(lists, ({ name }) => name).values()].flatMap((sent) =>
      listFilters(sent).flatMap((filter) => {
        const [filtered, others] = [true, false].map((isIn) =>
          sent.filter(({ query }) => query.has(filter) === isIn),
        ) as [AuditedRequest[], AuditedRequest[]]
        // A client that repeats one value may be polling for a row that does not exist yet.
        const values = new Set(filtered.map(({ query }) => query.get(filter)))
        if (values.size < 2 || !filtered.every(isEmptyPage) || others.every(isEmptyPage)) return []
        const [first] = filtered as [AuditedRequest]
        return {
          message:
            `${first.name} returned no rows in any of its ${filtered.length} responses ` +
            `with ${filter}.`,
          requests: filtered,
        }
      }),
    )
  },
})

/**
 * Returns the filters of requests to one route. Excludes parameters for paging and order. Also
 * excludes range bounds such as `after`, because polling for newer rows often returns an empty
 * list, and filters with fixed values, because the route rejects wrong values.
 */
function listFilters(requests: readonly AuditedRequest[]): string[] {
  const names = new Set<string>()
  for (const { rawQuery, query } of requests)
    if (rawQuery !== '')
      for (const name of query.keys())
        if (!pageNames.has(name) && getRangeDirection(name) === undefined) names.add(name)
  if (names.size === 0) return []
  const fixed = listFixedParameters(requests[0]?.route?.query ?? null)
  return [...names].filter((name) => !fixed.has(name))
}

/** Returns the parameters of a query schema that allow only a fixed set of values. */
function listFixedParameters(schema: z.ZodType | null): ReadonlySet<string> {
  if (schema === null) return new Set()
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return new Set(
    Object.entries(properties).flatMap(([name, property]) =>
      typeof property === 'object' && (property.enum !== undefined || property.type === 'boolean')
        ? [name]
        : [],
    ),
  )
}
