import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Api } from '../console/shared/api.ts'
import type { Access } from './access.ts'
import { findEntry } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { Contents } from './contents.tsx'
import { OperationView } from './operation.tsx'
import { GroupView, Overview } from './overview.tsx'
import { toHash } from './place.ts'
import type { Place } from './place.ts'
import { createSearch } from './search.ts'

interface ReaderProps {
  api: Api
  catalogue: Catalogue
  place: Place
  access: Access
}

/**
 * A document: its contents, and one open operation, so that a long document opens as fast as a
 * short one.
 */
export function Reader({ api, catalogue, place, access }: ReaderProps) {
  const { item, document: name } = place
  const search = useMemo(() => createSearch(catalogue), [catalogue])
  const entry = item === undefined ? undefined : findEntry(catalogue, item)
  const group =
    entry?.group ?? (item !== undefined && catalogue.groups.has(item) ? item : undefined)
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(item)
  useEffect(() => {
    document.title = [entry?.operation.summary ?? group, catalogue.document.info.title]
      .filter(Boolean)
      .join(' · ')
    if (shown.current === item) return
    shown.current = item
    setOpen(false)
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [item])
  return (
    <div class="docs">
      <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Contents and search
      </button>
      <div class={isOpen ? 'side open' : 'side'}>
        <Contents catalogue={catalogue} name={name} current={entry} group={group} search={search} />
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {entry !== undefined ? (
          <OperationView
            key={`${entry.method} ${entry.path}`}
            api={api}
            catalogue={catalogue}
            name={name}
            entry={entry}
            access={access}
          />
        ) : group !== undefined ? (
          <GroupView catalogue={catalogue} name={name} group={group} />
        ) : (
          <>
            {item !== undefined && (
              <p class="warning">
                There is no {JSON.stringify(item)} in this document. Look for it in the contents, or
                begin <a href={toHash({ document: name })}>here</a>.
              </p>
            )}
            <Overview catalogue={catalogue} name={name} />
          </>
        )}
      </main>
    </div>
  )
}
