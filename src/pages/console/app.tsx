import { useEffect, useState } from 'preact/hooks'
import { StatusChips } from './frame/status-chips.tsx'
import { WorldNotFound } from './frame/world-not-found.tsx'
import { Header, StateFileWarning } from './frame/header.tsx'
import { KeyboardHelp } from './frame/help.tsx'
import { SearchDialog } from './frame/search.tsx'
import { TokenForm } from './frame/token-form.tsx'
import { TabPanels } from './panels.tsx'
import { toWorldUrl, getPageWorld } from '../shared/api.ts'
import { useStoreState } from '../shared/hooks.ts'
import { useLastHashes, usePlace, views } from './shared/place.ts'
import { ToastMessages } from './shared/toasts.tsx'
import { StageView } from './stage/stage.tsx'
import { listenToKeys } from './timeline/keyboard.ts'
import type { StoryController } from './timeline/keyboard.ts'
import { StoryPlayer } from './timeline/player.tsx'
import { useStory } from './timeline/use-story.ts'

export function App({ director }: { director: StoryController }) {
  const connection = useStoreState((state) => state.connection)
  const isLoaded = useStoreState((state) => state.isLoaded && state.pulse !== null)
  const place = usePlace()
  const lastHashes = useLastHashes(place)
  const [isHelping, setHelping] = useState(false)
  const [isSearching, setSearching] = useState(false)
  useEffect(
    () =>
      listenToKeys(director, {
        showHelp: () => setHelping((before) => !before),
        search: () => setSearching(true),
      }),
    [director],
  )
  useTitle()
  const help = (
    <KeyboardHelp isOpen={isHelping} onClose={() => setHelping(false)} director={director} />
  )
  if (connection === 'locked') return <TokenForm />
  if (connection === 'gone') return <WorldNotFound />
  if (place.view === 'stage')
    return (
      <>
        <StageView director={director} showHelp={() => setHelping(true)} />
        {help}
      </>
    )
  return (
    <>
      {help}
      <SearchDialog
        isOpen={isSearching}
        onClose={() => setSearching(false)}
        showHelp={() => setHelping(true)}
      />
      <ToastMessages />
      <a class="skip" href="#panels" onClick={skipToPanels}>
        Skip to the first row
      </a>
      <Header onSearch={() => setSearching(true)} />
      <nav class="views" aria-label="Panels">
        {(Object.keys(views) as (keyof typeof views)[]).map((name) => (
          <a
            key={name}
            // Uses the full URL, because screen readers would treat an off-screen link to a hash as
            // a skip link.
            href={toWorldUrl(getPageWorld() ?? null, lastHashes[name] ?? `#${name}`)}
            aria-current={name === place.view ? 'page' : undefined}
            ref={name === place.view ? showTab : undefined}
          >
            {views[name]}
          </a>
        ))}
      </nav>
      <StateFileWarning />
      {isLoaded && <StatusChips />}
      {isLoaded && <StoryPlayer director={director} isFolded={place.view !== 'overview'} />}
      <main id="panels" tabIndex={-1}>
        {place.unknown !== undefined && (
          <p class="warning unknown" role="status">
            There is no page “{place.unknown}”. This is the overview.
          </p>
        )}
        {isLoaded && <TabPanels place={place} />}
      </main>
    </>
  )
}

/** Scrolls the tab into view on a narrow screen. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' })
}

/** Shows the story and the world in the page title. */
function useTitle(): void {
  const { title } = useStory()
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const world = getPageWorld()
  useEffect(() => {
    document.title = [title || scenario, world, 'Sandbox console']
      .filter((part) => part !== undefined && part !== '')
      .join(' · ')
  }, [title, scenario, world])
}

/**
 * Moves the focus by script, because following the link would change the hash, which selects the
 * view.
 */
function skipToPanels(event: Event): void {
  event.preventDefault()
  const row = document.querySelector<HTMLElement>('#panels :is(tbody, .feed, .list) :is(a, button)')
  ;(row ?? document.querySelector<HTMLElement>('#panels'))?.focus()
}
