import { useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import { formatRecordName, tableOfKind } from '../shared/records.ts'
import type { Changes, DataPage } from '../../shared/types.ts'
import { ErrorMessage } from '../forms/error-message.tsx'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount, formatTimestamp, formatNumber } from '../../shared/format.ts'
import { FactList } from '../shared/fact-list.tsx'
import { JsonLeaf } from '../../shared/json.tsx'
import { Panel } from '../shared/panel.tsx'
import { RecordLink } from '../shared/record-link.tsx'
import { useSnapshots } from '../shared/snapshots.ts'
import { describeTimes, EarlierStateList, TimeForm, useEarlierStates } from './earlier-states.tsx'
import type { EarlierState } from './earlier-states.tsx'

/** Maximum number of records whose names are loaded for a list of changes. */
const maxLoaded = 40
/** Minimum interval between loads, ms. */
const namesFollowMs = 1_000

/** Names of records, by `toKey`. */
type Names = ReadonlyMap<string, string>

/** Returns the table that a field such as `lastMessageId` refers to. */
function getFieldTable(field: string): string | undefined {
  const words = field.replace(/Id$/, '').split(/(?=[A-Z])/)
  const kinds = words.map((_, index) => words.slice(index).join('_').toLowerCase())
  return field.endsWith('Id')
    ? kinds.map((kind) => tableOfKind[kind]).find((table) => table !== undefined)
    : undefined
}

/**
 * Returns a function that names the records in a list of changes. Added and removed records are in
 * the list, and the first others are loaded.
 */
function useNames(tables: Changes['tables']): (table: string, id: unknown) => string | undefined {
  const { api } = useStore()
  const listed = new Map<string, string>()
  for (const { table, added, removed } of tables)
    for (const record of [...added.records, ...removed.records] as Record<string, unknown>[])
      note(listed, table, record)
  const missing = [...new Set(tables.flatMap(listReferences))]
    .filter((key) => !listed.has(key))
    .slice(0, maxLoaded)
  const { data: loaded = noNames } = useLoadedData(
    async () => {
      const names = new Map<string, string>()
      const load = async (key: string) => {
        const [table = '', id] = key.split(' ')
        const { items } = await api.get<DataPage>(`data/${table}`, { id, limit: 1 })
        for (const record of items as readonly Record<string, unknown>[]) note(names, table, record)
      }
      await Promise.all(missing.map((key) => load(key).catch(() => {}))) // The id is shown.
      return names
    },
    missing.join(),
    namesFollowMs,
  )
  return (table, id) => listed.get(toKey(table, id)) ?? loaded.get(toKey(table, id))
}

/** Lists the changed records of a table, and the records that their changed fields refer to. */
function listReferences({ table, changed }: Changes['tables'][number]): readonly string[] {
  return changed.records.flatMap(({ id, fields }) => [
    toKey(table, id),
    ...fields.flatMap(({ field, before, after }) => {
      const other = getFieldTable(field)
      const ids = [before, after].filter((value) => typeof value === 'number')
      return other === undefined ? [] : ids.map((value) => toKey(other, value))
    }),
  ])
}

/** Adds the name of a record, if it has a name besides its id. */
function note(names: Map<string, string>, table: string, record: Record<string, unknown>): void {
  const id = String(record['id'])
  const name = formatRecordName(record)
  if (name !== id) names.set(toKey(table, id), name.slice(0, -` (${id})`.length))
}

function toKey(table: string, id: unknown): string {
  return `${table} ${String(id)}`
}

const noNames: Names = new Map()

/** Minimum interval between updates, ms. */
const followMs = 300

/**
 * Shows the records that changed since the data was loaded, since the last request, or since a
 * saved state.
 */
export function ChangesPanel({
  since,
  onSince,
}: {
  /** The selected state, as in the URL, or an empty string if none is selected. */
  since: string
  onSince: (since: string) => void
}) {
  const { api } = useStore()
  const total = useStoreState((state) => state.requests.total)
  const happened = useStoreState((state) => state.happenings[0]?.id ?? 0)
  const { snapshots, error: saveError, isBusy, save } = useSnapshots()
  useScenarioChange(() => since !== '' && onSince(''))
  const { data, error, reload } = useLoadedData(
    async () => {
      if (since === '') return undefined
      return { asked: since, ...(await api.get<Changes>('changes', { since })) }
    },
    JSON.stringify([since, total, happened]),
    followMs,
  )
  const states = useEarlierStates(snapshots)
  // After an error, the loaded records may belong to another state.
  const isShown = data?.asked === since && error === undefined
  const nameOf = useNames(isShown ? data.tables : noTables)
  return (
    <Panel
      title="What changed"
      wide
      aside={
        <div class="row">
          <TimeForm onFind={onSince} />
          <button type="button" disabled={isBusy} onClick={() => save()}>
            Save this state
          </button>
        </div>
      }
    >
      <EarlierStateList
        states={states}
        since={since}
        onSince={(name) => (name === since ? reload() : onSince(name))}
      />
      <ErrorMessage text={saveError ?? (since === '' ? undefined : error)} />
      {since === '' ? (
        <p class="help">
          Choose a state to see which records changed since then. “Save this state” adds one.
        </p>
      ) : (
        isShown && (
          <p class="help" role="status">
            {data.tables.length === 0
              ? `No record has changed since ${formatTimestamp(data.since)} UTC.`
              : `${formatCount(data.tables.length, 'table')} changed since ${formatTimestamp(data.since)} UTC.`}{' '}
            {data.compared_with !== undefined && describeBase(data.compared_with, states)}
          </p>
        )
      )}
      {isShown &&
        data.tables.map((table) => <TableChanges key={table.table} {...table} nameOf={nameOf} />)}
    </Panel>
  )
}

/** Calls a function when another scenario is loaded. */
function useScenarioChange(onChange: () => void): void {
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const before = useRef(scenario)
  useEffect(() => {
    if (before.current !== scenario) onChange()
    before.current = scenario
  }, [scenario])
}

/** Names the state that contains the earlier values of the changes since a time. */
function describeBase(name: string, states: readonly EarlierState[]): string {
  const state = states.find((each) => each.name === name)
  if (state === undefined) return `Earlier values are from the saved state ${name}.`
  const kind = name === 'load' ? 'the' : 'the saved state'
  return (
    'This is sandbox time, and earlier changes are left out. Earlier values are from ' +
    `${kind} ${state.label} (${describeTimes(state)}).`
  )
}

function TableChanges({
  table,
  added,
  removed,
  changed,
  nameOf,
}: Changes['tables'][number] & { nameOf: ReturnType<typeof useNames> }) {
  const named = (id: number | string) => (
    <>
      <RecordLink key={id} table={table} id={id} /> <Name text={nameOf(table, id)} />
    </>
  )
  const value = (field: string, shown: unknown) => {
    const other = getFieldTable(field)
    return (
      <>
        <JsonLeaf value={toPlain(shown)} />{' '}
        <Name text={other === undefined ? undefined : nameOf(other, shown)} />
      </>
    )
  }
  return (
    <details open>
      <summary>
        <strong>{table}</strong>:{' '}
        {`${formatNumber(added.total)} added, ${formatNumber(changed.total)} changed, ${formatNumber(removed.total)} removed`}
      </summary>
      <FactList
        facts={[
          [
            'added',
            added.total === 0
              ? null
              : listIds(added.records).map((id) => <span key={id}>{named(id)}</span>),
          ],
          ['removed', removed.total === 0 ? null : listIds(removed.records).join(' ')],
          ...changed.records.map(
            ({ id, fields }) =>
              [
                named(id),
                fields.map(({ field, before, after }) => (
                  <div key={field}>
                    {field}: {value(field, before)}→ {value(field, after)}
                  </div>
                )),
              ] as const,
          ),
        ]}
      />
    </details>
  )
}

/** Maximum number of characters shown of a record's name. */
const maxName = 40

function Name({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return <span class="help">{text.length > maxName ? `${text.slice(0, maxName)}…` : text} </span>
}

const noTables: Changes['tables'] = []

function listIds(records: readonly object[]): readonly (number | string)[] {
  return (records as readonly { id: number | string }[]).map(({ id }) => id)
}

function toPlain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
