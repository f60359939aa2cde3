import { useState } from 'preact/hooks'
import { toMoment, toNumber } from '../shared/format.ts'
import { useCommand, useStore } from '../shared/hooks.ts'
import { Facts } from '../shared/facts.tsx'
import { Leaf } from '../shared/json.tsx'
import { Panel } from '../shared/panel.tsx'
import { RecordLink } from '../shared/record-link.tsx'
import { ErrorMessage } from '../forms/error-message.tsx'
import type { Changes } from '../shared/types.ts'

/** Sets a checkpoint, and shows the records that changed since then. */
export function ChangesPanel() {
  const { api } = useStore()
  const { error, isBusy, run } = useCommand()
  const [since, setSince] = useState<string>()
  const [changes, setChanges] = useState<Changes>()
  const remember = () =>
    run(async () => {
      setSince((await api.send<{ since: string }>('POST', 'changes')).since)
      setChanges(undefined)
    })
  const compare = () => run(async () => setChanges(await api.get<Changes>('changes')))
  return (
    <Panel
      title="Before and after"
      wide
      aside={
        <div class="row">
          <button type="button" disabled={isBusy} onClick={remember}>
            Checkpoint
          </button>
          <button type="button" disabled={isBusy} onClick={compare}>
            What changed
          </button>
        </div>
      }
    >
      <ErrorMessage text={error} />
      {changes === undefined && (
        <p class="help" role="status">
          {since === undefined
            ? 'Make a checkpoint, let something happen, and see which records it changed.'
            : `The records of ${toMoment(since)} are remembered.`}
        </p>
      )}
      {changes?.tables.length === 0 && (
        <p class="help">Nothing changed since {toMoment(changes.since)}.</p>
      )}
      {changes?.tables.map((table) => (
        <TableChanges key={table.table} {...table} />
      ))}
    </Panel>
  )
}

function TableChanges({ table, added, removed, changed }: Changes['tables'][number]) {
  return (
    <details open>
      <summary>
        <strong>{table}</strong>:{' '}
        {`${toNumber(added.total)} added, ${toNumber(changed.total)} changed, ${toNumber(removed.total)} removed`}
      </summary>
      <Facts
        facts={[
          [
            'added',
            added.total === 0
              ? null
              : idsOf(added.records).map((id) => <RecordLink key={id} table={table} id={id} />),
          ],
          ['removed', removed.total === 0 ? null : idsOf(removed.records).join(' ')],
          ...changed.records.map(
            ({ id, fields }) =>
              [
                <RecordLink key={id} table={table} id={id} />,
                fields.map(({ field, before, after }) => (
                  <div key={field}>
                    {field}: <Leaf value={toPlain(before)} /> → <Leaf value={toPlain(after)} />
                  </div>
                )),
              ] as const,
          ),
        ]}
      />
    </details>
  )
}

function idsOf(records: readonly object[]): readonly (number | string)[] {
  return (records as readonly { id: number | string }[]).map(({ id }) => id)
}

function toPlain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
