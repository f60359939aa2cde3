import { useEffect, useState, useRef } from 'preact/hooks'
import { StatusChips } from './frame/status-chips.tsx'
import { SearchDialog } from './frame/search.tsx'
import { TabPanels } from './panels.tsx'
import { toWorldUrl, getPageWorld } from '../shared/api.ts'
import { useStoreState, useStore, useMediaQuery } from '../shared/hooks.ts'
import { useLastHashes, usePlace, views } from './shared/place.ts'
import { StageView } from './stage/stage.tsx'
import { listenToKeys, listKeys, toggleStage } from './timeline/keyboard.ts'
import type { StoryController } from './timeline/keyboard.ts'
import { StoryPlayer } from './timeline/player.tsx'
import { useStory } from './timeline/use-story.ts'
import { FactList } from './shared/fact-list.tsx'
import { closeOnOutsideClick } from './shared/outside-click.ts'
import { Icon } from '../shared/icons.tsx'
import { CopyLink } from '../shared/copy-button.tsx'
import { Menu } from './shared/menu.tsx'
import { ThemeButton } from '../shared/theme.tsx'
import { ClockMenu } from './frame/clock-menu.tsx'
import { ScenarioMenu } from './frame/scenario-menu.tsx'
import { WorldMenu } from './frame/world-menu.tsx'

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

/** Keys of an open request. */
const sheetKeys = [
  { label: '↑ ↓', description: 'In an open request: a newer or older request' },
  { label: 'C', description: 'In an open request: copy as curl' },
  { label: 'Esc', description: 'Close the open request or record' },
] as const

/** Dialog that lists the page's keyboard shortcuts. */
function KeyboardHelp({
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
        facts={[...listKeys(director, { showHelp: onClose, search: onClose }), ...sheetKeys].map(
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

/** Form that asks for the control token. */
function TokenForm() {
  const store = useStore()
  const [token, setToken] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    store.api.unlock(token.trim())
    await store.api.get('pulse').then(
      () => location.reload(),
      () => setWrong(true),
    )
  }
  return (
    <main class="token">
      <h1>Sandbox console</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label for="token">The token of the control plane</label>
        <p class="help">The value of --control-token. It is stored until this tab is closed.</p>
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        {isWrong && <p role="alert">Wrong token.</p>}
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  )
}

/** Page for a world that does not exist, with a command that creates the world. */
function WorldNotFound() {
  const { api, attempt } = useStore()
  const make = () =>
    attempt(async () => {
      await api.createWorld()
      location.reload()
    })
  return (
    <main class="token" id="panels">
      <h1>No world {getPageWorld()}</h1>
      <p class="help">
        It never existed, or it was removed. The server also removes worlds to make room for new
        ones, and when it restarts without a state folder.
      </p>
      <p class="row">
        <button type="button" class="primary" onClick={() => void make()}>
          Create it
        </button>
        <a href="./">To the main world</a>
      </p>
    </main>
  )
}

/** Shows short messages over the page, at the edge of the window. */
function ToastMessages() {
  const store = useStore()
  const toasts = useStoreState((state) => state.toasts)
  return (
    <ul class="toasts" aria-live="polite" aria-label="Messages">
      {toasts.map(({ id, text, undo }) => (
        <li key={id} class="toast">
          <span>{text}</span>
          {undo !== undefined && (
            <button type="button" onClick={() => void store.undo()}>
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => store.dismissToast(id)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}

const connections = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  locked: 'Locked',
  gone: 'Gone',
} as const

/** Page header with menus for scenario, world and clock, the connection status, and tools. */
function Header({ onSearch }: { onSearch: () => void }) {
  const connection = useStoreState((state) => state.connection)
  const isNarrow = useMediaQuery('(max-width: 60rem)')
  return (
    <header class="top">
      <h1 class="clip-narrow">Sandbox</h1>
      <ScenarioMenu />
      <WorldMenu />
      <ClockMenu />
      <p class={`connection ${connection}`} role="status">
        <span class="clip-narrow">{connections[connection]}</span>
      </p>
      <div class="tools">
        <button type="button" onClick={onSearch} aria-keyshortcuts="Control+K /" title="Search">
          <Icon name="search" /> <span class="clip-narrow">Search</span>
          <kbd class="wide-only" aria-hidden="true">
            Ctrl K
          </kbd>
        </button>
        {isNarrow ? (
          <Menu name="More" className="more-tools" label={<Icon name="more" />}>
            {(close) => (
              <div class="menu-list">
                <CopyLink onDone={close} />
                <button type="button" onClick={toggleStage}>
                  Stage
                </button>
                <ThemeButton isNamed />
              </div>
            )}
          </Menu>
        ) : (
          <>
            <CopyLink />
            <button type="button" title="Stage (F)" onClick={toggleStage} aria-keyshortcuts="F">
              <Icon name="screen" /> Stage
            </button>
            <ThemeButton />
          </>
        )}
      </div>
    </header>
  )
}

/** Warning that is shown while the state file cannot be written. */
function StateFileWarning() {
  const state = useStoreState(({ pulse }) => pulse?.state ?? null)
  if (state === null) return null
  return (
    <div class="problem" role="alert">
      <p>
        The state file: {state}. Changes from now on are lost if the server is killed. Its log has
        the reason.
      </p>
    </div>
  )
}
