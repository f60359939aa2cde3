import { useLoad, useStore } from '../shared/hooks.ts'
import type { Audit, Row } from '../shared/types.ts'

/** Minimum time between two loads, ms. */
const followMs = 1_000
/** Journals with more requests are not audited. */
const maxAudited = 10_000

/**
 * The findings of the audit by request id. Empty for old pages and for a long journal, because the
 * audit reads every stored request.
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

/** A short text of a finding: `ignores limt`, or the name of its rule. */
function shorten(rule: string, message: string): string {
  const [, names] = /ignores the [a-z]+ parameters? ("[^.:]+")/.exec(message) ?? []
  return names === undefined ? rule.replaceAll('-', ' ') : `ignores ${names.replaceAll('"', '')}`
}
