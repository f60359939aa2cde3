import { ErrorMessage } from './error-message.tsx'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ControlError } from '../../shared/api.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { Field } from './field.tsx'
import { parseFormValues, splitFields, hasAccountField } from './fields.ts'
import type { FormSchema } from './fields.ts'
import { useStoreState, useStore } from '../../shared/hooks.ts'
import { listFanAccounts, FieldError, resolveNames } from './record-names.ts'
import { looksLikeId } from '../shared/records.ts'
import { toErrorMessage } from '../../shared/store.ts'
import type { About } from '../../shared/types.ts'

interface FormProps {
  schema: FormSchema
  /**
   * Fields that are always shown, in this order.
   * @default the first three, and the account
   */
  first?: readonly string[] | undefined
  /** Initial values, by field name. */
  initial?: Readonly<Record<string, string>>
  submitLabel: string
  /** Submits the form and returns the result to show. */
  onSubmit: (value: Record<string, unknown>) => Promise<ComponentChildren>
  /** Converts the form values to code in each language. */
  toCode?: (value: Record<string, unknown>) => Readonly<Record<string, string>>
  /** Routes to suggest in the route field. */
  routes?: readonly string[]
  /** True to focus the first field without an initial value. */
  takesFocus?: boolean
}

/** A form generated from a JSON Schema. Shows the sandbox's response below the fields. */
export function SchemaForm({
  schema,
  first = listFirstFields(schema),
  initial = {},
  submitLabel,
  onSubmit,
  toCode,
  routes = [],
  takesFocus = false,
}: FormProps) {
  const { api } = useStore()
  const account = useStoreState(
    (state) => state.pulse?.accounts.find(({ connected }) => connected)?.id,
  )
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    (): Record<string, string> => ({
      ...(hasAccountField(schema) && account !== undefined ? { account_id: String(account) } : {}),
      ...initial,
    }),
  )
  const about = useStoreState((state) => state.about)
  const required = [
    ...(schema.required ?? []),
    ...(needsOrganisation(schema, about, texts) ? ['organisation'] : []),
  ]
  const [outcome, setOutcome] = useState<Outcome>({})
  const [submissions, setSubmissions] = useState(0)
  const result = useRef<HTMLDivElement>(null)
  // The result is below the buttons, so on a phone it would otherwise be out of view.
  useEffect(() => {
    if (submissions > 0) result.current?.scrollIntoView({ block: 'nearest' })
  }, [submissions])
  const rewinds = useStoreState((state) => state.rewinds)
  // The result's records may not exist in an earlier state.
  useEffect(
    () => setOutcome((before) => (before.made === undefined ? before : { made: <Outdated /> })),
    [rewinds],
  )
  /** The account that replaced another one, because the chosen fan belongs to it. */
  const [followed, setFollowed] = useState<string>()
  const [isAccountChosen, setAccountChosen] = useState(initial['account_id'] !== undefined)
  // Most fans subscribe to only one account, so selecting a fan also selects the fan's account,
  // unless the user has chosen an account.
  const followFan = (fan: string) => {
    if (schema.properties?.['account_id'] === undefined || isAccountChosen || !looksLikeId(fan))
      return
    void listFanAccounts(api, fan).then(
      ([first, ...others]) =>
        setTexts((before) => {
          const { account_id: chosen = '', fan_id: latest } = before
          const isKept = first === undefined || [first, ...others].includes(chosen)
          if (isKept || latest !== fan) return before
          setFollowed(first)
          return { ...before, account_id: first }
        }),
      () => {}, // The sandbox checks the fan when the form is sent.
    )
  }
  useEffect(() => followFan(initial['fan_id'] ?? ''), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const send = async () =>
      onSubmit(parseFormValues(schema, await resolveNames(api, schema, texts)))
    setOutcome(
      await send().then(
        (made) => ({ made }),
        (error: unknown) => ({
          error: toErrorMessage(error),
          // The form marks the whole field if a part of it is wrong, such as `sequence[0].status`.
          field:
            error instanceof FieldError || error instanceof ControlError
              ? error.field?.replace(/[.[].*/, '')
              : undefined,
        }),
      ),
    )
    setSubmissions((before) => before + 1)
  }
  const fields = splitFields(schema, [
    ...first,
    ...required.filter((name) => !first.includes(name)),
  ])
  const firstEmpty = fields.first.findIndex(([name]) => (initial[name] ?? '') === '')
  const field = ([name, property]: (typeof fields.first)[number], index: number) => (
    <Field
      key={name}
      name={name}
      schema={property}
      isRequired={required.includes(name)}
      isWrong={outcome.field === name}
      hasFocus={takesFocus && index === firstEmpty}
      text={texts[name] ?? ''}
      routes={routes}
      fansOf={isAccountChosen ? texts['account_id'] : undefined}
      onText={(text) => {
        setTexts((before) => ({ ...before, [name]: text }))
        if (name === 'fan_id') followFan(text)
        if (name !== 'account_id') return
        setAccountChosen(text !== '')
        setFollowed(undefined)
      }}
    />
  )
  const isMoreNeeded = fields.more.some(
    ([name]) => (texts[name] ?? '') !== '' || outcome.field === name,
  )
  return (
    // `noValidate` lets the sandbox validate the form, so the error messages are the same as for
    // API clients.
    <form class="schema" noValidate onSubmit={(event) => void submit(event)}>
      {fields.first.map(field)}
      {fields.more.length > 0 && (
        <details class="more" open={isMoreNeeded}>
          <summary>More</summary>
          <div class="schema">{fields.more.map((each) => field(each, -1))}</div>
        </details>
      )}
      {followed !== undefined && followed === texts['account_id'] && (
        <p class="warning" role="status">
          {`The account is now ${about?.accounts.find(({ id }) => String(id) === followed)?.username}, `}
          because the fan does not subscribe to the one before.
        </p>
      )}
      <div class="row buttons">
        <button type="submit" class="primary">
          {submitLabel}
        </button>
        {toCode !== undefined &&
          Object.entries(toCode(parseFormValues(schema, texts))).map(([name, code]) => (
            <CopyButton key={name} text={code} label={`Copy as ${name}`} what="the form" />
          ))}
      </div>
      <div ref={result} class="outcome" aria-live="polite">
        <ErrorMessage text={outcome.error} />
        {outcome.made !== undefined && <div class="done">{outcome.made}</div>}
      </div>
    </form>
  )
}

/** Shown instead of a result after the world has returned to an earlier state. */
function Outdated() {
  return <p>The world was reset or went back. The last result belongs to the state before that.</p>
}

/** Result of the last submission, or its error and, if known, the field that caused it. */
interface Outcome {
  error?: string | undefined
  field?: string | undefined
  made?: ComponentChildren
}

/** True if an action needs an organisation, because a new role belongs to none of several. */
function needsOrganisation(
  { properties = {} }: FormSchema,
  about: About | null,
  { role = '' }: Readonly<Record<string, string>>,
): boolean {
  const isNew = role !== '' && about?.keys.every((key) => key.role !== role) === true
  return properties['organisation'] !== undefined && isNew && about.organisations.length > 1
}

function listFirstFields({ properties = {} }: FormSchema): readonly string[] {
  const { account_id: account, ...others } = properties
  const first = Object.keys(others).slice(0, 3)
  return account === undefined ? first : [...first, 'account_id']
}
