import { useEffect, useRef } from 'preact/hooks'
import { Facts } from '../shared/facts.tsx'
import { keysOf } from '../timeline/keyboard.ts'
import type { Director } from '../timeline/keyboard.ts'

/** A dialog with the keyboard shortcuts of the page. */
export function KeysHelp({
  isOpen,
  onClose,
  director,
}: {
  isOpen: boolean
  onClose: () => void
  director: Director
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <Facts
        facts={keysOf(director, { showHelp: onClose, search: onClose }).map(
          ({ label, does }) => [<kbd key={label}>{label}</kbd>, does] as const,
        )}
      />
      <form method="dialog" class="row">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  )
}
