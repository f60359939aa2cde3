import { formatCount } from '../shared/format.ts'
import type { Catalogue } from './catalogue.ts'
import { GuideList } from './guides/guide.tsx'
import { documents, toHash } from './place.ts'
import type { DocumentName } from './place.ts'
import { Prose } from './prose.tsx'
import { MethodLabel, PathLabel, SourceIcon, SourceTag, meanings } from './source.tsx'

interface PageProps {
  catalogue: Catalogue
  name: DocumentName
}

/** Start page of a document: description, sources and groups. */
export function Overview({ catalogue, name }: PageProps) {
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
export function GroupView({ catalogue, name, group }: PageProps & { group: string }) {
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
