import type { Api } from '../../shared/api.ts'
import { useLoadedData, useStore } from '../../shared/hooks.ts'
import type { Audit, Row } from '../../shared/types.ts'

/** Minimum interval between updates, ms. */
const followMs = 1_000
/** Journals with more requests than this are not audited. */
const maxAudited = 10_000
/** Maximum number of worlds to audit for a list of requests. */
const maxWorlds = 8

/** A request in a list. The world name is only set in lists of several worlds. */
type Listed = Row & { world?: string | null }

/** Short texts of audit findings, by the request key that `toRequestKey` returns. */
export type FindingsByRequest = ReadonlyMap<string, readonly string[]>

/**
 * Returns audit findings by request. `isNewest` is false for older pages, which are not audited.
 * `hasWorlds` is true if the rows contain the names of their worlds. Long journals are not audited
 * either, because an audit reads all stored requests.
 */
export function useFindings(
  rows: readonly Listed[],
  { isNewest, hasWorlds }: { isNewest: boolean; hasWorlds: boolean },
): FindingsByRequest {
  const { api } = useStore()
  const audited = isNewest ? listFirstIds(rows).slice(0, maxWorlds) : []
  const { data = new Map() } = useLoadedData(
    () => readFindings(api, audited, hasWorlds),
    JSON.stringify([audited, rows[0]?.id, rows.length, hasWorlds]),
    { pauseMs: followMs },
  )
  return data
}

/** Reads the findings of the newest requests of the page's world. */
export function readNewestFindings(api: Api, rows: readonly Row[]): Promise<FindingsByRequest> {
  return readFindings(api, listFirstIds(rows), false)
}

/** Audits each world's requests, starting with the first listed id. */
async function readFindings(
  api: Api,
  audited: readonly (readonly [world: string | null, firstId: number])[],
  hasWorlds: boolean,
): Promise<FindingsByRequest> {
  const data = await Promise.all(
    audited
      .filter(([, first]) => first < maxAudited)
      .map(async ([world, first]) => {
        const since = Math.max(0, first - 1)
        const query = hasWorlds ? { since, world: world ?? undefined } : { since }
        // A world may be removed while its requests are listed.
        const audit = await api.get<Audit>('audit', query).catch(() => undefined)
        return { world, findings: audit?.findings ?? [] }
      }),
  )
  const found = new Map<string, string[]>()
  for (const { world, findings } of data)
    for (const { rule, message, requests } of findings)
      for (const id of requests) {
        const key = toRequestKey({ world, id })
        found.set(key, [...(found.get(key) ?? []), shorten(rule, message)])
      }
  return found
}

/**
 * Returns the badges of a request: a missing or wrong key, its findings, and any parameters that
 * the route ignores.
 */
export function getBadges(row: Listed, findings: FindingsByRequest): readonly string[] {
  // The audit reports a missing and a wrong key by the same rule.
  const audited = findings.get(toRequestKey(row)) ?? []
  const own = describeKey(row)
  const others = own.length === 0 ? audited : audited.filter((text) => text !== wrongKey)
  const found = [...new Set([...own, ...others])]
  // Requests from the console and other senders are not audited.
  const isIgnoring = row.status < 400 && row.ignored.length > 0
  if (!isIgnoring || found.some((text) => text.startsWith(ignores))) return found
  return [`${ignores}${row.ignored.map(({ name }) => name).join(', ')}`, ...found]
}

const ignores = 'ignores '
const wrongKey = 'wrong key'

/** Returns a badge for a request that was rejected because of its key. */
function describeKey({ status, role, key }: Listed): readonly string[] {
  if (status !== 401 || role !== null) return []
  return [key === null ? 'no key' : wrongKey]
}

function toRequestKey({ world, id }: { world?: string | null; id: number }): string {
  return `${world ?? ''} ${id}`
}

/** Returns the lowest request id of each world, in the order of the rows. */
function listFirstIds(rows: readonly Listed[]): readonly (readonly [string | null, number])[] {
  const first = new Map<string | null, number>()
  for (const { world = null, id } of rows) first.set(world, Math.min(first.get(world) ?? id, id))
  return [...first]
}

/** Badges of rules whose name does not describe the request. */
const badges: Readonly<Record<string, string>> = { 'no-backoff': 'repeated without backoff' }

/** Returns a short form of a finding, such as `ignores limt`, or else the rule's name. */
function shorten(rule: string, message: string): string {
  const [, names] = /ignores the [a-z]+ parameters? ("[^.:]+")/.exec(message) ?? []
  if (names === undefined) return badges[rule] ?? rule.replaceAll('-', ' ')
  return ignores + names.replaceAll('"', '')
}
