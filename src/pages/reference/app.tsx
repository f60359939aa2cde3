import { useMemo } from 'preact/hooks'
import { getPageWorld } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { useLoadedData } from '../shared/hooks.ts'
import { ThemeButton } from '../shared/theme.tsx'
import { useSelectedKey } from './selected-key.ts'
import { createCatalogue } from './catalogue.ts'
import { getConsoleUrl, documents, toHash, usePlace } from './place.ts'
import type { DocumentName, Place } from './place.ts'
import { DocumentView } from './document-view.tsx'
import type { ApiDocument } from './types.ts'

export function App({ api }: { api: Api }) {
  const place = usePlace()
  const world = getPageWorld()
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the text
      </a>
      <header class="top">
        <h1>
          <a href="#api">API documents</a>{' '}
          {world !== undefined && <span class="scenario">World {world}</span>}
        </h1>
        <nav class="switch" aria-label="Documents">
          {(Object.keys(documents) as DocumentName[]).map((name) => (
            <a
              key={name}
              href={toHash({ document: name })}
              aria-current={name === place.document ? 'true' : undefined}
            >
              {documents[name].title}
            </a>
          ))}
        </nav>
        <span class="rest">
          <a href={getConsoleUrl()}>Console</a> <ThemeButton />
        </span>
      </header>
      <LoadedDocument key={place.document} api={api} place={place} />
    </>
  )
}

function LoadedDocument({ api, place }: { api: Api; place: Place }) {
  const { address, withResponses } = documents[place.document]
  const { data: plain, error } = useLoadedData(() => api.get<ApiDocument>(address), '')
  // Loaded later, because the sandbox takes longer to produce the example responses.
  const { data: complete } = useLoadedData(
    async () =>
      plain === undefined || withResponses === undefined
        ? undefined
        : api.get<ApiDocument>(withResponses),
    plain === undefined ? '' : 'responses',
  )
  const data = complete ?? plain
  const catalogue = useMemo(() => (data === undefined ? undefined : createCatalogue(data)), [data])
  const access = useSelectedKey(api, place.document)
  if (error !== undefined) return <p class="error">{error}</p>
  if (catalogue === undefined) return <p role="status">Loading the document …</p>
  return <DocumentView api={api} catalogue={catalogue} place={place} access={access} />
}

/**
 * Focuses the main content by script, because a link would change the hash, which selects the
 * operation.
 */
function skipToMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main')?.focus()
}
