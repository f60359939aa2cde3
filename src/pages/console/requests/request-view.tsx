import { ErrorMessage } from '../forms/error-message.tsx'
import { useEffect } from 'preact/hooks'
import { CopyButton } from '../../shared/copy-button.tsx'
import { FactList } from '../shared/fact-list.tsx'
import {
  parseJson,
  formatJson,
  formatBytes,
  formatMilliseconds,
  formatTimestamp,
  formatNumber,
} from '../../shared/format.ts'
import { useLoadedData, useStore, useStoreState } from '../../shared/hooks.ts'
import { JsonView } from '../../shared/json.tsx'
import { RouteLink } from '../shared/routes.tsx'
import { StatusCode } from '../../shared/status-code.tsx'
import { Tabs } from '../../shared/tabs.tsx'
import type { Audit, Entry, ExplainedEntry, Row } from '../../shared/types.ts'
import { RequestCommands } from './request-commands.tsx'
import { RequestExplanation } from './request-explanation.tsx'

/** The open tab, and the handlers for the buttons of a request. */
interface BodyProps {
  tab: string | undefined
  onTab: (tab: string) => void
  /** Receives the id of the resent request. */
  onSent: (id: number) => void
}

/** Maximum number of characters shown of a body that is not JSON. */
const shownLength = 100_000

/**
 * Shows a request and its response. `made` is the real time of the request, taken from the link.
 * Ids are reused after a reset, so without a time a link may refer to an earlier request. `onLoad`
 * adds a missing time.
 */
export function RequestView({
  id,
  made = '',
  onLoad,
  ...body
}: {
  id: number
  made?: string | undefined
  onLoad: (made: string) => void
} & BodyProps) {
  const { api } = useStore()
  const timesEmptied = useStoreState((state) => state.requests.timesEmptied)
  const { data: found, error } = useLoadedData(async () => {
    const rows = await api.get<Row[]>('requests', { before: id + 1, limit: 1, brief: 'true' })
    return rows[0]?.id === id ? [await api.get<ExplainedEntry>(`requests/${id}`)] : []
  }, String(timesEmptied))
  const { data: audit } = useLoadedData(
    () => api.get<Audit>('audit', { since: Math.max(0, id - 200) }),
    String(timesEmptied),
  )
  const entry = found?.[0]
  useEffect(() => {
    if (entry !== undefined && made === '') onLoad(entry.real_at ?? entry.at)
  }, [entry])
  const isGone = found !== undefined && (entry === undefined || !isSame(entry, made))
  const findings = audit?.findings.filter(({ requests }) => requests.includes(id)) ?? []
  return (
    <>
      <ErrorMessage text={error} />
      {isGone && (
        <p class="warning" role="status">
          This request is gone. The journal was deleted, or the world was reset or went back, or the
          journal keeps only newer requests. <a href="#requests">Requests of this world</a>
        </p>
      )}
      {entry !== undefined && !isGone && <EntryBody entry={entry} findings={findings} {...body} />}
    </>
  )
}

function isSame({ real_at: realAt, at }: Entry, made: string): boolean {
  return made === '' || made === (realAt ?? at)
}

function EntryBody({
  entry,
  findings,
  tab,
  onTab,
  onSent,
}: { entry: ExplainedEntry; findings: Audit['findings'] } & BodyProps) {
  return (
    <>
      <p class="headline">
        <StatusCode status={entry.status} /> <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      <p class="help">
        {entry.asked_by}
        {entry.role === null ? '' : `, as ${entry.role}`}{' '}
        {entry.route !== null && <RouteLink route={entry.route} />}
      </p>
      {entry.error !== null && (
        <p class="refusal">
          <strong>{describeFailure(entry)}:</strong> {entry.error} {entry.note}
        </p>
      )}
      {findings.map(({ rule, message }) => (
        <p key={rule} class="warning">
          {message}
        </p>
      ))}
      <IgnoredParameters entry={entry} findings={findings} />
      {entry.explanation.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <RequestCommands entry={entry} onSent={onSent} />
      <Tabs
        label="Parts of the request"
        shown={tab}
        onShow={onTab}
        tabs={[
          {
            id: 'answer',
            title: 'Answer',
            content: () => <Message title="Answer" message={entry.response} />,
          },
          {
            id: 'request',
            title: 'Request',
            content: () => <Message title="Request" message={entry.request} />,
          },
          {
            id: 'why',
            title: 'Why',
            content: () => <RequestExplanation entry={entry} findings={findings} />,
          },
          { id: 'timing', title: 'Timing', content: () => <RequestTiming entry={entry} /> },
        ]}
      />
    </>
  )
}

function describeFailure({ status, fault }: Entry): string {
  if (fault !== null) return `Failed as ordered (fault ${fault})`
  return status >= 500 ? 'Failed' : 'Refused'
}

/**
 * Shows parameters that had no effect, unless a finding already reports them. Only client requests
 * are audited.
 */
function IgnoredParameters({ entry, findings }: { entry: Entry; findings: Audit['findings'] }) {
  if (entry.ignored.length === 0 || findings.some(({ rule }) => rule === 'ignored-parameter'))
    return null
  return (
    <p class="warning">
      The route ignores these parameters: {entry.ignored.map(({ name }) => name).join(', ')}.
    </p>
  )
}

function RequestTiming({ entry }: { entry: Entry }) {
  return (
    <FactList
      facts={[
        ['Sandbox time', `${formatTimestamp(entry.at)} UTC`],
        ['Real time', entry.real_at === null ? null : `${formatTimestamp(entry.real_at)} UTC`],
        ['Took', entry.duration_ms === null ? null : formatMilliseconds(entry.duration_ms)],
        ['Sent', formatBytes(entry.request.bytes)],
        ['Answered', formatBytes(entry.response.bytes)],
      ]}
    />
  )
}

/** Shows the headers and body of a request or response. */
function Message({
  title,
  message: { headers, content_type: type, body },
}: {
  title: string
  message: Entry['request'] | Entry['response']
}) {
  const text = body === null ? '' : formatJson(body)
  const value = body === null ? undefined : parseJson(body)
  return (
    <>
      <FactList
        facts={Object.entries(headers).map(([name, value]) => [name, <code>{value}</code>])}
      />
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
            `\n… ${formatNumber(text.length - shownLength)} characters more`}
        </pre>
      )}
    </>
  )
}
