import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Tab {
  id: string
  title: string
  content: () => ComponentChildren
}

/** Tabs that the arrow keys can select. Only the selected tab's content is rendered. */
export function Tabs({
  label,
  tabs,
  shown,
  onShow,
}: {
  label: string
  tabs: readonly Tab[]
  /**
   * Id of the selected tab.
   * @default the first tab
   */
  shown: string | undefined
  onShow: (id: string) => void
}) {
  const id = useId()
  const chosen = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === shown),
  )
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + tabs.length) % tabs.length
    onShow(tabs[next]?.id ?? '')
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id: tab, title }, index) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => onShow(tab)}
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
