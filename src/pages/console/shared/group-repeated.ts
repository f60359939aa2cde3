import type { Row } from '../../shared/types.ts'

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
