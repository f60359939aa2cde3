import type { ErrorExample } from './catalogue.ts'

/** Matches the parts of JSON that are highlighted: keys, strings, numbers and keywords. */
const parts = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** Shows highlighted JSON, or other text without highlighting. */
export function JsonText({ text, label }: { text: string; label: string }) {
  return (
    <pre class="json-text scrolls" tabIndex={0} role="region" aria-label={label}>
      {/^\s*[[{]/.test(text) ? toColours(text) : text}
    </pre>
  )
}

function toColours(text: string) {
  let end = 0
  const shown = [...text.matchAll(parts)].flatMap((match) => {
    const [whole, quoted, colon, number] = match
    const kind =
      quoted !== undefined
        ? colon === undefined
          ? 'string'
          : 'key'
        : number !== undefined
          ? 'number'
          : 'boolean'
    const before = text.slice(end, match.index)
    end = match.index + whole.length
    return [before, <span class={`json-${kind}`}>{whole}</span>]
  })
  return [...shown, text.slice(end)]
}

/** Lists errors by code, each with an example body. */
export function ErrorBodies({ errors }: { errors: readonly ErrorExample[] }) {
  return (
    <dl class="error-bodies">
      {errors.map(([code, body]) => (
        <div key={code}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>
            <JsonText text={JSON.stringify(body)} label={`Body of ${code}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
