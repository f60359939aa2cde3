import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import type { Access } from './selected-key.ts'
import { findEntry } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { TableOfContents } from './table-of-contents.tsx'
import { findGuide } from './guides/guides.ts'
import { GuideView } from './guides/guide.tsx'
import { ModelList, ModelView } from './models/model.tsx'
import { listModels } from './models/models.ts'
import { OperationView } from './operation.tsx'
import { GroupView, Overview } from './overview.tsx'
import { toHash } from './place.ts'
import type { DocumentName, Place } from './place.ts'
import { createSearch } from './search/search.ts'
import type { Search } from './search/search.ts'

interface ReaderProps {
  api: Api
  catalogue: Catalogue
  place: Place
  access: Access
}

/**
 * Shows a document: its table of contents and the open operation. Only one operation is rendered,
 * so that long documents open as fast as short documents.
 */
export function DocumentView({ api, catalogue, place, access }: ReaderProps) {
  const { item, section, document: name } = place
  const models = useMemo(() => listModels(catalogue), [catalogue])
  const search = useMemo(
    () => createSearch(catalogue, { models, hasGuides: name === 'api' }),
    [catalogue],
  )
  const isOperation = section === undefined && item !== undefined
  const entry = isOperation ? findEntry(catalogue, item) : undefined
  const group = entry?.group ?? (isOperation && catalogue.groups.has(item) ? item : undefined)
  const [page = '', part] = section === 'guides' ? (item ?? '').split('/') : [item]
  const guide = section === 'guides' ? findGuide(page) : undefined
  const model = section === 'models' ? models.get(page) : undefined
  const title =
    entry?.operation.summary ??
    group ??
    guide?.title ??
    model?.name ??
    (section === 'models' ? 'Models' : undefined)
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(toHash(place))
  // Moves the focus as soon as the text changes, before the next key press.
  useLayoutEffect(() => {
    document.title = [title, catalogue.document.info.title].filter(Boolean).join(' · ')
    if (shown.current === toHash(place)) return
    shown.current = toHash(place)
    setOpen(false)
    if (part === undefined) scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [section, item])
  return (
    <div class="docs">
      <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Contents and search
      </button>
      <div class={isOpen ? 'side open' : 'side'}>
        <TableOfContents
          modelCount={models.size}
          current={entry}
          {...{ catalogue, place, group, search }}
        />
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {entry !== undefined ? (
          <OperationView
            key={`${entry.method} ${entry.path}`}
            {...{ api, catalogue, name, entry, access }}
          />
        ) : group !== undefined ? (
          <GroupView catalogue={catalogue} name={name} group={group} />
        ) : guide !== undefined ? (
          <GuideView key={guide.id} {...{ catalogue, guide, part }} />
        ) : model !== undefined ? (
          <ModelView key={model.name} catalogue={catalogue} model={model} />
        ) : (
          <>
            {item !== undefined && (
              <UnknownItem
                name={name}
                item={item}
                hits={search(item).filter(({ kind }) => kind === 'model' || section !== 'models')}
              />
            )}
            {section === 'models' ? (
              <ModelList models={models} />
            ) : (
              <Overview catalogue={catalogue} name={name} />
            )}
          </>
        )}
      </main>
    </div>
  )
}

/** Maximum number of suggestions. */
const maxSuggestions = 5

/** Message for a URL that matches no item, with suggestions of similar names. */
function UnknownItem({
  name,
  item,
  hits,
}: {
  name: DocumentName
  item: string
  hits: ReturnType<Search>
}) {
  return (
    <div class="warning">
      <p>
        There is no {JSON.stringify(item)} in this document. Search for it, or begin{' '}
        <a href={toHash({ document: name })}>here</a>.
      </p>
      {hits.length > 0 && (
        <ul aria-label="Similar">
          {hits.slice(0, maxSuggestions).map(({ title, note, place }) => (
            <li key={toHash({ document: name, ...place })}>
              <a href={toHash({ document: name, ...place })}>{title}</a>{' '}
              <span class="help">{note}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
