import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export function Panel({
  title,
  aside,
  wide = false,
  className = '',
  children,
}: {
  title: string
  aside?: ComponentChildren
  wide?: boolean
  className?: string
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={`panel ${wide ? 'wide' : ''} ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
