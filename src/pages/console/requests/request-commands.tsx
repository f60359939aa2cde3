import { ErrorMessage } from '../forms/error-message.tsx'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import {
  resendRequest,
  toCurlCommand,
  toFetchCode,
  toResendRequest,
  toTestCode,
  withKey,
} from '../shared/request-export.ts'
import type { ResendRequest } from '../shared/request-export.ts'
import { FailRequestsForm } from '../actions/fail-requests-form.tsx'
import { CopyButton } from '../../shared/copy-button.tsx'
import { useCommandRunner, useStoreState, useStore } from '../../shared/hooks.ts'
import type { Entry, Row } from '../../shared/types.ts'

/** Commands for a request: resend, edit, copy, or make its route fail. */
export function RequestCommands({
  entry,
  onSent,
}: {
  entry: Entry
  /** Receives the id of the resent request. */
  onSent: (id: number) => void
}) {
  const { api, showToast: say } = useStore()
  const about = useStoreState((state) => state.about)
  const { error, isBusy, run } = useCommandRunner()
  const [isEditing, setEditing] = useState(false)
  const remake = toResendRequest(entry, about)
  const sendAgain = (what: ResendRequest) =>
    run(async () => {
      const status = await resendRequest(what)
      const [latest] = await api.get<Row[]>('requests', {
        brief: 'true',
        limit: 1,
        asked_by: 'console',
        // The path excludes the page's own requests, such as requests for pictures.
        path: what.path,
      })
      say(status === 0 ? 'Sent. The connection was closed.' : `Sent. The response was ${status}.`)
      if (latest !== undefined) onSent(latest.id)
    })
  const what = `request ${entry.id}`
  return (
    <div class="entry-actions">
      <div class="row">
        <button
          type="button"
          class={isEditing ? '' : 'primary'}
          disabled={isBusy}
          onClick={() => sendAgain(remake)}
        >
          Send again
        </button>
        <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit and send
        </button>
        <span class="choice">
          Copy as{' '}
          {Object.entries({
            curl: toCurlCommand(remake),
            fetch: toFetchCode(remake),
            test: toTestCode(remake, entry),
          }).map(([form, text]) => (
            <CopyButton
              key={form}
              text={text}
              label={form}
              name={`Copy as ${form}`}
              what={what}
              shortcut={form === 'curl' ? 'C' : undefined}
            />
          ))}
        </span>
      </div>
      {remake.isMasked && (
        <p class="help">
          The journal does not store this key. The copies have {remake.key?.[1]} in its place.
        </p>
      )}
      {entry.route !== null && <FailRequestsForm route={entry.route} />}
      {isEditing && <Editor remake={remake} keys={about?.keys ?? []} onSend={sendAgain} />}
      <ErrorMessage text={error} />
    </div>
  )
}

function Editor({
  remake,
  keys,
  onSend,
}: {
  remake: ResendRequest
  /** Keys of the world, with their roles. */
  keys: readonly { key: string; role: string }[]
  onSend: (remake: ResendRequest) => void
}) {
  const [edited, setEdited] = useState(remake)
  const [key, setKey] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [])
  const change = (part: Partial<ResendRequest>) => setEdited((before) => ({ ...before, ...part }))
  return (
    <form
      ref={form}
      class="editor"
      onSubmit={(event) => {
        event.preventDefault()
        const request = { ...edited, body: edited.body === '' ? null : edited.body }
        onSend(key === '' ? request : withKey(request, key))
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
        <label class="inline">
          Send as{' '}
          <select value={key} onChange={(event) => setKey(event.currentTarget.value)}>
            <option value="">as sent</option>
            {keys.map((each) => (
              <option key={each.key} value={each.key}>
                {each.role}
              </option>
            ))}
          </select>
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
