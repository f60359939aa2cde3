import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { FactList } from '../shared/fact-list.tsx'
import { formatNumber, formatTimestamp } from '../../shared/format.ts'
import { ControlError, getPageWorld, toWorldUrl } from '../../shared/api.ts'
import { useCommandRunner, useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import { JsonView } from '../../shared/json.tsx'
import { toHash } from '../shared/place.ts'
import { RecordLink } from '../shared/record-link.tsx'
import { Sheet } from '../shared/sheet.tsx'
import type { RecordView, WorldSummary } from '../../shared/types.ts'
import { tableOfKind, toRecordHref } from '../shared/records.ts'

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
            <button
              type="button"
              class="danger"
              disabled={isBusy || data === undefined}
              onClick={remove}
            >
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
      {data !== undefined && <ReferenceLinks id={id} names={data.names} namedBy={data.named_by} />}
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
  id,
  names,
  namedBy,
}: {
  id: string
  names: RecordView['names']
  namedBy: RecordView['named_by']
}) {
  return (
    <>
      {names.length > 0 && <h3>Refers to</h3>}
      <FactList
        facts={names.map(
          ({ field, tables: [table = ''], id: other }) =>
            [field, [`${table} `, <RecordLink key={other} table={table} id={other} />]] as const,
        )}
      />
      {namedBy.length > 0 && <h3>Referred to by</h3>}
      <FactList
        facts={namedBy.map(
          ({ table, field, total, ids }) =>
            [
              table,
              [
                // A filter of the table compares whole fields, so it finds no id in a list.
                field.endsWith('Id') ? (
                  <a href={toHash({ view: 'data', item: table, filters: { [field]: id } })}>
                    {formatNumber(total)} as {field}
                  </a>
                ) : (
                  `${formatNumber(total)} as ${field}`
                ),
                ': ',
                ...ids.map((other) => <RecordLink key={other} table={table} id={other} />),
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

/** Maximum number of other worlds to link to. */
const maxWorlds = 5

/** Says that a record does not exist, with links to the places where it may be. */
function MissingRecord({ table, id }: { table: string; id: string }) {
  const { api } = useStore()
  const { data: worlds = [] } = useLoadedData(
    () => api.get<WorldSummary[]>('worlds', { world: undefined }),
    '',
  )
  const current = getPageWorld() ?? null
  const others = [null, ...worlds.map(({ id: name }) => name)].filter((name) => name !== current)
  const kind = Object.entries(tableOfKind).find(([, each]) => each === table)?.[0]
  const subject = kind?.replaceAll('_', ' ') ?? `record of ${table}`
  return (
    <>
      <p class="warning" role="status">
        {`No ${subject} ${id} in this world. It may have been deleted, or it may belong to ` +
          'another world.'}
      </p>
      <nav class="row" aria-label="Where it may be">
        <a href={toHash({ view: 'data', item: table })}>All {table} of this world</a>
        <a href={toHash({ view: 'data', item: table, filters: { since: 'load' } })}>
          What changed since load
        </a>
        {others.slice(0, maxWorlds).map((name) => (
          <a key={name} href={toWorldUrl(name, toRecordHref(table, id))}>
            Look in the world {name ?? 'main'}
          </a>
        ))}
      </nav>
    </>
  )
}

type Change = RecordView['changed_by'][number]

const authors: Readonly<Record<Change['by'], string>> = {
  request: 'Request',
  action: 'Action',
  story: 'Story',
  clock: 'Clock',
  hand: 'Manual',
  program: 'Program',
}

/** Shows the changes to a record, newest first. */
function RecordHistory({ changes }: { changes: readonly Change[] }) {
  return (
    <>
      <h3>Changes</h3>
      {changes.length === 0 && <p class="help">No changes are stored.</p>}
      <ol class="feed" aria-label="Changes to the record, newest first">
        {changes.map((change, index) => (
          <li key={index}>
            <time class="unit" dateTime={change.at}>
              {formatTimestamp(change.at)}
            </time>
            <span class="kind">{authors[change.by]}</span>
            <span>
              {change.did}
              {change.fields.length > 0 && ` ${change.fields.join(', ')}`}{' '}
              <ChangeCause change={change} />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Shows the cause of a change as a link. */
function ChangeCause({ change: { by, id, text, at } }: { change: Change }) {
  if (by === 'clock')
    return <a href={toHash({ view: 'overview', filters: { at } })}>as time went on</a>
  if (id === null)
    return (
      <span class="help">
        {by === 'hand' ? 'on this page or over the control plane' : 'in code that uses the sandbox'}
      </span>
    )
  return (
    <a href={toHash({ view: by === 'request' ? 'requests' : 'overview', item: String(id) })}>
      {text}
    </a>
  )
}
