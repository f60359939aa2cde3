import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CopyLink } from '../../shared/copy-button.tsx'
import { useIsNarrow } from '../../shared/hooks.ts'
import { Panel } from './panel.tsx'

/**
 * Panel next to a list, showing one list item. On a phone, the panel covers the screen. Escape
 * closes it and moves the focus back to the row.
 */
export function Sheet({
  title,
  closeName,
  commands,
  onClose,
  children,
}: {
  title: string
  /** Accessible name of the close button. */
  closeName: string
  /** Buttons to show before the close button. */
  commands?: ComponentChildren
  onClose: () => void
  children: ComponentChildren
}) {
  const button = useRef<HTMLButtonElement>(null)
  const isNarrow = useIsNarrow()
  // Runs before the browser paints, so that keyboard shortcuts and focus work as soon as the sheet
  // is visible.
  useLayoutEffect(() => {
    const opener = document.activeElement
    // On a phone, the row is hidden behind the sheet.
    if (isNarrow) button.current?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  useLayoutEffect(() => {
    const close = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea')
      const isBelow = document.querySelector('dialog[open], :popover-open') !== null
      if (event.key === 'Escape' && !isTyping && !isBelow) onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [onClose])
  return (
    <Panel
      title={title}
      className="sheet"
      aside={
        <div class="row">
          {/* The sheet covers the link button of the header. */}
          {isNarrow && <CopyLink />}
          {commands}
          <button ref={button} type="button" aria-label={closeName} onClick={onClose}>
            Close
          </button>
        </div>
      }
    >
      {children}
    </Panel>
  )
}
