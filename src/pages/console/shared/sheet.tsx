import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CopyLink } from '../../shared/copy-button.tsx'
import { useMediaQuery } from '../../shared/hooks.ts'
import { Panel } from './panel.tsx'

/** Media query for windows in which the panel lies over the list. The styles use the same width. */
const overlay = '(max-width: 72rem)'

/**
 * Panel that shows one list item: next to the list, over it in a small window, and over the whole
 * screen on a phone. It takes the focus when it opens or shows another item. Closing it returns the
 * focus to the row. A key presses the button whose `aria-keyshortcuts` names that key.
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
  const panel = useRef<HTMLElement>(null)
  const row = useRef<HTMLElement | null>(null)
  const isOverlay = useMediaQuery(overlay)
  // Runs before the browser paints, so that keyboard shortcuts and focus work as soon as the sheet
  // is visible.
  useLayoutEffect(() => {
    const { activeElement: opener } = document
    const selected = document.querySelector<HTMLElement>('tr.selected :is(button, a)')
    const isInside = panel.current?.contains(opener) === true
    row.current = selected ?? (isInside || !(opener instanceof HTMLElement) ? row.current : opener)
    panel.current?.focus({ preventScroll: true })
  }, [title])
  useLayoutEffect(() => () => row.current?.isConnected && row.current.focus(), [])
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const target = event.target instanceof Element ? event.target : document.body
      if (target.matches('input, textarea, select')) return
      if (document.querySelector('dialog[open], :popover-open') !== null) return
      const isInside = panel.current?.contains(target) === true
      // Escape works anywhere. An arrow key scrolls a scrollable part of the panel.
      if (event.key !== 'Escape' && (!isInside || target.closest('.scrolls') !== null)) return
      const key = event.key.length === 1 ? event.key.toUpperCase() : event.key
      const button = [...(panel.current?.querySelectorAll('button') ?? [])].find(
        (each) => each.getAttribute('aria-keyshortcuts') === key,
      )
      if (button === undefined) return
      event.preventDefault()
      button.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <Panel
      title={title}
      className="sheet"
      panelRef={panel}
      aside={
        <div class="row">
          {/* The sheet covers the link button of the header. */}
          {isOverlay && <CopyLink />}
          {commands}
          <button
            type="button"
            aria-label={closeName}
            aria-keyshortcuts="Escape"
            title="Close (Esc)"
            onClick={onClose}
          >
            Close
          </button>
        </div>
      }
    >
      {children}
    </Panel>
  )
}
