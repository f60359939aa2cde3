import { getApiUrl } from './request-export.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { useStoreState } from '../../shared/hooks.ts'
import type { RequestCounts, Row } from '../../shared/types.ts'
import { formatCount, formatNumber } from '../../shared/format.ts'
import { toHash } from './place.ts'

/** If there are no requests yet, shows a command to paste into a terminal. */
export function FirstRequest({ title }: { title: string }) {
  const key = useStoreState((state) => state.about?.keys[0]?.key) ?? 'KEY'
  const line = `curl -H 'Authorization: Bearer ${key}' ${getApiUrl()}/v1/accounts`
  return (
    <div class="empty">
      <p>
        {title} Point your client at {getApiUrl()}, or paste this line into a terminal:
      </p>
      <p class="row">
        <code class="grow">{line}</code> <CopyButton text={line} what="the curl line" />
      </p>
    </div>
  )
}

/** A group of consecutive identical requests, with its newest request. */
export interface RepeatedRows<Request> {
  row: Request
  all: readonly Request[]
}

/** Groups consecutive requests that differ only in their time. */
export function groupRepeated<Request extends Row & { world?: string | null }>(
  rows: readonly Request[],
): readonly RepeatedRows<Request>[] {
  const groups: { row: Request; all: Request[] }[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last !== undefined && toSignature(last.row) === toSignature(row)) last.all.push(row)
    else groups.push({ row, all: [row] })
  }
  return groups
}

function toSignature({
  method,
  path,
  status,
  error,
  asked_by: sender,
  key,
  world = null,
}: Row & { world?: string | null }): string {
  return JSON.stringify([method, path, status, error, sender, key, world])
}

/** `12 requests`, or `the last 1,000 of 10,200 requests` if the journal dropped the others. */
export function describeRequests({ total, kept }: RequestCounts): string {
  return kept < total
    ? `the last ${formatNumber(kept)} of ${formatCount(total, 'request')}`
    : formatCount(total, 'request')
}

/** Shows the number of requests in this world, with a link to the requests of other worlds. */
export function RequestCount({ isLink = false }: { isLink?: boolean }) {
  const requests = useStoreState((state) => state.requests)
  const elsewhere = useStoreState((state) => state.pulse?.worlds?.requests ?? 0)
  const here = `${describeRequests(requests)} in this world`
  return (
    <span class="help">
      {isLink ? <a href="#requests">{here}</a> : here}
      {elsewhere > 0 && (
        <>
          {', '}
          <a href={toHash({ view: 'requests', filters: { worlds: 'all' } })}>
            {formatNumber(elsewhere)} in other worlds
          </a>
        </>
      )}
    </span>
  )
}
