import { formatTimestamp } from '../../shared/format.ts'
import { toHash } from '../shared/place.ts'
import type { RecordView } from '../../shared/types.ts'

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
export function RecordHistory({ changes }: { changes: readonly Change[] }) {
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
