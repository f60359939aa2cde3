import { useEffect, useRef } from 'preact/hooks'
import { FactList } from '../shared/fact-list.tsx'
import { closeOnOutsideClick } from '../shared/outside-click.ts'
import { listKeys } from '../timeline/keyboard.ts'
import type { StoryController } from '../timeline/keyboard.ts'

/** Dialog that lists the page's keyboard shortcuts. */
export function KeyboardHelp({
  isOpen,
  onClose,
  director,
}: {
  isOpen: boolean
  onClose: () => void
  director: StoryController
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      onClose={onClose}
      onClick={closeOnOutsideClick}
    >
      <h2 id="keys-title">Keys</h2>
      <FactList
        facts={listKeys(director, { showHelp: onClose, search: onClose }).map(
          ({ label, description: does }) => [<kbd key={label}>{label}</kbd>, does] as const,
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
