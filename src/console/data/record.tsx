import { useState } from 'preact/hooks'
import { toNumber } from '../shared/format.ts'
import { useDeed, useLoad, useStore } from '../shared/hooks.ts'
import { JsonView } from '../shared/json.tsx'
import { toHash } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { RecordView } from '../shared/types.ts'
import { RecordHistory } from './record-history.tsx'

interface DrawerProps {
  table: string
  id: string
  onClose: () => void
  onChange: () => void
}

/** Actions of a fan that the record offers. */
const fanActions = [
  ['tip', 'Send tip'],
  ['message.from_fan', 'Send message'],
  ['subscriber.renew', 'Renew subscription'],
] as const

/** A record: its fields, what it names, what names it, and how to change or remove it. */
export function RecordDrawer({ table, id, onClose, onChange }: DrawerProps) {
  const { api } = useStore()
  const { data, error } = useLoad(
    () => api.get<RecordView>(`data/${table}/${encodeURIComponent(id)}`),
    `${table} ${id}`,
  )
  const { error: refusal, isBusy, run } = useDeed()
  const [edited, setEdited] = useState<string>()
  const address = `data/${table}/${encodeURIComponent(id)}`
  const save = () =>
    run(async () => {
      await api.send(
        'PATCH',
        address,
        changesOf(data?.record ?? {}, JSON.parse(edited ?? '{}') as object),
      )
      onChange()
    })
  const remove = () =>
    run(async () => {
      await api.send('DELETE', address)
      onClose()
      onChange()
    })
  return (
    <section class="drawer" aria-label={`Record ${id} of ${table}`}>
      <div class="row">
        {data?.picture != null && <img class="thumbnail large" src={data.picture} alt="" />}
        <h3 class="grow">
          {table} {id}
        </h3>
        <button
          type="button"
          aria-expanded={edited !== undefined}
          onClick={() =>
            setEdited(edited === undefined ? JSON.stringify(data?.record, null, 2) : undefined)
          }
        >
          Edit
        </button>
        <button type="button" disabled={isBusy} onClick={remove}>
          Remove
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {table === 'fans' && (
        <p class="row">
          {fanActions.map(([type, label]) => (
            <a key={type} href={toHash({ view: 'actions', item: type, filters: { fan_id: id } })}>
              {label}
            </a>
          ))}
        </p>
      )}
      <Problem text={refusal ?? error} />
      {edited !== undefined && (
        <div class="editor">
          <textarea
            aria-label="The record as JSON"
            rows={14}
            value={edited}
            onInput={(event) => setEdited(event.currentTarget.value)}
          />
          <button type="button" class="primary" disabled={isBusy} onClick={save}>
            Save
          </button>
        </div>
      )}
      {data !== undefined && edited === undefined && (
        <JsonView value={data.record} label={`Fields of ${table} ${id}`} />
      )}
      {data !== undefined && <Links names={data.names} namedBy={data.named_by} />}
      {data !== undefined && <RecordHistory changes={data.changed_by} />}
    </section>
  )
}

function Links({
  names,
  namedBy,
}: {
  names: RecordView['names']
  namedBy: RecordView['named_by']
}) {
  const link = (table: string, id: number | string) => (
    <a
      key={`${table} ${id}`}
      href={toHash({ view: 'data', item: table, filters: { record: String(id) } })}
    >
      {id}{' '}
    </a>
  )
  return (
    <dl class="facts">
      {names.map(({ field, tables, id }) => (
        <div key={`${field} ${id}`} class="fact">
          <dt>{field}</dt>
          <dd>
            {tables[0]} {link(tables[0] ?? '', id)}
          </dd>
        </div>
      ))}
      {namedBy.map(({ table, field, total, ids }) => (
        <div key={`${table} ${field}`} class="fact">
          <dt>named by</dt>
          <dd>
            {toNumber(total)} of {table} as {field}: {ids.map((id) => link(table, id))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The fields that differ: the others are left as they are. */
function changesOf(before: object, after: object): Record<string, unknown> {
  const was = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(was[field]) !== JSON.stringify(value),
    ),
  )
}
