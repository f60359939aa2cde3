import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { worldAddress, worldOfPage } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { indexByArrow } from '../shared/arrow-keys.ts'
import { useLoad, useStore } from '../shared/hooks.ts'
import { toHash } from '../shared/place.ts'
import { findRecords, isId, nameOfRecord, recordAddress } from '../shared/records.ts'
import { docsAddress, useRoutes } from '../shared/routes.tsx'
import { messageOf } from '../shared/store.ts'
import { useActions } from '../actions/use-actions.ts'
import type { Row } from '../shared/types.ts'

/** The tables to search. Other tables have a search of their own in the data. */
const searchedTables = ['fans', 'posts', 'messages', 'transactions', 'accounts'] as const
const perKind = 5
/** Pause between two searches while the user types, ms. */
const pauseMs = 150

interface Hit {
  kind: string
  text: string
  href: string
}

/** The results, and the reasons why some tables were not searched. */
interface Found {
  hits: readonly Hit[]
  problems: readonly string[]
}

const nothing: Found = { hits: [], problems: [] }

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
  const { hits, problems } = useHits(text.trim())
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
            // A plain hash outside the window would be a skip link for screen readers.
            href={
              hit.href.startsWith('#') ? worldAddress(worldOfPage() ?? null, hit.href) : hit.href
            }
            onClick={onClose}
          >
            <span class="kind">{hit.kind}</span> {hit.text}
          </a>
        ))}
      </div>
      {text.trim() !== '' && hits.length === 0 && (
        <p class="help">No result. Every word of a record is searched, and ids.</p>
      )}
      {problems.map((problem) => (
        <p key={problem} class="warning">
          {problem}
        </p>
      ))}
    </>
  )
}

function useHits(text: string): Found {
  const { api } = useStore()
  const routes = useRoutes()
  const actions = useActions()
  const { data = nothing } = useLoad(
    async () => (text === '' ? nothing : findStored(api, text)),
    text,
    pauseMs,
  )
  const isLike = (each: string) => each.toLowerCase().includes(text.toLowerCase())
  if (text === '') return nothing
  const found = [
    ...actions
      .filter(({ type, title, summary }) => [type, title, summary].some(isLike))
      .slice(0, perKind)
      .map(({ type, title }) => ({
        kind: 'action',
        text: title,
        href: toHash({ view: 'actions', item: type }),
      })),
    ...data.hits,
    ...routes
      .filter(isLike)
      .slice(0, perKind)
      .flatMap((route) => [
        {
          kind: 'route',
          text: `${route}: its requests`,
          href: toHash({ view: 'requests', filters: { route } }),
        },
        { kind: 'route', text: `${route}: its documentation`, href: docsAddress(route) },
      ]),
  ]
  return { hits: found, problems: data.problems }
}

/** Finds records and requests. A table that is too large for a search is reported, not skipped. */
async function findStored(api: Api, text: string): Promise<Found> {
  const problems: string[] = []
  const report = (reason: unknown) => {
    problems.push(messageOf(reason))
    return []
  }
  const searched = await Promise.all([
    isId(text) ? findRequest(api, Number(text)).catch(report) : [],
    ...searchedTables.map((table) =>
      findRecords(api, table, text, perKind).then(
        (found) => found.map(({ record }) => toHit(table, record)),
        report,
      ),
    ),
    api
      .get<Row[]>('requests', { contains: text, brief: 'true', limit: perKind })
      .then((rows) => rows.map(toRequestHit), report),
  ])
  const hits = new Map(searched.flat().map((hit) => [hit.href, hit]))
  return { hits: [...hits.values()], problems }
}

async function findRequest(api: Api, id: number): Promise<readonly Hit[]> {
  const rows = await api.get<Row[]>('requests', { before: id + 1, limit: 1, brief: 'true' })
  return rows.filter((row) => row.id === id).map(toRequestHit)
}

function toHit(table: string, record: Readonly<Record<string, unknown>>): Hit {
  return {
    kind: table,
    text: nameOfRecord(record),
    href: recordAddress(table, String(record['id'])),
  }
}

function toRequestHit({ id, method, path, status }: Row): Hit {
  return {
    kind: 'request',
    text: `${id}: ${method} ${path}, ${status}`,
    href: toHash({ view: 'requests', item: String(id) }),
  }
}
