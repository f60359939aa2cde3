import { useEffect, useRef, useState, useId } from 'preact/hooks'
import type { Api } from '../shared/api.ts'
import {
  formatCount,
  parseJson,
  formatBytes,
  formatMilliseconds,
  formatNumber,
} from '../shared/format.ts'
import { describeFaultBriefly } from '../shared/faults.ts'
import { useLoadedData } from '../shared/hooks.ts'
import type { Fault } from '../shared/types.ts'
import { toErrorMessage } from '../shared/store.ts'
import type { Access } from './selected-key.ts'
import { getRequestBody, getParameters, getRouteName } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { KeyPicker } from './key-picker.tsx'
import { getConsoleUrl } from './place.ts'
import type { DocumentName } from './place.ts'
import { toFieldName, getExampleText } from './request.ts'
import type { RequestInput, PreparedRequest } from './request.ts'
import { sendRequest } from './send.ts'
import type { ReceivedText } from './send.ts'
import type { Entry, Parameter, About } from './types.ts'
import { JsonView, getPictureUrl } from '../shared/json.tsx'
import { StatusCode } from '../shared/status-code.tsx'

interface TryProps {
  api: Api
  catalogue: Catalogue
  name: DocumentName
  entry: Entry
  access: Access
  filled: RequestInput
  request: PreparedRequest
  onFill: (change: (before: RequestInput) => RequestInput) => void
}

/** Maximum number of optional parameters shown initially. */
const maxOpen = 3

/** Form that sends an operation to this sandbox with the selected key and shows the response. */
export function TryForm({
  api,
  catalogue,
  name,
  entry,
  access,
  filled,
  request,
  onFill,
}: TryProps) {
  const [answer, setAnswer] = useState<ReceivedText>()
  const [error, setError] = useState<string>()
  const [stop, setStop] = useState<AbortController>()
  const file = useRef<HTMLInputElement>(null)
  const body = getRequestBody(entry)
  const parameters = getParameters(catalogue, entry)
  const needed = parameters.filter(({ required, example }) => required || example !== undefined)
  const others = parameters.filter((parameter) => !needed.includes(parameter))
  const toInput = (parameter: Parameter) => {
    const field = toFieldName(parameter)
    return (
      <ParameterInput
        key={field}
        parameter={parameter}
        accounts={access.about?.accounts}
        value={filled.values[field] ?? ''}
        onInput={(value) =>
          onFill((before) => ({ ...before, values: { ...before.values, [field]: value } }))
        }
      />
    )
  }
  // Without a control token, the faults are unknown.
  const { data: active = [] } = useLoadedData(
    async () => (access.about === undefined ? [] : api.get<Fault[]>('_sandbox/faults')),
    `${access.about !== undefined} ${stop !== undefined}`,
    { pauseMs: faultsFollowMs },
  )
  const faults = name === 'api' ? active.filter((fault) => isOnRoute(fault, entry)) : []
  // Stops the stream when the component is unmounted.
  useEffect(() => () => stop?.abort(), [stop])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (stop !== undefined) return
    const aborter = new AbortController()
    setStop(aborter)
    setError(undefined)
    setAnswer(undefined)
    try {
      await sendRequest(request, {
        api: name === 'api' ? api : undefined,
        file: file.current?.files?.[0],
        signal: aborter.signal,
        onPart: setAnswer,
      })
    } catch (reason) {
      setError(toErrorMessage(reason))
    } finally {
      setStop(undefined)
    }
  }
  return (
    <section id="try" class="panel" aria-label="Try it" tabIndex={-1}>
      <h3>Try it</h3>
      <form class="try" onSubmit={(event) => void submit(event)}>
        <KeyPicker {...{ api, access, name, operation: entry.operation }} />
        {needed.map(toInput)}
        {others.length > 0 && (
          <details open={others.length <= maxOpen}>
            <summary>{formatCount(others.length, 'optional parameter')}</summary>
            <div class="others">{others.map(toInput)}</div>
          </details>
        )}
        {body !== undefined && request.isFile && (
          <label>
            File <input ref={file} type="file" required />
          </label>
        )}
        {body !== undefined && !request.isFile && body.type.includes('json') && (
          <label>
            Body
            <textarea
              rows={Math.min(16, Math.max(3, filled.body.split('\n').length + 1))}
              spellcheck={false}
              value={filled.body}
              onInput={({ currentTarget: { value } }) =>
                onFill((before) => ({ ...before, body: value }))
              }
            />
          </label>
        )}
        <details>
          <summary>Headers</summary>
          <label>
            Add or change, one on each line
            <textarea
              rows={2}
              spellcheck={false}
              placeholder={'X-Request-Id: 12\nAuthorization:'}
              value={filled.headers}
              onInput={({ currentTarget: { value } }) =>
                onFill((before) => ({ ...before, headers: value }))
              }
            />
          </label>
        </details>
        {faults.map((fault) => (
          <p key={fault.id} class="warning">
            {`Active fault: ${describeFaultBriefly(fault)}. `}
            {fault.times === undefined
              ? 'It also applies to this request.'
              : `This request would use up one of ${formatNumber(fault.times)}.`}
          </p>
        ))}
        <div class="row">
          <button type="submit" class="primary" disabled={stop !== undefined}>
            Send
          </button>
          {stop !== undefined && (
            <button type="button" onClick={() => stop.abort()}>
              Stop
            </button>
          )}
        </div>
      </form>
      <div aria-live="polite">
        {error !== undefined && <p class="error">{error}</p>}
        {answer !== undefined && <ReceivedResponse answer={answer} />}
      </div>
    </section>
  )
}

/** Minimum interval between loads of the faults, ms. */
const faultsFollowMs = 500

function isOnRoute({ route }: Fault, entry: Entry): boolean {
  return route === undefined || route === getRouteName(entry)
}

/** Shows the response to the sent request. */
function ReceivedResponse({
  answer: { status, type, text, headers, bytes, milliseconds, id, url },
}: {
  answer: ReceivedText
}) {
  const value = text === undefined ? undefined : parseJson(text)
  return (
    <div class="received">
      <p class="row">
        <StatusCode status={status} />
        <span class="unit">{formatMilliseconds(milliseconds)}</span>{' '}
        <span class="unit">{formatBytes(bytes)}</span>
        {id !== undefined && (
          <a href={getConsoleUrl(`#requests/${id}`)} target="_blank">
            Show in the console <span class="hidden">request {formatNumber(id)}, in a new tab</span>
          </a>
        )}
      </p>
      <details>
        <summary>{Object.keys(headers).length} headers</summary>
        <dl class="facts">
          {Object.entries(headers).map(([name, text]) => (
            <div key={name} class="fact">
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {value !== undefined && <JsonView value={value} label="Answer" />}
      {value === undefined && text !== undefined && text !== '' && (
        <pre class="scrolls" tabIndex={0} role="region" aria-label="Answer">
          {text}
        </pre>
      )}
      {text === undefined && (
        <p>
          A file, {type}. <a href={url}>Open it</a>
          {getPictureUrl(url) !== undefined && status < 300 && (
            <img class="picture" src={url} alt="" />
          )}
        </p>
      )}
    </div>
  )
}

interface InputProps {
  parameter: Parameter
  accounts: About['accounts'] | undefined
  value: string
  onInput: (value: string) => void
}

/**
 * Input for a parameter: a select element for a few allowed values, otherwise a text field with an
 * example.
 */
function ParameterInput({ parameter, accounts, value, onInput }: InputProps) {
  const id = useId()
  const { name, required, schema } = parameter
  const options = schema.type === 'boolean' ? [true, false] : schema.enum
  const known = name === 'account_id' ? accounts : undefined
  const hint = schema.default === undefined ? getExampleText(parameter) : String(schema.default)
  return (
    <div class="input">
      <label for={id}>
        <code>{name}</code> {required && <span class="required">required</span>}
      </label>
      {options === undefined ? (
        <input
          id={id}
          value={value}
          placeholder={hint}
          required={required}
          autocomplete="off"
          list={known === undefined ? undefined : `${id}-accounts`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          required={required}
          onChange={(event) => onInput(event.currentTarget.value)}
        >
          <option value="">
            {schema.default === undefined ? 'left out' : `left out: ${String(schema.default)}`}
          </option>
          {options.map((option) => (
            <option key={String(option)} value={String(option)}>
              {String(option)}
            </option>
          ))}
        </select>
      )}
      {known !== undefined && (
        <datalist id={`${id}-accounts`}>
          {known.map((account) => (
            <option key={account.id} value={account.id}>
              {account.username}
            </option>
          ))}
        </datalist>
      )}
    </div>
  )
}
