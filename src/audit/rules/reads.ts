import { listKnownKeys } from '../../world/journal/request-facts.ts'
import { groupBy } from '../../lib/iterables.ts'
import { defineRule, formatCount } from '../rule.ts'
import type { Occurrence } from '../rule.ts'
import { isSentWithin, getDelayMs, isEmptyPage } from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'
import { z } from 'zod'
import { getRangeDirection, pageNames } from '../../lib/paging-parameters.ts'

/** A read repeated after this time counts as polling, not as a repetition (ms). */
const freshMs = 1000
/** Minimum number of repeated reads for a finding. A smaller number may be a coincidence. */
const tooMany = 3
/** Minimum number of single-row reads for a finding. */
const manySingles = 5

export const repeatedRead = defineRule({
  name: 'repeated-read',
  severity: 'hint',
  mistake:
    'A read that was repeated immediately, without a write in between, or many reads of single ' +
    'rows from a route that accepts many ids (n + 1).',
  advice:
    'Cache the response until the data may have changed. Request many rows at once if the route ' +
    'accepts a list of ids.',
  source: 'reference §8 Limits: each read takes a credit',
  example: {
    wrong: 'for (const chat of chats) await get(`/v1/${account}/fans?ids=${chat.fan}`)',
    right: 'await get(`/v1/${account}/fans?ids=${chats.map((chat) => chat.fan).join(",")}`)',
  },
  find({ requests }) {
    const reads = requests.filter(
      ({ method, isGood, exchange }) =>
        method === 'GET' && isGood && exchange.organisation !== null,
    )
    return [...groupBy(reads, ({ name }) => name).values()]
      .flatMap((ofRoute) => [...groupBy(ofRoute, ({ caller }) => caller).values()])
      .flatMap((group) => [...findRepeatedReads(group), ...findSingleReads(group)])
  },
})

function findRepeatedReads(reads: readonly AuditedRequest[]): Occurrence[] {
  const last = new Map<string, AuditedRequest>()
  const again: { target: string; read: AuditedRequest }[] = []
  /**
   * Repeated reads for which the time in between is unknown. They count as a mistake only if the
   * client often repeats the same read.
   */
  const unsure: typeof again = []
  for (const read of reads) {
    const target = `${read.exchange.path} ${read.bodyKey}`
    const before = last.get(target)
    last.set(target, read)
    if (
      before === undefined ||
      before.exchange.version !== read.exchange.version ||
      !isSentWithin(before, read, freshMs)
    )
      continue
    if (getDelayMs(before, read) !== null) again.push({ target, read })
    else unsure.push({ target, read })
  }
  for (const reread of groupBy(unsure, ({ target }) => target).values())
    if (reread.length >= tooMany) again.push(...reread)
  if (again.length < tooMany) return []
  const urls = formatCount(new Set(again.map(({ target }) => target)).size, 'URL')
  return [
    {
      message:
        `${again[0]?.read.name} was read again ${again.length} times at ${urls}, without a ` +
        'write in between.',
      requests: again.map(({ read }) => read).toSorted((one, other) => one.id - other.id),
    },
  ]
}

function findSingleReads(reads: readonly AuditedRequest[]): Occurrence[] {
  const [first] = reads
  if (
    reads.length < manySingles ||
    first?.route === undefined ||
    listKnownKeys(first.route.query)?.includes('ids') !== true
  )
    return []
  const singles = reads.filter((read, index) => {
    const neighbour = reads[index - 1] ?? reads[index + 1]
    const isAtOnce =
      neighbour !== undefined &&
      (neighbour.id < read.id
        ? isSentWithin(neighbour, read, freshMs)
        : isSentWithin(read, neighbour, freshMs))
    return isAtOnce && /^\d+$/.test(read.query.get('ids') ?? '')
  })
  if (new Set(singles.map(({ target }) => target)).size < manySingles) return []
  return [
    {
      message:
        `${first.name} was requested ${singles.length} times with a single id (n + 1). The ` +
        'route accepts several ids.',
      requests: singles,
    },
  ]
}

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
