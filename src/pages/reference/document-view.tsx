import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import type { Access } from './selected-key.ts'
import { findEntry } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { TableOfContents } from './table-of-contents.tsx'
import { findGuide } from './guides/guides.ts'
import { GuideView, GuideList } from './guides/guide.tsx'
import { listModels } from './models/models.ts'
import type { Model } from './models/models.ts'
import { OperationView } from './operation.tsx'
import { toHash, documents } from './place.ts'
import type { DocumentName, Place } from './place.ts'
import { createSearch } from './search/search.ts'
import type { Search } from './search/search.ts'
import { formatCount } from '../shared/format.ts'
import { Prose } from './prose.tsx'
import { MethodLabel, PathLabel, SourceIcon, SourceTag, meanings } from './source.tsx'
import { FieldsView } from './fields.tsx'
import type { Entry } from './types.ts'

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
  const [page = '', part] = section === undefined ? [item] : (item ?? '').split('/')
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
          <ModelView key={model.name} {...{ catalogue, model, part }} />
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

interface PageProps {
  catalogue: Catalogue
  name: DocumentName
}

/** Start page of a document: description, sources and groups. */
function Overview({ catalogue, name }: PageProps) {
  const { info, tags } = catalogue.document
  return (
    <article class="panel">
      <h2>{info.title}</h2>
      <p class="help">
        Version {info.version}, {formatCount(catalogue.entries.length, 'operation')},{' '}
        <a href={documents[name].address}>as OpenAPI 3.1</a>
      </p>
      {name === 'api' && (
        <>
          <h3>Guides</h3>
          <GuideList />
        </>
      )}
      <Prose text={info.description} />
      {catalogue.sources.size > 0 && (
        <>
          <h3>How well it is known</h3>
          <dl class="legend">
            {[...catalogue.sources].map(([level, count]) => (
              <div key={level}>
                <dt>
                  <SourceTag level={level} />
                </dt>
                <dd>
                  {meanings[level]} <span class="help">{formatCount(count, 'operation')}</span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h3>Groups</h3>
      <ul class="groups">
        {tags.map(({ name: tag, description }) => (
          <li key={tag}>
            <a href={toHash({ document: name, item: tag })}>{tag}</a>{' '}
            <span class="help">{catalogue.groups.get(tag)?.length ?? 0}</span>
            <p class="help">{description}</p>
          </li>
        ))}
      </ul>
    </article>
  )
}

/** Lists the operations of a group. */
function GroupView({ catalogue, name, group }: PageProps & { group: string }) {
  const description = catalogue.document.tags.find((tag) => tag.name === group)?.description
  return (
    <article class="panel">
      <h2>{group}</h2>
      {description !== undefined && <Prose text={description} />}
      <ul class="operations">
        {catalogue.groups.get(group)?.map(({ id, method, path, operation }) => (
          <li key={method + path}>
            <a class="item" href={toHash({ document: name, item: id })}>
              <MethodLabel name={method} />
              <span class="summary">
                {operation.summary}
                <PathLabel path={path} />
              </span>
              <SourceIcon level={operation['x-source']} />
            </a>
          </li>
        ))}
      </ul>
    </article>
  )
}

/** Lists all models: first the models in responses, then the models in request bodies. */
function ModelList({ models }: { models: ReadonlyMap<string, Model> }) {
  const all = [...models.values()]
  const isBody = ({ inAnswer, inBody }: Model) => inAnswer.length === 0 && inBody.length > 0
  return (
    <article class="panel">
      <h2>Models</h2>
      <p class="help">The named objects of answers and requests, with all their fields.</p>
      <h3>In answers</h3>
      <Names models={all.filter((model) => !isBody(model))} />
      <h3>In requests</h3>
      <Names models={all.filter(isBody)} />
    </article>
  )
}

function Names({ models }: { models: readonly Model[] }) {
  return (
    <ul class="names">
      {models.map(({ name, source, fieldNames }) => (
        <li key={name}>
          <a href={toItemHash(name)}>{name}</a> <SourceIcon level={source} />{' '}
          {fieldNames.length > 0 && (
            <span class="help">{formatCount(fieldNames.length, 'field')}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows a model's fields and the operations that use it. */
function ModelView({
  catalogue,
  model,
  part,
}: {
  catalogue: Catalogue
  model: Model
  /** Field selected by the URL. */
  part: string | undefined
}) {
  const { name, schema, source, inBody, inAnswer, partOf } = model
  useEffect(() => {
    const field = part && document.querySelector<HTMLElement>(`#field-${CSS.escape(part)}`)
    if (!field) return
    field.scrollIntoView({ block: 'center' })
    field.focus({ preventScroll: true })
  }, [part])
  return (
    <article class="panel">
      <h2>{name}</h2>
      <p class="row">
        <SourceTag level={source} />
        {typeof schema.description === 'string' && <span>{schema.description}</span>}
      </p>
      <FieldsView
        schema={schema}
        outer={source}
        resolve={catalogue.resolve}
        isAnswer={inAnswer.length > 0}
      />
      {partOf.length > 0 && (
        <>
          <h3>Part of</h3>
          <p class="model-links">
            {partOf.map((other) => (
              <a key={other} href={toItemHash(other)}>
                {other}
              </a>
            ))}
          </p>
        </>
      )}
      <ModelUses title="Answered by" entries={inAnswer} />
      <ModelUses title="Sent to" entries={inBody} />
    </article>
  )
}

function ModelUses({ title, entries }: { title: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="operations">
        {entries.map(({ id, method, path, operation }) => (
          <li key={method + path}>
            <a class="item" href={toHash({ document: 'api', item: id })}>
              <MethodLabel name={method} />
              <span class="summary">{operation.summary}</span>
              <SourceIcon level={operation['x-source']} />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function toItemHash(item: string): string {
  return toHash({ document: 'api', section: 'models', item })
}
