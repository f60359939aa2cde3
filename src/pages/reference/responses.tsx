import { useState } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { StatusCode } from '../shared/status-code.tsx'
import { Tabs } from '../shared/tabs.tsx'
import { getResponses, getContent, getErrors } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { ErrorBodies, JsonText } from './error-bodies.tsx'
import { FieldRow, FieldsView } from './fields.tsx'
import { renderInlineMarkup } from './prose.tsx'
import type { Entry, Response } from './types.ts'
import { useLoadedData } from '../shared/hooks.ts'

/** Shows an example of each response, by status. */
export function ExamplesView({ catalogue, entry, api }: ExamplesProps) {
  const [shown, setShown] = useState<string>()
  const tabs = getResponses(catalogue, entry).map(([status, answer]) => ({
    id: status,
    title: status,
    content: () => <ResponseExamples {...{ entry, answer, api }} />,
  }))
  return (
    <section class="panel examples" aria-label="Examples">
      <h3>Examples</h3>
      <Tabs label="Status" {...{ tabs, shown }} onShow={setShown} />
    </section>
  )
}

function ResponseExamples({
  entry,
  answer,
  api,
}: Pick<ExamplesProps, 'entry' | 'api'> & { answer: Response }) {
  const errors = getErrors(entry, answer)
  const contents = getContent(answer)
  if (errors.length > 0) return <ErrorBodies errors={errors} />
  if (contents.length === 0) return <p class="help">No body.</p>
  return (
    <>
      {contents.map(({ type, example }) =>
        example === undefined ? (
          <p key={type} class="help">
            {type}
          </p>
        ) : (
          <Example key={type} value={example} api={api} />
        ),
      )}
    </>
  )
}

/** Lists the responses of an operation. Successful responses are expanded and errors collapsed. */
export function ResponsesView({ catalogue, entry }: OperationProps) {
  const firstError = getResponses(catalogue, entry).find(([status]) => isError(status))?.[0]
  return (
    <section class="panel" aria-label="Answers">
      <h3>Answers</h3>
      {getResponses(catalogue, entry).map(([status, answer]) => (
        <ResponseView key={status} {...{ catalogue, entry, status, answer, firstError }} />
      ))}
    </section>
  )
}

interface OperationProps {
  catalogue: Catalogue
  entry: Entry
}

interface ExamplesProps extends OperationProps {
  /** Client of the control plane, or undefined without a control token. */
  api: Api | undefined
}

interface ResponseProps extends OperationProps {
  status: string
  answer: Response
  /** Status of the first error, to which the *Errors* link scrolls. */
  firstError: string | undefined
}

function ResponseView({ catalogue, entry, status, answer, firstError }: ResponseProps) {
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
        <StatusCode status={status} /> {renderInlineMarkup(description)}
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
          {contents.map(({ type, schema }) => (
            <div key={type}>
              <h4>{type}</h4>
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

/** Maximum number of pictures shown next to an example. */
const maxShown = 6

interface PicturesProps {
  value: unknown
  /**
   * Client of the control plane, which serves the vault files. Undefined without a control token.
   */
  api: Api | undefined
}

/**
 * Shows thumbnails of the pictures in an example. The links in the example have expired, so the
 * files come from the control plane.
 */
function ExamplePictures({ value, api }: PicturesProps) {
  const { users, media } = findPictureUrls(JSON.stringify(value) ?? '')
  const { data: files = [] } = useLoadedData(
    () => Promise.all(media.map((id) => findFile(api, id))),
    `${media.join()} ${api !== undefined}`,
  )
  const shown = [...files.filter((file) => file !== undefined), ...users].slice(0, maxShown)
  if (shown.length === 0) return null
  return (
    <p class="example-pictures">
      {shown.map((address) => (
        <img key={address} src={`_sandbox/${address}`} alt="" loading="lazy" />
      ))}
    </p>
  )
}

/** Returns the distinct pictures mentioned in a string: user pictures by path, and media by id. */
function findPictureUrls(text: string): { users: readonly string[]; media: readonly string[] } {
  const users = [...text.matchAll(/\/(files\/\d+\/\w+\.svg)/g)].map(([, path = '']) => path)
  const media = [
    ...text.matchAll(/media-proxy\?url=[^"]*?%2F(\d+)%2F\w+\.(?:jpe?g|png|gif)&/g),
  ].map(([, id = '']) => id)
  return { users: omitDuplicateUsers(users), media: [...new Set(media)].slice(0, maxShown) }
}

/** Keeps only one size of each user picture. */
function omitDuplicateUsers(paths: readonly string[]): readonly string[] {
  const byUser = new Map(paths.map((path) => [path.replace(/\w+\.svg$/, ''), path]))
  return [...byUser.values()].slice(0, maxShown)
}

/**
 * Returns the thumbnail of a vault file, or undefined if the loaded scenario does not have the
 * file.
 */
async function findFile(api: Api | undefined, id: string): Promise<string | undefined> {
  const page = await api?.get<{ pictures?: Record<string, string> }>('_sandbox/data/vaultMedia', {
    id,
    limit: 1,
    pictures: 'true',
  })
  return page?.pictures?.[id]
}
