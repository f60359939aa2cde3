import { useLoad, useStore } from '../shared/hooks.ts'
import type { Audit, Row } from '../shared/types.ts'

/** How often the audit follows new requests, ms. */
const followMs = 1_000
/** Number of requests up to which the list shows findings. */
const maxAudited = 10_000

/**
 * The findings of the audit by the id of their request. Empty for old pages and for a long journal,
 * because the audit reads every stored request.
 */
export function useFindings(
  rows: readonly Row[],
  isNewest: boolean,
): ReadonlyMap<number, readonly string[]> {
  const { api } = useStore()
  const first = rows.at(-1)?.id ?? 0
  const isAudited = isNewest && first < maxAudited
  const { data } = useLoad(
    async () =>
      isAudited ? api.get<Audit>('audit', { since: Math.max(0, first - 1) }) : undefined,
    `${first} ${rows[0]?.id} ${isAudited}`,
    followMs,
  )
  const found = new Map<number, string[]>()
  for (const { rule, message, requests } of data?.findings ?? [])
    for (const id of requests) found.set(id, [...(found.get(id) ?? []), shorten(rule, message)])
  return found
}

/** The words of a finding that fit on a line: `ignores limt`, or the name of its rule. */
function shorten(rule: string, message: string): string {
  const [, names] = /ignores the [a-z]+ parameters? ([^:]+)/.exec(message) ?? []
  return names === undefined ? rule.replaceAll('-', ' ') : `ignores ${names.replaceAll('"', '')}`
}
