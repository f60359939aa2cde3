import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { formatAgo, formatAmount, formatCount, formatNumber } from '../../shared/format.ts'
import {
  useLoadedData,
  useIsNarrow,
  useStoreState,
  useStore,
  useCommandRunner,
} from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { navigateTo } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import { readRecords } from '../shared/records.ts'
import { ChangesPanel } from './changes.tsx'
import { RecordSheet } from './record.tsx'
import { RecordingPanel } from './recording.tsx'
import { WorldFileCommands } from './world-files.tsx'
import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'

const pageSize = 50
/** Minimum interval between updates, ms. */
const followMs = 2_000

/**
 * Shows the records of a table. The URL contains the table, the sort order, the search text and the
 * open record.
 */
export function TablesPanel({ place: { item = 'posts', filters: given = {} } }: { place: Place }) {
  // A link can also identify a record by a path, such as #data/posts/12.
  const [name = '', path] = item.split('/')
  const filters = path === undefined ? given : { record: path, ...given }
  const { api } = useStore()
  const happened = useStoreState((state) => state.happenings[0]?.id ?? 0)
  /** Incremented to reload the counts, the page and the open record. */
  const [turn, setTurn] = useState(0)
  const [isAdding, setAdding] = useState(false)
  const { sort = 'id:desc', contains = '', record, offset = '0', since = '' } = filters
  /** Fields that refer to a record, such as `fanId`, and the id in them. */
  const references = Object.fromEntries(
    Object.entries(filters).filter(([field, id]) => field.endsWith('Id') && id !== ''),
  )
  const { accountId: account, ...others } = references
  const accounts = useStoreState((state) => state.about?.accounts) ?? []
  const { data: counts } = useLoadedData(
    () => api.get<{ tables: Record<string, number> }>('data'),
    `${happened} ${turn}`,
    { pauseMs: followMs },
  )
  const { tables = { [name]: 0 } } = counts ?? {}
  const { data: page, error } = useLoadedData(
    async () => ({
      name,
      ...(await readRecords(api, name, {
        ...references,
        limit: pageSize,
        offset,
        sort,
        contains: contains === '' ? undefined : contains,
        pictures: 'true',
        names: 'true',
      })),
    }),
    // Searching reads all records, so the search is not repeated after each action.
    JSON.stringify([name, sort, contains, offset, references, contains === '' && happened, turn]),
    { pauseMs: contains === '' ? 200 : 300 },
  )
  const items = page?.name === name ? (page.items as readonly Record<string, unknown>[]) : []
  const total = page?.total ?? 0
  const start = Number(offset)
  const show = (change: Record<string, string>, table = name) =>
    navigateTo(
      {
        view: 'data',
        item: table,
        filters: { ...(table === name ? filters : { since }), ...change },
      },
      { replace: change['record'] === undefined },
    )
  const reload = () => setTurn((before) => before + 1)
  const isNarrow = useIsNarrow()
  // On a phone, the changes come after the records, unless a link has asked for them.
  const [hasChangesFirst] = useState(since !== '')
  const isBelow = isNarrow && !hasChangesFirst
  // The list of changes would move the records down if it appeared after them.
  const [hasChanges, setHasChanges] = useState(since === '')
  const changes = (
    <ChangesPanel
      since={since}
      onSince={(next) => show({ since: next })}
      onLoad={() => setHasChanges(true)}
    />
  )
  return (
    <>
      {!isBelow && changes}
      {hasChanges && (
        <>
          <div class={record === undefined ? 'split whole' : 'split'}>
            <Panel
              title="Data"
              wide
              aside={
                <span class="help">
                  {page === undefined
                    ? ''
                    : contains === ''
                      ? formatCount(total, 'record')
                      : `${formatNumber(total)} match` +
                        (page.searched === undefined
                          ? ''
                          : ` in the newest ${formatNumber(page.searched)} records`)}
                </span>
              }
            >
              <div class="row filters one-line" role="search">
                <label class="inline">
                  Table{' '}
                  <select value={name} onChange={(event) => show({}, event.currentTarget.value)}>
                    {moveToStart(Object.keys(tables), firstTables).map((table) => (
                      <option key={table} value={table}>
                        {table} ({formatNumber(tables[table] ?? 0)})
                      </option>
                    ))}
                  </select>
                </label>
                <label class="inline grow">
                  Search{' '}
                  <input
                    class="grow"
                    type="search"
                    value={contains}
                    placeholder="any text"
                    onInput={(event) => show({ contains: event.currentTarget.value, offset: '' })}
                  />
                </label>
                {(account !== undefined || items[0]?.['accountId'] !== undefined) && (
                  <label class="inline">
                    Account{' '}
                    <select
                      value={account ?? ''}
                      onChange={({ currentTarget: { value } }) =>
                        show({ accountId: value, offset: '' })
                      }
                    >
                      <option value="">all</option>
                      {accounts.map(({ id, username }) => (
                        <option key={id} value={String(id)}>
                          {username}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                {Object.entries(others).map(([field, id]) => (
                  <button
                    key={field}
                    type="button"
                    onClick={() => show({ [field]: '', offset: '' })}
                  >
                    Only {field} {id} ✕
                  </button>
                ))}
                <button type="button" onClick={reload}>
                  Refresh
                </button>
                <button type="button" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
                  New record
                </button>
              </div>
              {isAdding && (
                <NewRecordForm
                  table={name}
                  onDone={(id) => {
                    setAdding(false)
                    reload()
                    show({ record: id })
                  }}
                />
              )}
              <ErrorMessage text={error} />
              <div class="rows">
                {page !== undefined && (
                  <RecordTable
                    name={name}
                    items={items}
                    pictures={page.pictures ?? {}}
                    names={page.names ?? {}}
                    sort={sort}
                    opened={record}
                    onSort={(next) => show({ sort: next, offset: '' })}
                    onOpen={(id) => show({ record: id })}
                  />
                )}
              </div>
              <div class="row pager">
                <button
                  type="button"
                  disabled={start === 0}
                  onClick={() => show({ offset: String(Math.max(0, start - pageSize)) })}
                >
                  Previous
                </button>
                <button
                  type="button"
                  disabled={start + pageSize >= total}
                  onClick={() => show({ offset: String(start + pageSize) })}
                >
                  Next
                </button>
                {items.length > 0 && (
                  <span class="help">
                    {formatNumber(start + 1)} to {formatNumber(start + items.length)} of{' '}
                    {formatNumber(total)}
                  </span>
                )}
              </div>
            </Panel>
            {record !== undefined && (
              <RecordSheet
                key={`${name} ${record} ${turn}`}
                table={name}
                id={record}
                onClose={() => show({ record: '' })}
                onChange={reload}
              />
            )}
          </div>
          {isBelow && changes}
          <div class="columns">
            <WorldFileCommands />
            <RecordingPanel />
          </div>
        </>
      )}
    </>
  )
}

/** A form for a new record. */
function NewRecordForm({ table, onDone }: { table: string; onDone: (id: string) => void }) {
  const { api } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const [text, setText] = useState('{\n  \n}')
  const add = () =>
    run(async () => {
      const { id } = await api.send<{ id: number | string }>(
        'POST',
        `data/${table}`,
        JSON.parse(text),
      )
      onDone(String(id))
    })
  return (
    <div class="editor">
      <label>
        Fields of a record of {table}, as JSON. Missing fields get believable values.
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <ErrorMessage text={error} />
      <button type="button" class="primary" disabled={isBusy} onClick={add}>
        Add
      </button>
    </div>
  )
}

type RecordRow = Readonly<Record<string, unknown>>

interface RecordsProps {
  name: string
  items: readonly RecordRow[]
  /** URLs of the records' pictures, by id. */
  pictures: Readonly<Record<string, string>>
  /** Names of the records to which these refer, by field and id. */
  names: Readonly<Record<string, string>>
  /** Field to sort by, followed by `:desc` for descending order. */
  sort: string
  /** Id of the open record. */
  opened: string | undefined
  onSort: (sort: string) => void
  onOpen: (id: string) => void
}

/** Fields to show first, in this order: names and texts, amounts, states, times, and ids. */
const firstFields = (
  'name username label customName role fanId userId rawText text message amount price subscribePrice ' +
  'total status state type kind lastMessageAt createdAt postedAt subscribedAt ' +
  'transaction_created_at created_at at day accountId id'
).split(' ')

/** Tables to list first, in the order of the chapters of the API. */
const firstTables = (
  'accounts posts fans subscriptions transactions chats messages massMessages vaultMedia ' +
  'trackingLinks trialLinks tags notifications'
).split(' ')

/** Moves the given names to the start, in their order. */
function moveToStart(names: readonly string[], first: readonly string[]): readonly string[] {
  return [...new Set([...first.filter((name) => names.includes(name)), ...names])]
}

/** Lists the records of a table. Clicking a heading sorts them, and clicking a record opens it. */
function RecordTable({ name, items, pictures, names, sort, opened, onSort, onOpen }: RecordsProps) {
  const now = useStoreState((state) => Date.parse(state.pulse?.clock.now ?? ''))
  if (items.length === 0)
    return <p class="help">No records. Clear the search, or add one with “New record”.</p>
  const fields = moveToStart(Object.keys(items[0] ?? {}), firstFields)
  /** Returns the names of the record, or records, to which a field refers. */
  const nameOf = (field: string, value: unknown): string | undefined => {
    const found = [value].flat().map((id) => names[`${field} ${String(id)}`])
    return found.includes(undefined) ? undefined : found.join(', ') || undefined
  }
  const hasPictures = items.some(({ id }) => pictures[String(id)] !== undefined)
  const [sorted, direction = 'asc'] = sort.split(':')
  return (
    <Table
      label={`Records of ${name}`}
      className="records"
      rows={items}
      keyOf={(item) => String(item['id'])}
      onOpen={(item) => onOpen(String(item['id']))}
      isSelected={(item) => String(item['id']) === opened}
      columns={fields.map((field): Column<RecordRow> => {
        const isSorted = field === sorted
        const isDescending = direction === 'desc'
        return {
          title: field,
          className:
            items.every((item) => typeof item[field] === 'number') &&
            !isId(field) &&
            nameOf(field, items[0]?.[field]) === undefined
              ? 'number'
              : '',
          sort: isSorted ? (isDescending ? 'descending' : 'ascending') : undefined,
          hint: (item) => toText(item[field]),
          head: (
            <button
              type="button"
              class="plain"
              onClick={() => onSort(`${field}:${isSorted && isDescending ? 'asc' : 'desc'}`)}
            >
              {field}
              {isSorted && <span aria-hidden="true">{isDescending ? ' ↓' : ' ↑'}</span>}
            </button>
          ),
          cell: (item) => (
            <>
              {hasPictures && field === fields[0] && (
                <Thumbnail address={pictures[String(item['id'])]} />
              )}
              {field === 'id' ? (
                <button type="button" class="plain" onClick={() => onOpen(String(item['id']))}>
                  {String(item['id'])}
                </button>
              ) : (
                <CellText
                  field={field}
                  value={item[field]}
                  name={nameOf(field, item[field])}
                  now={now}
                />
              )}
            </>
          ),
        }
      })}
    />
  )
}

/** Shows a record's picture, or an empty space of the same size. */
function Thumbnail({ address }: { address: string | undefined }) {
  return address === undefined ? (
    <span class="thumbnail" />
  ) : (
    <img class="thumbnail" src={address} alt="" loading="lazy" />
  )
}

/** Fields with an amount in dollars. */
const money = new Set(['amount', 'fee', 'net', 'vat_amount', 'price', 'subscribePrice'])

/** Shows a name for an id, a time relative to the clock, or two decimals for an amount. */
function CellText({
  field,
  value,
  name,
  now,
}: {
  field: string
  value: unknown
  name: string | undefined
  /** Sandbox time, epoch ms. */
  now: number
}) {
  if (name !== undefined) return <>{name}</>
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return <time dateTime={value}>{formatAgo(value, now)}</time>
  if (value === null) return <span class="unit">–</span>
  if (typeof value !== 'number' || isId(field)) return <>{toText(value)}</>
  if (!money.has(field)) return <>{formatNumber(value)}</>
  const text = formatAmount(value).replace('-', '−')
  return value < 0 ? <span class="negative">{text}</span> : <>{text}</>
}

function isId(field: string): boolean {
  return /^id$|Id$/.test(field)
}

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value ?? 'null')
}
