import { useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { StatusCode } from '../shared/status-code.tsx'
import { getResponses, getContent, getErrors } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { ErrorBodies, JsonText } from './error-bodies.tsx'
import { FieldRow, FieldsView } from './fields.tsx'
import { ExamplePictures } from './pictures.tsx'
import { renderInlineMarkup } from './prose.tsx'
import type { Entry, Response } from './types.ts'

/** Lists the responses of an operation. Successful responses are expanded and errors collapsed. */
export function ResponsesView({
  catalogue,
  entry,
  api,
}: Omit<ResponseProps, 'status' | 'answer' | 'firstError'>) {
  const firstError = getResponses(catalogue, entry).find(([status]) => isError(status))?.[0]
  return (
    <section class="panel" aria-label="Answers">
      <h3>Answers</h3>
      {getResponses(catalogue, entry).map(([status, answer]) => (
        <ResponseView key={status} {...{ catalogue, entry, api, status, answer, firstError }} />
      ))}
    </section>
  )
}

interface ResponseProps {
  catalogue: Catalogue
  entry: Entry
  /** Client of the control plane, or undefined without a control token. */
  api: Api | undefined
  status: string
  answer: Response
  /** Status of the first error, to which the *Errors* link scrolls. */
  firstError: string | undefined
}

function ResponseView({ catalogue, entry, api, status, answer, firstError }: ResponseProps) {
  const { description, headers = {} } = answer
  const [isOpen, setOpen] = useState(status.startsWith('2'))
  const contents = getContent(answer)
  const errors = getErrors(entry, answer)
  return (
    <details
      class="answer"
      id={status === firstError ? 'errors' : undefined}
      tabIndex={-1}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <StatusLabel status={status} /> {renderInlineMarkup(description)}
        {errors.length > 0 && (
          <span class="codes">
            {errors.map(([code]) => (
              <code key={code}>{code}</code>
            ))}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          {Object.keys(headers).length > 0 && (
            <ul class="fields">
              {Object.entries(headers).map(([name, { description: about, schema }]) => (
                <FieldRow
                  key={name}
                  {...{ name, resolve: catalogue.resolve, isRequired: false, level: 0 }}
                  schema={{ ...schema, description: about }}
                  outer={entry.operation['x-source']}
                />
              ))}
            </ul>
          )}
          {errors.length > 0 && <h4>Examples of the body</h4>}
          {errors.length > 0 && <ErrorBodies errors={errors} />}
          {contents.map(({ type, schema, example }) => (
            <div key={type}>
              <h4>{type}</h4>
              {example !== undefined && <Example value={example} api={api} />}
              <FieldsView
                schema={schema}
                outer={entry.operation['x-source']}
                resolve={catalogue.resolve}
                isAnswer
              />
            </div>
          ))}
          {contents.length === 0 && <p class="help">No body.</p>}
        </>
      )}
    </details>
  )
}

function isError(status: string): boolean {
  return !status.startsWith('2') && !status.startsWith('3')
}

/** Shows an example response, produced by a copy of the sandbox. */
function Example({ value, api }: { value: unknown; api: Api | undefined }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <figure class="example">
      <figcaption>
        Example <CopyButton text={text} what="the example" />
      </figcaption>
      <ExamplePictures value={value} api={api} />
      <JsonText text={text} label="Example" />
    </figure>
  )
}

/** Shows a status from the document: a number, or a class such as `5XX`. */
function StatusLabel({ status }: { status: string }) {
  const number = Number(status)
  return Number.isNaN(number) ? (
    <span class="badge bad">{status}</span>
  ) : (
    <StatusCode status={number} />
  )
}
