import type { ComponentChildren } from 'preact'
import { toRecordHref } from './records.ts'

/** Links to a record in the data view. The link text is the id, unless there are children. */
export function RecordLink({
  table,
  id,
  children = id,
}: {
  table: string
  id: number | string
  children?: ComponentChildren
}) {
  return (
    <>
      <a href={toRecordHref(table, id)}>{children}</a>{' '}
    </>
  )
}
