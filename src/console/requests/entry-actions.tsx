import { useState } from 'preact/hooks'
import { send, toCurl, toFetch, toRemake, toTest } from '../shared/copies.ts'
import type { Remake } from '../shared/copies.ts'
import { CopyButton } from '../shared/copy.tsx'
import { useDeed, useShared, useStore } from '../shared/hooks.ts'
import { showPlace } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { Entry, Row } from '../shared/types.ts'

/**
 * What can be done with a request: make it again as it was or another one, copy it, let its route
 * fail.
 */
export function EntryActions({ entry }: { entry: Entry }) {
  const { api } = useStore()
  const about = useShared((state) => state.about)
  const { error, isBusy, run } = useDeed()
  const [said, setSaid] = useState<string>()
  const [isEditing, setEditing] = useState(false)
  const remake = toRemake(entry, about)
  const sendAgain = (what: Remake) =>
    run(async () => {
      const status = await send(what)
      const [latest] = await api.get<Row[]>('requests', {
        brief: 'true',
        limit: 1,
        asked_by: 'console',
        // A picture that the page shows is a request of its own.
        path: what.path,
      })
      setSaid(`Sent, and answered ${status}.`)
      if (latest !== undefined) showPlace({ view: 'requests', item: String(latest.id) })
    })
  const fail = () =>
    run(async () => {
      await api.send('POST', 'faults', { route: entry.route, status: 502 })
      setSaid('The route answers 502 until the fault is lifted, above.')
    })
  return (
    <div class="entry-actions">
      <div class="row">
        <button type="button" disabled={isBusy} onClick={() => sendAgain(remake)}>
          Send again
        </button>
        <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit and send
        </button>
        <CopyButton text={toCurl(remake)} label="Copy as curl" what={`request ${entry.id}`} />
        <CopyButton text={toFetch(remake)} label="Copy as fetch" what={`request ${entry.id}`} />
        <CopyButton
          text={toTest(remake, entry)}
          label="Copy as test"
          what={`request ${entry.id}`}
        />
        {entry.route !== null && (
          <button type="button" disabled={isBusy} onClick={fail}>
            Fail this route
          </button>
        )}
      </div>
      {isEditing && <Editor remake={remake} onSend={sendAgain} />}
      <div aria-live="polite">
        <Problem text={error} />
        {said !== undefined && <p class="done">{said}</p>}
      </div>
    </div>
  )
}

function Editor({ remake, onSend }: { remake: Remake; onSend: (remake: Remake) => void }) {
  const [edited, setEdited] = useState(remake)
  const change = (part: Partial<Remake>) => setEdited((before) => ({ ...before, ...part }))
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault()
        onSend({ ...edited, body: edited.body === '' ? null : edited.body })
      }}
    >
      <div class="row">
        <label class="inline">
          Method{' '}
          <input
            class="narrow"
            value={edited.method}
            onInput={(event) => change({ method: event.currentTarget.value.toUpperCase() })}
          />
        </label>
        <label class="inline grow">
          Path{' '}
          <input
            class="grow"
            value={edited.path}
            onInput={(event) => change({ path: event.currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Body
        <textarea
          rows={6}
          value={edited.body ?? ''}
          onInput={(event) => change({ body: event.currentTarget.value })}
        />
      </label>
      <button type="submit" class="primary">
        Send
      </button>
    </form>
  )
}
