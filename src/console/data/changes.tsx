import { useState } from 'preact/hooks'
import { toMoment, toNumber } from '../shared/format.ts'
import { useDeed, useStore } from '../shared/hooks.ts'
import { Leaf } from '../shared/json.tsx'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { Changes } from '../shared/types.ts'

/** Before and after: remembers the records, and shows what changed since, field by field. */
export function ChangesPanel() {
  const { api } = useStore()
  const { error, isBusy, run } = useDeed()
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
      <Problem text={error} />
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
  const link = (record: object) => {
    const { id } = record as { id: number | string }
    return (
      <a key={id} href={toHash({ view: 'data', item: table, filters: { record: String(id) } })}>
        {id}{' '}
      </a>
    )
  }
  return (
    <details open>
      <summary>
        <strong>{table}</strong>:{' '}
        {`${toNumber(added.total)} added, ${toNumber(changed.total)} changed, ${toNumber(removed.total)} removed`}
      </summary>
      <dl class="facts">
        {added.total > 0 && (
          <div class="fact">
            <dt>added</dt>
            <dd>{added.records.map(link)}</dd>
          </div>
        )}
        {removed.total > 0 && (
          <div class="fact">
            <dt>removed</dt>
            <dd>{removed.records.map((record) => `${String((record as { id: unknown }).id)} `)}</dd>
          </div>
        )}
        {changed.records.map(({ id, fields }) => (
          <div key={id} class="fact">
            <dt>{link({ id })}</dt>
            <dd>
              {fields.map(({ field, before, after }) => (
                <div key={field}>
                  {field}: <Leaf value={toPlain(before)} /> → <Leaf value={toPlain(after)} />
                </div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function toPlain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
