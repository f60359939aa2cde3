import { parseJson, formatBytes, formatMilliseconds, formatNumber } from '../shared/format.ts'
import { JsonView, getPictureUrl } from '../shared/json.tsx'
import { StatusCode } from '../shared/status-code.tsx'
import { getConsoleUrl } from './place.ts'
import type { ReceivedText } from './send.ts'

/** Shows the response to the sent request. */
export function ReceivedResponse({
  answer: { status, type, text, headers, bytes, milliseconds, id, url },
}: {
  answer: ReceivedText
}) {
  const value = text === undefined ? undefined : parseJson(text)
  return (
    <div class="received">
      <p class="row">
        <StatusCode status={status} />
        <span class="unit">{formatMilliseconds(milliseconds)}</span>{' '}
        <span class="unit">{formatBytes(bytes)}</span>
        {id !== undefined && (
          <a href={getConsoleUrl(`#requests/${id}`)} target="_blank">
            Show in the console <span class="hidden">request {formatNumber(id)}, in a new tab</span>
          </a>
        )}
      </p>
      <details>
        <summary>{Object.keys(headers).length} headers</summary>
        <dl class="facts">
          {Object.entries(headers).map(([name, text]) => (
            <div key={name} class="fact">
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {value !== undefined && <JsonView value={value} label="Answer" />}
      {value === undefined && text !== undefined && text !== '' && (
        <pre class="scrolls" tabIndex={0} role="region" aria-label="Answer">
          {text}
        </pre>
      )}
      {text === undefined && (
        <p>
          A file, {type}. <a href={url}>Open it</a>
          {getPictureUrl(url) !== undefined && status < 300 && (
            <img class="picture" src={url} alt="" />
          )}
        </p>
      )}
    </div>
  )
}
