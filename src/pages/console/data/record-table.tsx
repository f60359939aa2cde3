import { Table } from '../shared/table.tsx'
import type { Column } from '../shared/table.tsx'

type RecordRow = Readonly<Record<string, unknown>>

interface RecordsProps {
  name: string
  items: readonly RecordRow[]
  /** URLs of the records' pictures, by id. */
  pictures: Readonly<Record<string, string>>
  /** Field to sort by, followed by `:desc` for descending order. */
  sort: string
  onSort: (sort: string) => void
  onOpen: (id: string) => void
}

/** Fields to show first, in this order. */
const first = [
  'id',
  'name',
  'username',
  'accountId',
  'fanId',
  'text',
  'rawText',
  'title',
  'status',
  'amount',
  'price',
  'createdAt',
  'postedAt',
  'at',
]

/** Lists the records of a table. Clicking a heading sorts them, and clicking a record opens it. */
export function RecordTable({ name, items, pictures, sort, onSort, onOpen }: RecordsProps) {
  if (items.length === 0)
    return <p class="help">No records. Clear the search, or add one with “New record”.</p>
  const given = Object.keys(items[0] ?? {})
  const fields = [
    ...first.filter((field) => given.includes(field)),
    ...given.filter((field) => !first.includes(field)),
  ]
  const hasPictures = items.some(({ id }) => pictures[String(id)] !== undefined)
  const [sorted, direction = 'asc'] = sort.split(':')
  return (
    <Table
      label={`Records of ${name}`}
      className="records"
      rows={items}
      keyOf={(item) => String(item['id'])}
      columns={fields.map((field): Column<RecordRow> => {
        const isSorted = field === sorted
        const isDescending = direction === 'desc'
        return {
          title: field,
          className:
            items.every((item) => typeof item[field] === 'number') && field !== 'id'
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
          cell: (item) =>
            field === 'id' ? (
              <button type="button" class="plain" onClick={() => onOpen(String(item['id']))}>
                {hasPictures && <Thumbnail address={pictures[String(item['id'])]} />}
                {String(item['id'])}
              </button>
            ) : (
              toText(item[field])
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

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value ?? 'null')
}
