import { useRef } from 'preact/hooks'
import { closeOnOutsideClick } from '../shared/outside-click.ts'

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
