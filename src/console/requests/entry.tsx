import { useEffect } from 'preact/hooks'
import { CopyButton } from '../shared/copy.tsx'
import { Facts } from '../shared/facts.tsx'
import {
  parseJson,
  prettify,
  toBytes,
  toMilliseconds,
  toMoment,
  toNumber,
} from '../shared/format.ts'
import { useLoad, useShared, useStore } from '../shared/hooks.ts'
import { JsonView } from '../shared/json.tsx'
import { docsAddress } from '../shared/routes.ts'
import { ErrorMessage } from '../forms/error-message.tsx'
import { Sheet } from '../shared/sheet.tsx'
import { Status } from '../shared/status.tsx'
import { Tabs } from '../shared/tabs.tsx'
import type { Audit, Entry, ExplainedEntry, Row } from '../shared/types.ts'
import { EntryActions } from './entry-actions.tsx'

/** Maximum number of characters that are shown of a body that is not JSON. */
const shownLength = 100_000

/**
 * One request with its answer. `made` is its real time from the link: ids start again after a
 * reset, so the link may be of an older request. `onLoad` adds it to a link without one.
 */
export function EntryView({
  id,
  made = '',
  onLoad,
  onClose,
}: {
  id: number
  made?: string | undefined
  onLoad: (made: string) => void
  onClose: () => void
}) {
  const { api } = useStore()
  const { data: found, error } = useLoad(async () => {
    const rows = await api.get<Row[]>('requests', { before: id + 1, limit: 1, brief: 'true' })
    return rows[0]?.id === id ? [await api.get<ExplainedEntry>(`requests/${id}`)] : []
  }, '')
  const { data: audit } = useLoad(
    () => api.get<Audit>('audit', { since: Math.max(0, id - 200) }),
    '',
  )
  const entry = found?.[0]
  useEffect(() => {
    if (entry !== undefined && made === '') onLoad(entry.real_at ?? entry.at)
  }, [entry])
  const isGone = found !== undefined && (entry === undefined || !isSame(entry, made))
  const findings = audit?.findings.filter(({ requests }) => requests.includes(id)) ?? []
  return (
    <Sheet title={`Request ${toNumber(id)}`} closeName="Close the request" onClose={onClose}>
      <ErrorMessage text={error} />
      {isGone && (
        <p class="warning" role="status">
          This request is gone: the journal was emptied or reset, or it keeps only newer requests.
        </p>
      )}
      {entry !== undefined && !isGone && <EntryBody entry={entry} findings={findings} />}
    </Sheet>
  )
}

function isSame({ real_at: realAt, at }: Entry, made: string): boolean {
  return made === '' || made === (realAt ?? at)
}

function EntryBody({ entry, findings }: { entry: ExplainedEntry; findings: Audit['findings'] }) {
  return (
    <>
      <p class="headline">
        <Status status={entry.status} /> <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      <p class="help">
        {entry.asked_by}
        {entry.role === null ? '' : `, as ${entry.role}`}{' '}
        {entry.route !== null && <RouteLink route={entry.route} />}
      </p>
      {entry.error !== null && (
        <p class="refusal">
          <strong>Refused:</strong> {entry.error}
        </p>
      )}
      {findings.map(({ rule, message }) => (
        <p key={rule} class="warning">
          {message}
        </p>
      ))}
      {entry.explanation.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <EntryActions entry={entry} />
      <Tabs
        label="Parts of the request"
        tabs={[
          {
            title: 'Answer',
            content: () => <Message title="Answer" message={entry.response} />,
          },
          {
            title: 'Request',
            content: () => <Message title="Request" message={entry.request} />,
          },
          { title: 'Why', content: () => <Why entry={entry} findings={findings} /> },
          { title: 'Timing', content: () => <Timing entry={entry} /> },
        ]}
      />
    </>
  )
}

function Why({ entry, findings }: { entry: Entry; findings: Audit['findings'] }) {
  const about = useShared((state) => state.about)
  const account =
    about?.accounts.find(({ id }) => id === entry.account_id)?.username ?? entry.account_id
  return (
    <>
      {entry.note !== null && <p>{entry.note}</p>}
      {findings.map(({ rule, message, advice }) => (
        <p key={rule} class="warning">
          <strong>{message}</strong> {advice} <code>{rule}</code>
        </p>
      ))}
      {entry.ignored.length > 0 && findings.every(({ rule }) => rule !== 'ignored-parameter') && (
        <p class="warning">
          The route ignores these parameters: {entry.ignored.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <NearMisses routes={entry.near_misses} />
      <Facts
        facts={[
          ['Error', entry.error],
          ['Error code', entry.code],
          ['Route', entry.route ?? 'none'],
          ['Key', entry.key ?? 'none was sent'],
          ['Account', account],
          ['Credits', entry.credits],
          ['Fault', entry.fault === null ? null : `fault ${entry.fault}`],
        ]}
      />
    </>
  )
}

function Timing({ entry }: { entry: Entry }) {
  return (
    <Facts
      facts={[
        ['Sandbox time', `${toMoment(entry.at)} UTC`],
        ['Real time', entry.real_at === null ? null : `${toMoment(entry.real_at)} UTC`],
        ['Took', entry.duration_ms === null ? null : toMilliseconds(entry.duration_ms)],
        ['Sent', toBytes(entry.request.bytes)],
        ['Answered', toBytes(entry.response.bytes)],
      ]}
    />
  )
}

function NearMisses({ routes }: { routes: readonly string[] }) {
  if (routes.length === 0) return null
  return (
    <>
      <h3>Similar routes</h3>
      <ul>
        {routes.map((route) => (
          <li key={route}>
            <code>{route}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A link from a route to its documentation. */
function RouteLink({ route }: { route: string }) {
  return <a href={docsAddress(route)}>{route}</a>
}

/** The headers and the body of a request or an answer. */
function Message({
  title,
  message: { headers, content_type: type, body },
}: {
  title: string
  message: Entry['request'] | Entry['response']
}) {
  const text = body === null ? '' : prettify(body)
  const value = body === null ? undefined : parseJson(body)
  return (
    <>
      <Facts facts={Object.entries(headers).map(([name, value]) => [name, <code>{value}</code>])} />
      <h3>
        Body {type !== null && <span class="help">{type}</span>}{' '}
        {text !== '' && <CopyButton text={text} what={`the ${title.toLowerCase()}`} />}
      </h3>
      {value !== undefined && <JsonView value={value} label={title} />}
      {value === undefined && text === '' && <p class="help">No body.</p>}
      {value === undefined && text !== '' && (
        <pre class="scrolls" tabIndex={0} aria-label={title}>
          {text.slice(0, shownLength)}
          {text.length > shownLength &&
            `\n… ${toNumber(text.length - shownLength)} characters more`}
        </pre>
      )}
    </>
  )
}
