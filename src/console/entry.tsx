import { CopyButton } from './copy.tsx'
import { prettify, toMoment, toNumber } from './format.ts'
import { useLoad, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'
import { Status } from './status.tsx'
import type { About, Entry } from './types.ts'

/** The most characters of a body that are shown. */
const shownLength = 100_000

/** One request with its bodies. */
export function EntryView({ id }: { id: number }) {
  const { api } = useStore()
  const about = useShared((state) => state.about)
  const { data: found, error } = useLoad(() => api.get<Entry[]>('requests', { before: id + 1, limit: 1 }), '')
  if (found === undefined) return <Panel title="One request">{error !== undefined && <p class="error">{error}</p>}</Panel>
  const entry = found.find((each) => each.id === id)
  if (entry === undefined) return <Panel title="One request">The journal holds it no longer.</Panel>
  return (
    <Panel title={`Request ${toNumber(id)}`} aside={<CopyButton text={toCurl(entry, about)} label="Copy as curl" what={`request ${id}`} />}>
      <p class="headline">
        <Status status={entry.status} /> <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      {entry.error !== null && (
        <p class="refusal">
          <strong>Refused:</strong> {entry.error}
        </p>
      )}
      {entry.note !== null && <p>{entry.note}</p>}
      {entry.near_misses.length > 0 && (
        <>
          <h3>Routes near it</h3>
          <ul>
            {entry.near_misses.map((route) => (
              <li key={route}>
                <code>{route}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <dl class="facts">
        <dt>Sandbox time</dt>
        <dd>{toMoment(entry.at)} UTC</dd>
        <dt>Route</dt>
        <dd>{entry.route ?? 'none'}</dd>
        <dt>Key</dt>
        <dd>{entry.key ?? 'none was sent'}</dd>
        <dt>Credits</dt>
        <dd>{entry.credits}</dd>
      </dl>
      <Body title="Request" {...entry.request} />
      <Body title="Answer" {...entry.response} />
    </Panel>
  )
}

function Body({ title, content_type: type, body }: { title: string; content_type: string | null; body: string | null }) {
  const text = body === null ? '' : prettify(body)
  return (
    <>
      <h3>
        {title} {type !== null && <span class="help">{type}</span>}{' '}
        {text !== '' && <CopyButton text={text} what={`the ${title.toLowerCase()}`} />}
      </h3>
      {text === '' ? (
        <p class="help">No body.</p>
      ) : (
        <pre class="scrolls" tabIndex={0} aria-label={title}>
          {text.slice(0, shownLength)}
          {text.length > shownLength && `\n… ${toNumber(text.length - shownLength)} characters more`}
        </pre>
      )}
    </>
  )
}

/** Writes a request as a curl command. The journal keeps only the end of the key, so the whole key is looked up. */
function toCurl({ method, path, key, request }: Entry, about: About | null): string {
  const wholeKey = about?.keys.find((each) => key !== null && each.key.endsWith(key.slice(1)))?.key
  const address = new URL('..', document.baseURI).href.replace(/\/$/, '') + path
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(wholeKey === undefined ? [] : ['-H', quote(`Authorization: Bearer ${wholeKey}`)]),
    ...(request.body === null
      ? []
      : ['-H', quote(`Content-Type: ${request.content_type ?? 'application/json'}`), '--data-raw', quote(request.body)]),
    quote(address),
  ]
  return parts.join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
