import { useState } from 'preact/hooks'
import { Field } from './field.tsx'
import { readForm, takesOneAccount } from './fields.ts'
import type { FormSchema } from './fields.ts'
import { useShared } from './hooks.ts'
import { Problem } from './problem.tsx'
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
  const firstAccount = useShared(
    (state) => state.pulse?.accounts.find(({ connected }) => connected)?.id,
  )
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>((): Record<string, string> =>
    takesOneAccount(schema) && firstAccount !== undefined
      ? { account_id: String(firstAccount) }
      : {},
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
        <Problem text={outcome.error} />
        {outcome.lines?.map((line, index) => (
          <p key={index} class="done">
            {line}
          </p>
        ))}
      </div>
    </form>
  )
}
