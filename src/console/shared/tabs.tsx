import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

/** One tab: its title, and the content that it shows. */
export interface Tab {
  title: string
  content: () => ComponentChildren
}

/** Tabs with arrow keys. Only the content of the chosen one is rendered. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + tabs.length) % tabs.length
    setChosen(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {tabs[chosen]?.content()}
      </div>
    </>
  )
}
