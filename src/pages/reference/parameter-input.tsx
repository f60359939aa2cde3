import { useId } from 'preact/hooks'
import { getExampleText } from './request.ts'
import type { About, Parameter } from './types.ts'

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
export function ParameterInput({ parameter, accounts, value, onInput }: InputProps) {
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
