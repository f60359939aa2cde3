import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toWorldUrl, getPageWorld } from '../../shared/api.ts'
import { getArrowKeyIndex, closeOnOutsideClick } from '../shared/outside-click.ts'
import { noteRecent, useSearchResults } from './search-results.ts'
import type { SearchHit } from './search-routes.ts'

interface SearchProps {
  onClose: () => void
  showHelp: () => void
}

/** Searches records, requests, routes, actions and console functions. */
export function SearchDialog({ isOpen, ...props }: SearchProps & { isOpen: boolean }) {
  const { onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  // Opens the dialog before the next key press, so that the input receives the key.
  useLayoutEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      class="search"
      aria-label="Search"
      onClose={onClose}
      onClick={closeOnOutsideClick}
    >
      {isOpen && <SearchBox {...props} />}
    </dialog>
  )
}

function SearchBox({ onClose, showHelp }: SearchProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { hits, problems, isSearching } = useSearchResults(text.trim(), showHelp)
  /** True after Enter was pressed before there was a result. */
  const [isEager, setEager] = useState(false)
  const open = (hit: SearchHit | undefined) => {
    if (hit === undefined) return
    noteRecent(hit)
    onClose()
    if (typeof hit.goal === 'string') location.href = hit.goal
    else hit.goal()
  }
  useEffect(() => {
    if (!isEager || isSearching) return
    setEager(false)
    open(hits[0])
  }, [isEager, isSearching])
  const onKey = (event: KeyboardEvent) => {
    const next = getArrowKeyIndex(event, { index: chosen, count: hits.length })
    if (next !== undefined) setChosen(next)
    if (event.key === 'Enter') {
      event.preventDefault()
      if (hits.length === 0) setEager(true)
      open(hits[chosen])
    }
  }
  return (
    <>
      <div class="search-line">
        <input
          type="text"
          role="combobox"
          aria-label="Search records, requests, routes, actions and console functions"
          aria-expanded={hits.length > 0}
          aria-controls="search-hits"
          aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
          placeholder="A name, a text, a path, an id, a status, or “clock”"
          value={text}
          autofocus
          onInput={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
            setEager(false)
          }}
          onKeyDown={onKey}
        />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <div id="search-hits" role="listbox" aria-label="Results" class="menu-list hits">
        {hits.map((hit, index) => (
          <a
            key={`${index} ${hit.text}`}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-current={index === chosen ? 'true' : undefined}
            ref={index === chosen ? scrollTo : undefined}
            href={toFullUrl(hit)}
            onClick={(event) => {
              if (typeof hit.goal === 'string') {
                noteRecent(hit)
                onClose()
                return
              }
              event.preventDefault()
              open(hit)
            }}
          >
            <span class="kind">{hit.kind}</span>{' '}
            <span>
              {hit.text}
              {hit.match !== undefined && <div class="help">{hit.match}</div>}
            </span>
          </a>
        ))}
      </div>
      {isSearching && (
        <p class="help">
          Searching records and requests…{isEager && ' The first result opens when it is found.'}
        </p>
      )}
      {text.trim() !== '' && hits.length === 0 && !isSearching && (
        <p class="help">
          {problems.length === 0 ? 'No result.' : 'No result in what was searched.'} Search for a
          name, a text, an id, a path, a status, or a word such as “refused”.
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} class="warning">
          {problem}
        </p>
      ))}
    </>
  )
}

/** Keeps the selected result in view while the user moves with the arrow keys. */
function scrollTo(hit: HTMLElement | null): void {
  hit?.scrollIntoView({ block: 'nearest' })
}

/**
 * Returns the full URL for a hash, because screen readers would treat an off-screen link to a hash
 * as a skip link.
 */
function toFullUrl({ goal }: SearchHit): string | undefined {
  if (typeof goal !== 'string') return undefined
  return goal.startsWith('#') ? toWorldUrl(getPageWorld() ?? null, goal) : goal
}
