import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'

export function Panel({
  title,
  aside,
  wide = false,
  className = '',
  panelRef,
  children,
}: {
  title: string
  aside?: ComponentChildren
  wide?: boolean
  className?: string
  /** Set for a panel that scripts can focus. */
  panelRef?: Ref<HTMLElement>
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section
      ref={panelRef}
      class={`panel ${wide ? 'wide' : ''} ${className}`}
      aria-labelledby={id}
      tabIndex={panelRef == null ? undefined : -1}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
