import { listKnownKeys } from '../../world/journal/ignored-parameters.ts'
import { groupBy } from '../../lib/group-by.ts'
import { defineRule } from '../rule.ts'
import type { Occurrence } from '../rule.ts'
import { isSentWithin, getDelayMs } from '../audited-request.ts'
import type { AuditedRequest } from '../audited-request.ts'
import { formatCount } from '../format-count.ts'

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
    'Cache the response until the data may have changed. Request many rows at once if the ' +
    'route accepts ' +
    'a list of ids.',
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
