import type { ComponentChildren } from 'preact'
import { toRecordHref } from './records.ts'

/** A link to a record in the data view. Its text is the id, unless it has children. */
export function RecordLink({
  table,
  id,
  children = id,
}: {
  table: string
  id: number | string
  children?: ComponentChildren
}) {
  return <a href={toRecordHref(table, id)}>{children} </a>
}
