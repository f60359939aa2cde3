import { useRef, useState } from 'preact/hooks'
import { closeOnOutsideClick } from '../shared/outside-click.ts'
import type { ComponentChildren } from 'preact'

/** Button that asks for confirmation before it runs a command. */
export function ConfirmButton({
  label,
  name = label,
  question,
  className = '',
  isDisabled = false,
  onConfirm,
}: {
  label: string
  /** Accessible name for screen readers. */
  name?: string
  question: string
  className?: string
  isDisabled?: boolean
  onConfirm: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        class={className}
        aria-haspopup="dialog"
        aria-label={name}
        disabled={isDisabled}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={name} onClick={closeOnOutsideClick}>
        <p>{question}</p>
        <div class="row">
          <button
            type="button"
            class="primary"
            onClick={() => {
              dialog.current?.close()
              onConfirm()
            }}
          >
            {name}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}

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
