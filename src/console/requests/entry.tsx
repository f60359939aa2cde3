import type { ComponentChildren } from 'preact'
import { CopyButton } from '../shared/copy.tsx'
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
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import { Status } from '../shared/status.tsx'
import type { Audit, Entry } from '../shared/types.ts'
import { EntryActions } from './entry-actions.tsx'

/** The most characters of a body that is no JSON that are shown. */
const shownLength = 100_000

/** One request with all that was sent and answered. */
export function EntryView({ id }: { id: number }) {
  const { api } = useStore()
  const { data: found, error } = useLoad(
    () => api.get<Entry[]>('requests', { before: id + 1, limit: 1 }),
    '',
  )
  const { data: audit } = useLoad(
    () => api.get<Audit>('audit', { since: Math.max(0, id - 200) }),
    '',
  )
  if (found === undefined)
    return (
      <Panel title={`Request ${toNumber(id)}`}>
        <Problem text={error} />
      </Panel>
    )
  const entry = found.find((each) => each.id === id)
  if (entry === undefined)
    return <Panel title={`Request ${toNumber(id)}`}>The journal holds it no longer.</Panel>
  const findings = audit?.findings.filter(({ requests }) => requests.includes(id)) ?? []
  return (
    <Panel title={`Request ${toNumber(id)}`}>
      <p class="headline">
        <Status status={entry.status} /> <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      {entry.error !== null && (
        <p class="refusal">
          <strong>Refused:</strong> {entry.error}
        </p>
      )}
      {entry.note !== null && <p>{entry.note}</p>}
      {findings.map(({ rule, message, advice }) => (
        <p key={rule} class="warning">
          <strong>{message}</strong> {advice} <code>{rule}</code>
        </p>
      ))}
      {entry.ignored.length > 0 && findings.every(({ rule }) => rule !== 'ignored-parameter') && (
        <p class="warning">
          The route knows no such parameter, and ignored it:{' '}
          {entry.ignored.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <EntryActions entry={entry} />
      <NearMisses routes={entry.near_misses} />
      <Facts entry={entry} />
      <Headers headers={entry.request.headers} />
      <Body title="Request" {...entry.request} />
      <Body title="Answer" {...entry.response} />
    </Panel>
  )
}

function NearMisses({ routes }: { routes: readonly string[] }) {
  if (routes.length === 0) return null
  return (
    <>
      <h3>Routes near it</h3>
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

function Facts({ entry }: { entry: Entry }) {
  const about = useShared((state) => state.about)
  const account =
    about?.accounts.find(({ id }) => id === entry.account_id)?.username ?? entry.account_id
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Sandbox time', `${toMoment(entry.at)} UTC`],
    ['Real time', entry.real_at === null ? null : `${toMoment(entry.real_at)} UTC`],
    ['Took', entry.duration_ms === null ? null : toMilliseconds(entry.duration_ms)],
    ['Sizes', `${toBytes(entry.request.bytes)} sent, ${toBytes(entry.response.bytes)} answered`],
    ['Asked by', `${entry.asked_by}${entry.role === null ? '' : `, as ${entry.role}`}`],
    ['Route', entry.route === null ? 'none' : <RouteLink route={entry.route} />],
    ['Account', account],
    ['Key', entry.key ?? 'none was sent'],
    ['Credits', entry.credits],
    ['Fault', entry.fault === null ? null : `fault ${entry.fault}`],
    ['Code of the error', entry.code],
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A route, and what the documents say of it. */
function RouteLink({ route }: { route: string }) {
  return <a href={`../docs${location.search}#api/${encodeURIComponent(route)}`}>{route}</a>
}

function Headers({ headers }: { headers: Entry['request']['headers'] }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <details>
      <summary>{entries.length} headers of the request</summary>
      <dl class="facts">
        {entries.map(([name, value]) => (
          <div key={name} class="fact">
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Body({
  title,
  content_type: type,
  body,
}: {
  title: string
  content_type: string | null
  body: string | null
}) {
  const text = body === null ? '' : prettify(body)
  const value = body === null ? undefined : parseJson(body)
  return (
    <>
      <h3>
        {title} {type !== null && <span class="help">{type}</span>}{' '}
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
