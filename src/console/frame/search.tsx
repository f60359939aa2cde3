import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { indexByArrow } from '../shared/arrow-keys.ts'
import { useLoad, useStore } from '../shared/hooks.ts'
import { toHash } from '../shared/place.ts'
import { findRecords, nameOfRecord, recordAddress } from '../shared/records.ts'
import { useRoutes } from '../shared/routes.ts'
import { useActions } from '../actions/use-actions.ts'
import type { Row } from '../shared/types.ts'

/** The tables to search. Other tables have a search of their own in the data. */
const searchedTables = ['fans', 'posts', 'messages', 'transactions'] as const
const perKind = 5
/** Pause between two searches while the user types, ms. */
const pauseMs = 150

interface Hit {
  kind: string
  text: string
  href: string
}

/** Searches records, requests, routes and actions. */
export function Search({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Opens before the next key, so that the input receives it.
  useLayoutEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} class="search" aria-label="Search" onClose={onClose}>
      {isOpen && <SearchBox onClose={onClose} />}
    </dialog>
  )
}

function SearchBox({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const hits = useHits(text.trim())
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return
    onClose()
    location.href = hit.href
  }
  const onKey = (event: KeyboardEvent) => {
    const next = indexByArrow(event, { index: chosen, count: hits.length })
    if (next !== undefined) setChosen(next)
    if (event.key === 'Enter') {
      event.preventDefault()
      open(hits[chosen])
    }
  }
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search fans, posts, messages, payments, requests, routes and actions"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
        placeholder="A name, a text, a path or an id"
        value={text}
        autofocus
        onInput={(event) => {
          setText(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <div id="search-hits" role="listbox" aria-label="Results" class="menu-list hits">
        {hits.map((hit, index) => (
          <a
            key={hit.href + hit.text}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-current={index === chosen ? 'true' : undefined}
            href={hit.href}
            onClick={onClose}
          >
            <span class="kind">{hit.kind}</span> {hit.text}
          </a>
        ))}
      </div>
      {text.trim() !== '' && hits.length === 0 && <p class="help">No result.</p>}
    </>
  )
}

function useHits(text: string): readonly Hit[] {
  const { api } = useStore()
  const routes = useRoutes()
  const actions = useActions()
  const { data = [] } = useLoad(
    async (): Promise<readonly Hit[]> => {
      if (text === '') return []
      const [requests, ...tables] = await Promise.all([
        api.get<Row[]>('requests', { contains: text, brief: 'true', limit: perKind }),
        ...searchedTables.map((table) => findRecords(api, table, text, perKind)),
      ])
      const records = tables.flatMap((found, index) =>
        found.map(({ record }): Hit => {
          const table = searchedTables[index] ?? ''
          const href = recordAddress(table, String(record['id']))
          return { kind: table, text: nameOfRecord(record), href }
        }),
      )
      return [
        ...records,
        ...requests.map(({ id, method, path, status }) => ({
          kind: 'request',
          text: `${id}: ${method} ${path}, ${status}`,
          href: toHash({ view: 'requests', item: String(id) }),
        })),
      ]
    },
    text,
    pauseMs,
  )
  const isLike = (each: string) => each.toLowerCase().includes(text.toLowerCase())
  if (text === '') return []
  return [
    ...actions
      .filter(({ type, title, summary }) => [type, title, summary].some(isLike))
      .slice(0, perKind)
      .map(({ type, title }) => ({
        kind: 'action',
        text: title,
        href: toHash({ view: 'actions', item: type }),
      })),
    ...data,
    ...routes
      .filter(isLike)
      .slice(0, perKind)
      .map((route) => ({
        kind: 'route',
        text: route,
        href: toHash({ view: 'requests', filters: { route } }),
      })),
  ]
}
