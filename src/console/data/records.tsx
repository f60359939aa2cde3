interface RecordsProps {
  name: string
  items: readonly Readonly<Record<string, unknown>>[]
  /** The addresses of their pictures, by id. */
  pictures: Readonly<Record<string, string>>
  /** The field, and `:desc` for the largest first. */
  sort: string
  onSort: (sort: string) => void
  onOpen: (id: string) => void
}

/** What people look for first in a record, in this order; all other fields come after. */
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

/** Records of a table, a line each: a click on a title sorts, one on a record opens it. */
export function Records({ name, items, pictures, sort, onSort, onOpen }: RecordsProps) {
  if (items.length === 0) return <p class="help">There is none.</p>
  const given = Object.keys(items[0] ?? {})
  const fields = [
    ...first.filter((field) => given.includes(field)),
    ...given.filter((field) => !first.includes(field)),
  ]
  const hasPictures = items.some(({ id }) => pictures[String(id)] !== undefined)
  const [sorted, direction = 'asc'] = sort.split(':')
  return (
    <div class="scrolls tall" role="region" aria-label={`Records of ${name}`} tabIndex={0}>
      <table class="records">
        <thead>
          <tr>
            {fields.map((field) => (
              <th
                key={field}
                scope="col"
                aria-sort={
                  field === sorted ? (direction === 'desc' ? 'descending' : 'ascending') : undefined
                }
              >
                <button
                  type="button"
                  class="plain"
                  onClick={() =>
                    onSort(
                      field === sorted && direction === 'desc' ? `${field}:asc` : `${field}:desc`,
                    )
                  }
                >
                  {field}
                  {field === sorted && (
                    <span aria-hidden="true">{direction === 'desc' ? ' ↓' : ' ↑'}</span>
                  )}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={String(item['id'])}>
              {fields.map((field) => (
                <td key={field} title={toText(item[field])}>
                  {field === 'id' ? (
                    <button type="button" class="plain" onClick={() => onOpen(String(item['id']))}>
                      {hasPictures && <Thumbnail address={pictures[String(item['id'])]} />}
                      {String(item['id'])}
                    </button>
                  ) : (
                    toText(item[field])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The picture of a record, or the room for one. */
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
