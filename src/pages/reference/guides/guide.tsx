import { useEffect } from 'preact/hooks'
import { CopyButton } from '../../shared/copy-button.tsx'
import { listAllErrors } from '../catalogue.ts'
import type { Catalogue } from '../catalogue.ts'
import { ErrorBodies } from '../error-bodies.tsx'
import { toHash } from '../place.ts'
import { Prose } from '../prose.tsx'
import { MethodLabel, SourceTag } from '../source.tsx'
import { guides } from './guides.ts'
import type { Guide, GuideSection } from './guides.ts'

interface GuideProps {
  catalogue: Catalogue
  guide: Guide
  /** Section selected by the URL. */
  part: string | undefined
}

/** Shows a guide with links to its sections. */
export function GuideView({ catalogue, guide, part }: GuideProps) {
  const { id, title, about, sections } = guide
  useEffect(() => {
    if (part !== undefined) document.querySelector(`#part-${CSS.escape(part)}`)?.scrollIntoView()
  }, [id, part])
  return (
    <article class="panel guide">
      <h2>{title}</h2>
      <p class="help">{about}</p>
      <ul class="parts" aria-label="On this page">
        {sections.map((section) => (
          <li key={section.id}>
            <a href={toItemHash(guide, section)}>{section.title}</a>
          </li>
        ))}
      </ul>
      {sections.map((section) => (
        <section key={section.id} id={`part-${section.id}`} aria-label={section.title}>
          <h3>
            {section.title}
            {section.source !== undefined && <SourceTag {...section.source} />}
          </h3>
          <Prose text={section.text} />
          {section.code !== undefined && <Sample code={section.code} />}
          {section.list === 'errors' && <AllErrors catalogue={catalogue} />}
          {section.list === 'pages' && <PagedOperations catalogue={catalogue} />}
        </section>
      ))}
    </article>
  )
}

/** Lists the guides on the start page. */
export function GuideList() {
  return (
    <ul class="groups">
      {guides.map(({ id, title, about }) => (
        <li key={id}>
          <a href={toHash({ document: 'api', section: 'guides', item: id })}>{title}</a>
          <p class="help">{about}</p>
        </li>
      ))}
    </ul>
  )
}

function toItemHash(guide: Guide, section: GuideSection): string {
  return toHash({ document: 'api', section: 'guides', item: `${guide.id}/${section.id}` })
}

function Sample({ code }: { code: string }) {
  return (
    <figure class="example">
      <figcaption>
        JavaScript <CopyButton text={code} what="the code" />
      </figcaption>
      <pre class="code scrolls" tabIndex={0} role="region" aria-label="Code in JavaScript">
        {code}
      </pre>
    </figure>
  )
}

function AllErrors({ catalogue }: { catalogue: Catalogue }) {
  return (
    <>
      {listAllErrors(catalogue).map(([status, errors]) => (
        <div key={status}>
          <h4>{status}</h4>
          <ErrorBodies errors={errors} />
        </div>
      ))}
    </>
  )
}

/** Lists the operations whose responses contain `_pagination`. */
function PagedOperations({ catalogue }: { catalogue: Catalogue }) {
  const { entries } = catalogue
  const paged = entries.filter(({ operation }) =>
    Object.values(operation.responses).some((response) =>
      JSON.stringify(response).includes('"_pagination"'),
    ),
  )
  return (
    <ul class="operations">
      {paged.map(({ id, method, path, operation }) => (
        <li key={method + path}>
          <a class="item" href={toHash({ document: 'api', item: id })}>
            <MethodLabel name={method} />
            <span class="summary">{operation.summary}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
