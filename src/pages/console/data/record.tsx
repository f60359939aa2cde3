import { useState } from 'preact/hooks'
import { FactList } from '../shared/fact-list.tsx'
import { formatNumber } from '../../shared/format.ts'
import { ControlError } from '../../shared/api.ts'
import { useCommandRunner, useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import { JsonView } from '../../shared/json.tsx'
import { toHash } from '../shared/place.ts'
import { RecordLink } from '../shared/record-link.tsx'
import { Sheet } from '../shared/sheet.tsx'
import { ErrorMessage } from '../forms/error-message.tsx'
import type { RecordView } from '../../shared/types.ts'
import { RecordHistory } from './record-history.tsx'
import { MissingRecord } from './missing-record.tsx'

interface RecordProps {
  table: string
  id: string
  onClose: () => void
  onChange: () => void
}

/** Actions linked from a fan's record. */
const fanActions = [
  ['tip', 'Send tip'],
  ['message.from_fan', 'Send message'],
  ['subscriber.renew', 'Renew subscription'],
] as const

/** Shows a record: its fields, references, history and commands. */
export function RecordSheet({ table, id, onClose, onChange }: RecordProps) {
  const { api, showToast: say } = useStore()
  const address = `data/${table}/${encodeURIComponent(id)}`
  const generation = useStoreState((state) => `${state.rewinds} ${state.requests.timesEmptied}`)
  const { data: found, error } = useLoadedData(
    () => api.get<RecordView>(address).catch(toMissing),
    `${address} ${generation}`,
  )
  const { error: commandError, isBusy, run } = useCommandRunner()
  const [edited, setEdited] = useState<string>()
  const isGone = found === null
  const data = found ?? undefined
  const save = () =>
    run(async () => {
      await api.send(
        'PATCH',
        address,
        getChangedFields(data?.record ?? {}, JSON.parse(edited ?? '{}') as object),
      )
      onChange()
    })
  const remove = () =>
    run(async () => {
      await api.send('DELETE', address)
      onClose()
      onChange()
      say(`Removed ${id} of ${table}.`, {
        run: async () => {
          await api.send('POST', `data/${table}`, data?.record)
          onChange()
          return `Added ${id} of ${table} again.`
        },
      })
    })
  return (
    <Sheet
      title={`Record ${id} of ${table}`}
      closeName="Close the record"
      onClose={onClose}
      commands={
        // A deleted record has no commands.
        !isGone && (
          <>
            <button
              type="button"
              disabled={data === undefined}
              aria-expanded={edited !== undefined}
              onClick={() =>
                setEdited(edited === undefined ? JSON.stringify(data?.record, null, 2) : undefined)
              }
            >
              Edit
            </button>
            <button type="button" disabled={isBusy || data === undefined} onClick={remove}>
              Remove
            </button>
          </>
        )
      }
    >
      {data?.picture != null && <img class="thumbnail large" src={data.picture} alt="" />}
      {table === 'fans' && !isGone && (
        <p class="row">
          {fanActions.map(([type, label]) => (
            <a key={type} href={toHash({ view: 'actions', item: type, filters: { fan_id: id } })}>
              {label}
            </a>
          ))}
        </p>
      )}
      <ErrorMessage text={commandError ?? error} />
      {isGone && <MissingRecord table={table} id={id} />}
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
      {data !== undefined && <ReferenceLinks names={data.names} namedBy={data.named_by} />}
      {data !== undefined && <RecordHistory changes={data.changed_by} />}
    </Sheet>
  )
}

/** Returns null if a record does not exist, and rethrows other errors. */
function toMissing(error: unknown): null {
  if (error instanceof ControlError && error.status === 404) return null
  throw error
}

function ReferenceLinks({
  names,
  namedBy,
}: {
  names: RecordView['names']
  namedBy: RecordView['named_by']
}) {
  return (
    <>
      {names.length > 0 && <h3>Refers to</h3>}
      <FactList
        facts={names.map(
          ({ field, tables: [table = ''], id }) =>
            [field, [`${table} `, <RecordLink key={id} table={table} id={id} />]] as const,
        )}
      />
      {namedBy.length > 0 && <h3>Referred to by</h3>}
      <FactList
        facts={namedBy.map(
          ({ table, field, total, ids }) =>
            [
              table,
              [
                `${formatNumber(total)} as ${field}: `,
                ...ids.map((id) => <RecordLink key={id} table={table} id={id} />),
              ],
            ] as const,
        )}
      />
    </>
  )
}

/** Returns the fields that the user changed. */
function getChangedFields(before: object, after: object): Record<string, unknown> {
  const was = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(after).filter(
      ([field, value]) => JSON.stringify(was[field]) !== JSON.stringify(value),
    ),
  )
}
