import { useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import { getFieldTable, getRecordName, readNames, toNameKey } from '../shared/records.ts'
import type { RecordNames } from '../shared/records.ts'
import type { Changes } from '../../shared/types.ts'
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

/**
 * Returns a function that names the records in a list of changes. Added and removed records are in
 * the list, and the first others are loaded.
 */
function useNames(tables: Changes['tables']): (table: string, id: unknown) => string | undefined {
  const { api } = useStore()
  const listed = new Map<string, string>()
  for (const { table, added, removed } of tables)
    for (const record of [...added.records, ...removed.records] as Record<string, unknown>[]) {
      const name = getRecordName(record)
      if (name !== undefined) listed.set(toNameKey(table, record['id']), name)
    }
  const missing = [...new Set(tables.flatMap(listReferences))]
    .filter((key) => !listed.has(key))
    .slice(0, maxLoaded)
  const { data: loaded = noNames } = useLoadedData(() => readNames(api, missing), missing.join(), {
    pauseMs: namesFollowMs,
  })
  return (table, id) => listed.get(toNameKey(table, id)) ?? loaded.get(toNameKey(table, id))
}

/** Lists the changed records of a table, and the records that their changed fields refer to. */
function listReferences({ table, changed }: Changes['tables'][number]): readonly string[] {
  return changed.records.flatMap(({ id, fields }) => [
    toNameKey(table, id),
    ...fields.flatMap(({ field, before, after }) => {
      const other = getFieldTable(field)
      const ids = [before, after].filter((value) => typeof value === 'number')
      return other === undefined ? [] : ids.map((value) => toNameKey(other, value))
    }),
  ])
}

const noNames: RecordNames = new Map()

/** Minimum interval between updates, ms. */
const followMs = 300

/**
 * Shows the records that changed since the data was loaded, since the last request, or since a
 * saved state.
 */
export function ChangesPanel({
  since,
  onSince,
  onLoad,
}: {
  /** The selected state, as in the URL, or an empty string if none is selected. */
  since: string
  onSince: (since: string) => void
  /** Called when the changes are loaded, or cannot be loaded. */
  onLoad: () => void
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
    { pauseMs: followMs },
  )
  useEffect(() => {
    if (data !== undefined || error !== undefined) onLoad()
  }, [data, error])
  const states = useEarlierStates(snapshots)
  // After an error, the loaded records may belong to another state.
  const isShown = data?.asked === since && error === undefined
  const { ownTables, clockTables } = separateClockChanges(isShown ? data.tables : noTables)
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
            {ownTables.length === 0
              ? `No record has changed since ${formatTimestamp(data.since)} UTC.`
              : `${formatCount(ownTables.length, 'table')} changed since ${formatTimestamp(data.since)} UTC.`}{' '}
            {data.compared_with !== undefined && describeBase(data.compared_with, states)}
          </p>
        )
      )}
      {isShown &&
        ownTables.map((table) => <TableChanges key={table.table} {...table} nameOf={nameOf} />)}
      {clockTables.length > 0 && (
        <details>
          <summary>
            As time went on:{' '}
            {clockTables.map(({ table, changed }) => `${changed.total} of ${table}`).join(', ')}
          </summary>
          {clockTables.map((table) => (
            <TableChanges key={table.table} {...table} nameOf={nameOf} />
          ))}
        </details>
      )}
    </Panel>
  )
}

/**
 * Separates the records that only the clock changed, such as media that became ready, from the
 * other changes.
 */
function separateClockChanges(tables: Changes['tables']): {
  ownTables: Changes['tables']
  clockTables: Changes['tables']
} {
  const select = (isOfClock: boolean) =>
    tables.flatMap((table) => {
      const records = table.changed.records.filter(({ by }) => (by?.by === 'clock') === isOfClock)
      const omitted = table.changed.records.length - records.length
      const changed = isOfClock
        ? { total: records.length, records }
        : { total: table.changed.total - omitted, records }
      const [added, removed] = isOfClock ? [none, none] : [table.added, table.removed]
      const total = added.total + removed.total + changed.total
      return total === 0 ? [] : [{ ...table, added, removed, changed }]
    })
  return { ownTables: select(false), clockTables: select(true) }
}

const none: Changes['tables'][number]['added'] = { total: 0, records: [], by: [] }

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
      <RecordLink key={id} table={table} id={id} />
      <Name text={nameOf(table, id)} />{' '}
    </>
  )
  const value = (field: string, shown: unknown) => {
    const other = getFieldTable(field)
    return (
      <>
        <JsonLeaf value={toPlain(shown)} />
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
                    {field}: <del>{value(field, before)}</del> → <ins>{value(field, after)}</ins>
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
  return <span class="help"> {text.length > maxName ? `${text.slice(0, maxName)}…` : text}</span>
}

const noTables: Changes['tables'] = []

function listIds(records: readonly object[]): readonly (number | string)[] {
  return (records as readonly { id: number | string }[]).map(({ id }) => id)
}

function toPlain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
