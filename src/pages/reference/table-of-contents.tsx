import { useEffect, useRef, useState } from 'preact/hooks'
import { formatCount } from '../shared/format.ts'
import type { Catalogue } from './catalogue.ts'
import { guides } from './guides/guides.ts'
import { toHash } from './place.ts'
import type { DocumentName, Place } from './place.ts'
import type { Search } from './search/search.ts'
import type { SearchHit } from './search/texts.ts'
import { MethodLabel, SourceIcon, PathLabel } from './source.tsx'
import type { Entry } from './types.ts'

interface ContentsProps {
  catalogue: Catalogue
  /** The selected place, and the group of its operation. */
  place: Place
  current: Entry | undefined
  group: string | undefined
  modelCount: number
  search: Search
}

/** Maximum number of search results. */
const maxHits = 60

/** Lists the guides, the models and all operations by group, or the search results. */
export function TableOfContents({
  catalogue,
  place,
  current,
  group,
  modelCount,
  search,
}: ContentsProps) {
  const name = place.document
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const hits = text.trim() === '' ? undefined : search(text)
  useEffect(() => focusOnSlash(field), [])
  return (
    <nav class="contents" aria-label="Contents" onKeyDown={moveFocus}>
      <label class="hidden" for="search">
        Search guides, operations, fields and models
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
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('')
          const [first] = hits ?? []
          if (event.key === 'Enter' && first !== undefined)
            location.hash = toHash({ document: name, ...first.place })
        }}
      />
      <p class="help" role="status">
        {hits === undefined
          ? formatCount(catalogue.entries.length, 'operation')
          : hits.length === 0
            ? 'Nothing found. Try fewer words.'
            : `${formatCount(hits.length, 'result')}. Enter opens the first.`}
      </p>
      {hits === undefined ? (
        <>
          {name === 'api' && <Guides place={place} modelCount={modelCount} />}
          {[...catalogue.groups].map(([each, entries]) => (
            <Group
              key={each}
              title={each}
              isCurrent={each === group}
              entries={entries}
              {...{ name, current }}
            />
          ))}
        </>
      ) : (
        <ul aria-label="Results">
          {hits.slice(0, maxHits).map((hit) => (
            <HitItem key={toHash({ document: name, ...hit.place })} hit={hit} name={name} />
          ))}
          {hits.length > maxHits && (
            <li class="help">
              {hits.length - maxHits} more results. Add a word to narrow the search.
            </li>
          )}
        </ul>
      )}
    </nav>
  )
}

/** Lists the guides and the models. */
function Guides({ place, modelCount }: { place: Place; modelCount: number }) {
  const { section, item } = place
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Guides</summary>
        <ul>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a
                class="item"
                href={toHash({ document: 'api', section: 'guides', item: id })}
                aria-current={
                  section === 'guides' && item?.split('/')[0] === id ? 'page' : undefined
                }
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </details>
      <a
        class="item models"
        href={toHash({ document: 'api', section: 'models' })}
        aria-current={section === 'models' ? 'page' : undefined}
      >
        Models <span class="unit">{modelCount}</span>
      </a>
    </>
  )
}

function HitItem({ hit, name }: { hit: SearchHit; name: DocumentName }) {
  const { kind, title, note, place, entry } = hit
  return (
    <li>
      <a class="item" href={toHash({ document: name, ...place })}>
        {entry === undefined ? (
          <span class="method">{kind}</span>
        ) : (
          <MethodLabel name={entry.method} />
        )}
        <span class="summary">
          {title}
          {entry !== undefined && <PathLabel path={entry.path} />}
          <span class="help">{note}</span>
        </span>
        <SourceIcon level={entry?.operation['x-source']} />
      </a>
    </li>
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
}: {
  entry: Entry
  name: DocumentName
  current: Entry | undefined
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
        <MethodLabel name={method} />
        <span class="summary">{operation.summary}</span>
        <SourceIcon level={operation['x-source']} />
      </a>
    </li>
  )
}

/** Focuses the search field when / is pressed, unless the user is typing in a field. */
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

/** Moves the focus through the table of contents with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('#search, summary, a')]
  const index = stops.findIndex((stop) => stop === document.activeElement)
  event.preventDefault()
  stops[Math.max(0, Math.min(stops.length - 1, index + step))]?.focus()
}
