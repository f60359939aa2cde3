import { useId, useState } from 'preact/hooks'
import { kindOf, isNullable, readForm, takesOneAccount } from './fields.ts'
import type { FieldSchema, FormSchema } from './fields.ts'
import { useShared } from './hooks.ts'
import { messageOf } from './store.ts'

interface FormProps {
  schema: FormSchema
  submitLabel: string
  /** Sends the form. Returns lines that say what happened. */
  onSubmit: (value: Record<string, unknown>) => Promise<readonly string[]>
  /** The routes that a field offers. */
  routes?: readonly string[]
}

/** A form built from a JSON schema. It shows the answer of the sandbox below. */
export function SchemaForm({ schema, submitLabel, onSubmit, routes = [] }: FormProps) {
  const { properties = {}, required = [] } = schema
  const firstAccount = useShared((state) => state.pulse?.accounts.find(({ connected }) => connected)?.id)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>((): Record<string, string> =>
    takesOneAccount(schema) && firstAccount !== undefined ? { account_id: String(firstAccount) } : {},
  )
  const [outcome, setOutcome] = useState<{ error?: string; lines?: readonly string[] }>({})
  const submit = async (event: Event) => {
    event.preventDefault()
    setOutcome(
      await onSubmit(readForm(schema, texts)).then(
        (lines) => ({ lines }),
        (error: unknown) => ({ error: messageOf(error) }),
      ),
    )
  }
  return (
    // The sandbox says what is wrong, in its own words.
    <form class="schema" noValidate onSubmit={(event) => void submit(event)}>
      {Object.entries(properties).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          isRequired={required.includes(name)}
          isWrong={outcome.error?.includes(name) === true}
          text={texts[name] ?? ''}
          routes={routes}
          onText={(text) => setTexts((before) => ({ ...before, [name]: text }))}
        />
      ))}
      <button type="submit" class="primary">
        {submitLabel}
      </button>
      <div class="outcome" aria-live="polite">
        {outcome.error !== undefined && (
          <p class="error" role="alert">
            {outcome.error}
          </p>
        )}
        {outcome.lines?.map((line, index) => (
          <p key={index} class="done">
            {line}
          </p>
        ))}
      </div>
    </form>
  )
}

interface FieldProps {
  name: string
  schema: FieldSchema
  isRequired: boolean
  isWrong: boolean
  text: string
  routes: readonly string[]
  onText: (text: string) => void
}

function Field(props: FieldProps) {
  const { name, schema, isRequired } = props
  const id = useId()
  const help = [schema.description, isNullable(schema) && isRequired ? 'Empty: null.' : undefined]
    .filter((text) => text !== undefined)
    .join(' ')
  return (
    <div class="field">
      <label for={id}>
        {name}
        {isRequired && (
          <span class="required" title="required">
            {' '}
            *
          </span>
        )}
      </label>
      <Entry {...props} id={id} />
      {help !== '' && (
        <p class="help" id={`${id}-help`}>
          {/* What stands in backticks is code. */}
          {help.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
        </p>
      )}
    </div>
  )
}

function Entry({ id, name, schema, isRequired, isWrong, text, routes, onText }: FieldProps & { id: string }) {
  const about = useShared((state) => state.about)
  const kind = kindOf(name, schema)
  const shared = {
    id,
    name,
    value: text,
    'aria-required': isRequired,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-help`,
    onInput: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  }
  const standard = schema.default === undefined ? undefined : String(schema.default)
  const options = {
    account: about?.accounts.map((account) => [String(account.id), `${account.username} (${account.id})`] as const),
    organisation: about?.organisations.map((each) => [String(each.id), each.name] as const),
    choice: schema.enum?.map((value) => [value, value] as const),
    flag: [
      ['true', 'yes'],
      ['false', 'no'],
    ] as const,
  }
  switch (kind) {
    case 'account':
    case 'organisation':
    case 'choice':
    case 'flag':
      return (
        <select {...shared}>
          {(!isRequired || text === '') && <option value="">{standard === undefined ? '' : `${standard} (as usual)`}</option>}
          {options[kind]?.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'number':
      return (
        <input {...shared} type="number" step="any" min={boundOf(schema.minimum)} max={boundOf(schema.maximum)} placeholder={standard} />
      )
    case 'long':
    case 'json':
      return <textarea {...shared} rows={2} />
    case 'route':
      return (
        <>
          <input {...shared} list={`${id}-routes`} placeholder="every route" />
          <datalist id={`${id}-routes`}>
            {routes.map((route) => (
              <option key={route} value={route} />
            ))}
          </datalist>
        </>
      )
    default:
      return <input {...shared} placeholder={kind === 'list' ? '1, 2, 3' : standard} />
  }
}

/** A bound worth showing. The bounds of an id are only those of a safe integer. */
function boundOf(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}
