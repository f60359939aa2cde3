import { useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import type { Access } from './selected-key.ts'
import { ExamplesView, ResponsesView } from './responses.tsx'
import { getRequestBody, getParameters, getRouteName } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { FieldRow, FieldsView } from './fields.tsx'
import { getConsoleUrl, toHash } from './place.ts'
import type { DocumentName } from './place.ts'
import { Prose } from './prose.tsx'
import { createInitialInput, createRequest } from './request.ts'
import type { PreparedRequest } from './request.ts'
import { getSourceLevel } from './describe-schema.ts'
import { MethodLabel, PathLabel, SourceTag } from './source.tsx'
import { TryForm } from './try-form.tsx'
import type { Entry } from './types.ts'
import { languages } from './code-samples.ts'
import type { Language } from './code-samples.ts'

interface OperationProps {
  api: Api
  catalogue: Catalogue
  name: DocumentName
  entry: Entry
  access: Access
}

/**
 * Shows an operation: its parameters, body and responses, next to the form and the code samples.
 */
export function OperationView({ api, catalogue, name, entry, access }: OperationProps) {
  const [filled, setFilled] = useState(() => createInitialInput(catalogue, entry))
  const request = createRequest(catalogue, entry, { key: access.key, filled })
  return (
    <article class="operation">
      <Head name={name} entry={entry} />
      <div class="what">
        <OperationInput catalogue={catalogue} entry={entry} />
        <ResponsesView catalogue={catalogue} entry={entry} />
        <NeighbourLinks catalogue={catalogue} name={name} entry={entry} />
      </div>
      <div class="use">
        <ExamplesView
          catalogue={catalogue}
          entry={entry}
          api={access.about === undefined ? undefined : api}
        />
        <TryForm {...{ api, catalogue, name, entry, access, filled, request }} onFill={setFilled} />
        <RequestCodeView request={request} />
      </div>
    </article>
  )
}

function Head({ name, entry }: { name: DocumentName; entry: Entry }) {
  const { id, method, path, operation } = entry
  const { summary, description } = operation
  const detail = operation['x-source-detail'] ?? operation['x-evidence']
  // Removes the source from the description, because the page already shows it above.
  const text = description.replace(/\n\nSource: [^\n]*$/, '')
  return (
    <header class="panel head">
      <h2>{summary}</h2>
      <p class="address">
        <MethodLabel name={method} /> <PathLabel path={path} />{' '}
        <CopyButton text={path} what="the path" />
      </p>
      <p class="row">
        <SourceTag level={operation['x-source']} detail={detail} />
        {operation['x-kind'] !== undefined && <span class="badge">{operation['x-kind']}</span>}
        <code class="help">{id}</code>
        <button type="button" class="plain to-try" onClick={() => jumpTo('#try')}>
          Try it
        </button>
        <button type="button" class="plain to-errors" onClick={() => jumpTo('#errors')}>
          Errors
        </button>
        {name === 'api' && (
          <a href={getConsoleUrl(`#requests?route=${encodeURIComponent(getRouteName(entry))}`)}>
            Requests in the console
          </a>
        )}
      </p>
      {text !== `${summary}.` && <Prose text={text} />}
    </header>
  )
}

/** Scrolls to a section of the operation. */
function jumpTo(selector: string): void {
  const part = document.querySelector<HTMLElement>(selector)
  part?.scrollIntoView()
  part?.focus({ preventScroll: true })
}

/** Shows the parameters, grouped by location, and the body. */
function OperationInput({ catalogue, entry }: { catalogue: Catalogue; entry: Entry }) {
  const { resolve } = catalogue
  const outer = entry.operation['x-source']
  const parameters = getParameters(catalogue, entry)
  const body = getRequestBody(entry)
  const places = { path: 'In the path', query: 'In the query', header: 'In the headers' } as const
  const groups = Object.entries(places)
    .map(([place, title]) => ({ title, list: parameters.filter((each) => each.in === place) }))
    .filter(({ list }) => list.length > 0)
  if (groups.length === 0 && body === undefined) return null
  return (
    <section class="panel" aria-label="Request">
      {groups.map(({ title, list }) => (
        <div key={title} class="part">
          <h3>{title}</h3>
          <ul class="fields">
            {list.map(({ name, schema, required, description, example }) => (
              <FieldRow
                key={name}
                {...{ name, resolve, isRequired: required, level: 0 }}
                schema={{
                  ...schema,
                  ...(description === undefined ? {} : { description }),
                  ...(example === undefined ? {} : { examples: [example] }),
                }}
                outer={outer}
              />
            ))}
          </ul>
        </div>
      ))}
      {body !== undefined && (
        <div class="part">
          <h3>
            Body <span class="help">{body.type}</span>{' '}
            <SourceTag level={getSourceLevel(body.schema, outer, resolve)} />
          </h3>
          <FieldsView schema={body.schema} outer={outer} resolve={resolve} />
        </div>
      )}
    </section>
  )
}

/** Links to the previous and the next operation. */
function NeighbourLinks({
  catalogue: { entries },
  name,
  entry,
}: {
  catalogue: Catalogue
  name: DocumentName
  entry: Entry
}) {
  const index = entries.indexOf(entry)
  const link = (to: Entry | undefined, sign: (summary: string) => string) =>
    to !== undefined && (
      <a href={toHash({ document: name, item: to.id })}>{sign(to.operation.summary)}</a>
    )
  return (
    <nav class="neighbours" aria-label="Neighbouring operations">
      {link(entries[index - 1], (summary) => `← ${summary}`)}
      <span class="grow" />
      {link(entries[index + 1], (summary) => `${summary} →`)}
    </nav>
  )
}

const languageKey = 'creator-api-sandbox language'
const names = Object.keys(languages) as Language[]

/** Shows the filled-in request as code, in the language selected last. */
function RequestCodeView({ request }: { request: PreparedRequest }) {
  const [language, setLanguage] = useState<Language>(
    () => names.find((name) => name === localStorage.getItem(languageKey)) ?? 'curl',
  )
  const choose = (name: Language) => {
    setLanguage(name)
    localStorage.setItem(languageKey, name)
  }
  const code = languages[language](request)
  return (
    <section class="panel" aria-label="Code">
      <header>
        <h3>Code</h3>
        <CopyButton text={code} what={`the code in ${language}`} />
      </header>
      <div class="choices" role="group" aria-label="Language">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === language}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <pre class="code scrolls" tabIndex={0} role="region" aria-label={`Code in ${language}`}>
        {code}
      </pre>
    </section>
  )
}
