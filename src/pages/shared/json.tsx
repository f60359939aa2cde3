import { useState } from 'preact/hooks'

/** Number of items shown initially and added by each click. */
const itemsAtOnce = 50
/** Depth to which values are initially expanded. */
const openLevels = 3

/** Shows a collapsible JSON value with links and pictures. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <div class="json scrolls" tabIndex={0} role="region" aria-label={label}>
      <Node value={value} level={0} />
    </div>
  )
}

function Node({ name, value, level }: { name?: string; value: unknown; level: number }) {
  const key = name === undefined ? null : <span class="json-key">{name}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div class="json-line">
        {key}
        <JsonLeaf value={value} />
      </div>
    )
  return <Branch name={key} value={value} level={level} />
}

function Branch({
  name,
  value,
  level,
}: {
  name: preact.ComponentChild
  value: object
  level: number
}) {
  const entries = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index), item] as const)
    : Object.entries(value)
  const [isOpen, setOpen] = useState(level < openLevels && entries.length <= itemsAtOnce)
  const [shown, setShown] = useState(itemsAtOnce)
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  if (entries.length === 0)
    return (
      <div class="json-line">
        {name}
        <span class="json-empty">{Array.isArray(value) ? '[]' : '{}'}</span>
      </div>
    )
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name}
        <span class="json-empty">{size}</span>
      </summary>
      {isOpen && (
        <div class="json-inner">
          {entries.slice(0, shown).map(([key, item]) => (
            <Node key={key} name={key} value={item} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="small" onClick={() => setShown(shown + itemsAtOnce)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}

/** Shows a value that is neither a list nor an object. */
export function JsonLeaf({ value }: { value: unknown }) {
  if (typeof value !== 'string')
    return <span class={`json-${value === null ? 'null' : typeof value}`}>{String(value)}</span>
  const picture = getPictureUrl(value)
  const text = <span class="json-string">{JSON.stringify(value)}</span>
  if (!/^https?:\/\/\S+$/.test(value)) return text
  return (
    <>
      <a href={value} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
      {picture !== undefined && <img class="json-picture" src={picture} alt="" loading="lazy" />}
    </>
  )
}

/** Returns the URL of a picture served by the sandbox, or undefined for any other link. */
export function getPictureUrl(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { origin, pathname, searchParams } = new URL(link)
  const isPicture = /\.(?:jpe?g|png|gif|webp)(?:$|\?)/i.test(searchParams.get('url') ?? '')
  return origin === location.origin && pathname.endsWith('/media-proxy') && isPicture
    ? link
    : undefined
}
