import { useEffect, useRef, useState } from 'preact/hooks'
import { toCount } from '../console/shared/format.ts'
import type { Catalogue } from './catalogue.ts'
import { toHash } from './place.ts'
import type { DocumentName } from './place.ts'
import type { Search } from './search.ts'
import { Method, SourceMark } from './source.tsx'
import type { Entry } from './types.ts'

interface ContentsProps {
  catalogue: Catalogue
  name: DocumentName
  /** The operation that is open, and its group. */
  current: Entry | undefined
  group: string | undefined
  search: Search
}

/** Maximum number of search results. */
const maxHits = 60

/** All operations by group, or search results. */
export function Contents({ catalogue, name, current, group, search }: ContentsProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const hits = text.trim() === '' ? undefined : search(text)
  useEffect(() => focusOnSlash(field), [])
  return (
    <nav class="contents" aria-label="Contents" onKeyDown={moveFocus}>
      <label class="hidden" for="search">
        Search operations and fields
      </label>
      <input
        id="search"
        ref={field}
        type="search"
        placeholder="Search (press /)"
        aria-keyshortcuts="/"
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      <p class="help" role="status">
        {hits === undefined
          ? toCount(catalogue.entries.length, 'operation')
          : `${toCount(hits.length, 'operation')} found`}
      </p>
      {hits === undefined ? (
        [...catalogue.groups].map(([each, entries]) => (
          <Group
            key={each}
            title={each}
            isCurrent={each === group}
            entries={entries}
            {...{ name, current }}
          />
        ))
      ) : (
        <ul>
          {hits.slice(0, maxHits).map(({ entry, field: found }) => (
            <Item
              key={entry.method + entry.path}
              {...{ entry, name, current }}
              note={found === undefined ? entry.group : `field ${found}`}
            />
          ))}
          {hits.length > maxHits && (
            <li class="help">{hits.length - maxHits} more: another word finds fewer.</li>
          )}
        </ul>
      )}
    </nav>
  )
}

interface GroupProps {
  title: string
  entries: readonly Entry[]
  name: DocumentName
  current: Entry | undefined
  isCurrent: boolean
}

function Group({ title, entries, name, current, isCurrent }: GroupProps) {
  const [isOpen, setOpen] = useState(isCurrent)
  useEffect(() => {
    if (isCurrent) setOpen(true)
  }, [isCurrent])
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span class="unit">{entries.length}</span>
      </summary>
      {isOpen && (
        <ul>
          {entries.map((entry) => (
            <Item key={entry.method + entry.path} {...{ entry, name, current }} />
          ))}
        </ul>
      )}
    </details>
  )
}

function Item({
  entry,
  name,
  current,
  note,
}: {
  entry: Entry
  name: DocumentName
  current: Entry | undefined
  note?: string
}) {
  const { id, method, path, operation } = entry
  return (
    <li>
      <a
        class="item"
        href={toHash({ document: name, item: id })}
        title={`${method} ${path}`}
        aria-current={entry === current ? 'page' : undefined}
      >
        <Method name={method} />
        <span class="summary">
          {operation.summary}
          {note !== undefined && <span class="help">{note}</span>}
        </span>
        <SourceMark level={operation['x-source']} />
      </a>
    </li>
  )
}

/** Focuses the search on the key /, unless the user is typing. */
function focusOnSlash(field: { current: HTMLInputElement | null }): () => void {
  const listen = (event: KeyboardEvent) => {
    const isTyping = (event.target as Element).closest('input, textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}

/** Moves the focus through the contents with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('#search, summary, a')]
  const index = stops.findIndex((stop) => stop === document.activeElement)
  event.preventDefault()
  stops[Math.max(0, Math.min(stops.length - 1, index + step))]?.focus()
}
