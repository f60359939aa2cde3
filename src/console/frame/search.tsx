import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toWorldUrl, getPageWorld } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { getArrowKeyIndex } from '../shared/arrow-keys.ts'
import { useLoadedData, useStore } from '../shared/hooks.ts'
import { toHash } from '../shared/place.ts'
import { findRecords, looksLikeId, formatRecordName, toRecordHref } from '../shared/records.ts'
import { toDocsHref, useRoutes } from '../shared/routes.tsx'
import { toErrorMessage } from '../shared/store.ts'
import { useActions } from '../actions/use-actions.ts'
import type { Row } from '../shared/types.ts'
import { searchPageFunctions, usePageFunctions } from './page-functions.ts'

/** Tables to search. The data view can search the others. */
const searchedTables = ['fans', 'posts', 'messages', 'transactions', 'accounts'] as const
const perKind = 5
/** Minimum interval between searches while the user types, ms. */
const pauseMs = 150

interface SearchHit {
  kind: string
  text: string
  /** The place to open, or the function to call. */
  goal: string | (() => void)
}

/** Search results, and the reasons why some tables were not searched. */
interface SearchResults {
  hits: readonly SearchHit[]
  problems: readonly string[]
}

const nothing: SearchResults = { hits: [], problems: [] }

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
    <dialog ref={dialog} class="search" aria-label="Search" onClose={onClose}>
      {isOpen && <SearchBox {...props} />}
    </dialog>
  )
}

function SearchBox({ onClose, showHelp }: SearchProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { hits, problems } = useHits(text.trim(), showHelp)
  const open = (hit: SearchHit | undefined) => {
    if (hit === undefined) return
    onClose()
    if (typeof hit.goal === 'string') location.href = hit.goal
    else hit.goal()
  }
  const onKey = (event: KeyboardEvent) => {
    const next = getArrowKeyIndex(event, { index: chosen, count: hits.length })
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
        aria-label="Search records, requests, routes, actions and functions of the console"
        aria-expanded={hits.length > 0}
        aria-controls="search-hits"
        aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
        placeholder="A name, a text, a path, an id, a status, or “clock”"
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
            key={`${index} ${hit.text}`}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            aria-current={index === chosen ? 'true' : undefined}
            ref={index === chosen ? scrollTo : undefined}
            href={toFullUrl(hit)}
            onClick={(event) => {
              if (typeof hit.goal === 'string') return onClose()
              event.preventDefault()
              open(hit)
            }}
          >
            <span class="kind">{hit.kind}</span> <span>{hit.text}</span>
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

function useHits(text: string, showHelp: () => void): SearchResults {
  const { api } = useStore()
  const routes = useRoutes()
  const actions = useActions()
  const functions = usePageFunctions(showHelp)
  const { data = nothing } = useLoadedData(
    async () => (text === '' ? nothing : findRecordsAndRequests(api, text)),
    text,
    pauseMs,
  )
  const isLike = (each: string) => each.toLowerCase().includes(text.toLowerCase())
  if (text === '') return nothing
  const found = [
    ...listStatusHits(text),
    ...searchPageFunctions(functions, text)
      .slice(0, perKind)
      .map(({ text: shown, goal }) => ({ kind: 'console', text: shown, goal })),
    ...actions
      .filter(({ type, title, summary }) => [type, title, summary].some(isLike))
      .slice(0, perKind)
      .map(({ type, title }) => ({
        kind: 'action',
        text: title,
        goal: toHash({ view: 'actions', item: type }),
      })),
    ...data.hits,
    ...routes
      .filter(isLike)
      .slice(0, perKind)
      .flatMap((route) => [
        {
          kind: 'route',
          text: `${route}: its requests`,
          goal: toHash({ view: 'requests', filters: { route } }),
        },
        { kind: 'route', text: `${route}: its documentation`, goal: toDocsHref(route) },
      ]),
  ]
  return { hits: found, problems: data.problems }
}

/** Words that can precede a record id, as in `fan 12`, with their tables. */
const tableOfWord: Readonly<Record<string, string>> = {
  fan: 'fans',
  post: 'posts',
  message: 'messages',
  payment: 'transactions',
  transaction: 'transactions',
  account: 'accounts',
}

/** Returns hits that link to all requests with a given status. */
function listStatusHits(text: string): readonly SearchHit[] {
  if (!isStatus(text)) return []
  const goal = toHash({ view: 'requests', filters: { status: text } })
  return [{ kind: 'status', text: `All requests with the status ${text}`, goal }]
}

function isStatus(text: string): boolean {
  return /^[1-5]\d\d$/.test(text)
}

/** Finds records and requests, and reports tables that are too large to search. */
async function findRecordsAndRequests(api: Api, text: string): Promise<SearchResults> {
  const problems: string[] = []
  const report = (reason: unknown) => {
    problems.push(toErrorMessage(reason))
    return []
  }
  const [, word = '', id = ''] = /^([a-z]+?)s? *#? *(\d+)$/i.exec(text) ?? []
  const table = tableOfWord[word.toLowerCase()]
  const requestId = word.toLowerCase() === 'request' ? id : text.replace(/^#/, '')
  const searched = await Promise.all([
    looksLikeId(requestId) ? findRequest(api, Number(requestId)).catch(report) : [],
    isStatus(text) ? findRequests(api, { status: text }).catch(report) : [],
    table === undefined ? [] : findInTable(api, table, id).catch(report),
    // Records whose id contains a status code would hide the requests with that status.
    ...(isStatus(text) ? [] : searchedTables).map((each) =>
      findInTable(api, each, text).catch(report),
    ),
    findRequests(api, { contains: text }).catch(report),
  ])
  const hits = new Map(searched.flat().map((hit) => [hit.goal, hit]))
  return { hits: [...hits.values()], problems }
}

async function findRequest(api: Api, id: number): Promise<readonly SearchHit[]> {
  const rows = await api.get<Row[]>('requests', { before: id + 1, limit: 1, brief: 'true' })
  return rows.filter((row) => row.id === id).map(toRequestHit)
}

async function findRequests(
  api: Api,
  query: Readonly<Record<string, string>>,
): Promise<readonly SearchHit[]> {
  const rows = await api.get<Row[]>('requests', { ...query, brief: 'true', limit: perKind })
  return rows.map(toRequestHit)
}

async function findInTable(api: Api, table: string, text: string): Promise<readonly SearchHit[]> {
  const found = await findRecords(api, table, text, perKind)
  return found.map(({ record }) => toHit(table, record))
}

function toHit(table: string, record: Readonly<Record<string, unknown>>): SearchHit {
  return {
    kind: table,
    text: formatRecordName(record),
    goal: toRecordHref(table, String(record['id'])),
  }
}

function toRequestHit({ id, method, path, status }: Row): SearchHit {
  return {
    kind: 'request',
    text: `${id}: ${method} ${path}, ${status}`,
    goal: toHash({ view: 'requests', item: String(id) }),
  }
}
