import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

/** Button that opens a popover below itself. Escape or a click outside closes the popover. */
export function Menu({
  label,
  name,
  id: givenId,
  className = '',
  children,
}: {
  label: ComponentChildren
  /** Label of the button and accessible name of the popover. */
  name: string
  /** Id to pass to `openMenu`. */
  id?: string
  className?: string
  children: (close: () => void) => ComponentChildren
}) {
  const ownId = useId()
  const id = givenId ?? ownId
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const place = () => {
    const { current: anchor } = button
    if (anchor === null || box.current === null) return
    const { left, bottom } = anchor.getBoundingClientRect()
    box.current.style.top = `${bottom + 4}px`
    box.current.style.left = `${Math.max(8, Math.min(left, innerWidth - box.current.offsetWidth - 8))}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`menu-button ${className}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={name}
        popovertarget={id}
      >
        {label}
      </button>
      <div
        ref={box}
        id={id}
        class="menu"
        popover="auto"
        role="dialog"
        aria-label={name}
        onToggle={(event) => {
          const isNowOpen = (event as unknown as ToggleEvent).newState === 'open'
          setOpen(isNowOpen)
          if (isNowOpen) requestAnimationFrame(place)
        }}
      >
        {isOpen && children(() => box.current?.hidePopover())}
      </div>
    </>
  )
}

/** Opens a menu by id and focuses its button, so that Tab moves into the menu. */
export function openMenu(id: string): void {
  const button = document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)
  button?.focus()
  button?.click()
}
