import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A one-line form: a text input, and buttons that receive its text. */
export function TextForm({
  label,
  placeholder,
  submitLabel,
  isPrimary = false,
  isDisabled = false,
  isNarrow = false,
  onSubmit,
  children,
}: {
  label: string
  placeholder: string
  submitLabel: string
  isPrimary?: boolean
  isDisabled?: boolean
  /** True to make the input just wide enough for a time. */
  isNarrow?: boolean
  onSubmit: (text: string) => void
  /** Additional buttons. */
  children?: (text: string) => ComponentChildren
}) {
  const [text, setText] = useState('')
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(text)
      }}
    >
      <label class={isNarrow ? 'inline' : 'inline grow'}>
        {label}{' '}
        <input
          class={isNarrow ? 'narrow' : 'grow'}
          placeholder={placeholder}
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class={isPrimary ? 'primary' : ''} disabled={isDisabled}>
        {submitLabel}
      </button>
      {children?.(text)}
    </form>
  )
}
