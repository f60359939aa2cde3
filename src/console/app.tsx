import { useEffect, useState } from 'preact/hooks'
import { AccountsPanel } from './accounts.tsx'
import { ActionsPanel } from './actions.tsx'
import { worldOfPage } from './api.ts'
import { AuditPanel } from './audit.tsx'
import { Chips } from './chips.tsx'
import { ClockPanel } from './clock.tsx'
import { FaultsPanel } from './faults.tsx'
import { toMoment } from './format.ts'
import { GaugesPanel } from './gauges.tsx'
import { HappeningsPanel } from './happenings.tsx'
import { useShared } from './hooks.ts'
import { KeysHelp } from './help.tsx'
import { Icon } from './icons.tsx'
import { JournalPanel } from './journal.tsx'
import { listenToKeys, toggleStage } from './keyboard.ts'
import type { Director } from './keyboard.ts'
import { KeysPanel } from './keys.tsx'
import { Player } from './player.tsx'
import { useLeftPlaces, usePlace, views } from './place.ts'
import { PlotsPanel } from './plots.tsx'
import { RecentPanel } from './recent.tsx'
import { ScenarioPanel } from './scenario.tsx'
import { Stage } from './stage.tsx'
import { useStory } from './story.ts'
import { TablesPanel } from './tables.tsx'
import { ThemeChoice } from './theme.tsx'
import { TokenForm } from './token.tsx'
import { GoneWorld } from './gone.tsx'
import { WorldsPanel } from './worlds.tsx'

/** The whole page. */
export function App({ director }: { director: Director }) {
  const connection = useShared((state) => state.connection)
  const isThere = useShared((state) => state.pulse !== null)
  const place = usePlace()
  const left = useLeftPlaces(place)
  const [isHelping, setHelping] = useState(false)
  useEffect(() => listenToKeys(director, () => setHelping((before) => !before)), [director])
  useTitle()
  const help = <KeysHelp isOpen={isHelping} onClose={() => setHelping(false)} director={director} />
  if (connection === 'locked') return <TokenForm />
  if (connection === 'gone') return <GoneWorld />
  if (place.view === 'stage')
    return (
      <>
        <Stage director={director} showHelp={() => setHelping(true)} />
        {help}
      </>
    )
  return (
    <>
      {help}
      <a class="skip" href="#panels" onClick={skipToPanels}>
        Skip to the panels
      </a>
      <Header />
      <StateFile />
      {isThere && <Chips />}
      {isThere && <Player director={director} />}
      <nav class="views" aria-label="Panels">
        {(Object.keys(views) as (keyof typeof views)[]).map((name) => (
          <a key={name} href={left[name] ?? `#${name}`} aria-current={name === place.view ? 'page' : undefined}>
            {views[name]}
          </a>
        ))}
      </nav>
      <main id="panels" tabIndex={-1}>
        {isThere && <Panels place={place} />}
      </main>
    </>
  )
}

function Panels({ place }: { place: ReturnType<typeof usePlace> }) {
  switch (place.view) {
    case 'requests':
      return <JournalPanel place={place} />
    case 'audit':
      return <AuditPanel />
    case 'worlds':
      return <WorldsPanel />
    case 'actions':
      return (
        <div class="columns">
          <ActionsPanel />
          <FaultsPanel />
        </div>
      )
    case 'data':
      return <TablesPanel place={place} />
    case 'access':
      return (
        <div class="columns">
          <KeysPanel />
          <ScenarioPanel />
        </div>
      )
    default:
      return (
        <>
          <PlotsPanel />
          <div class="columns">
            <HappeningsPanel />
            <RecentPanel />
            <div class="stack">
              <GaugesPanel />
              <AccountsPanel />
              <ClockPanel />
            </div>
          </div>
        </>
      )
  }
}

const connections = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  locked: 'Locked',
  gone: 'Gone',
} as const

function Header() {
  const scenario = useShared((state) => state.pulse?.scenario ?? '')
  const now = useShared((state) => state.pulse?.clock.now ?? null)
  const connection = useShared((state) => state.connection)
  return (
    <header class="top">
      <h1>
        Sandbox <span class="scenario">{scenario}</span>
      </h1>
      {now !== null && (
        <p class="now">
          <span class="unit">sandbox time</span> <time dateTime={now}>{toMoment(now)}</time> <span class="unit">UTC</span>
        </p>
      )}
      <p class={`connection ${connection}`} role="status">
        {connections[connection]}
      </p>
      <button type="button" onClick={toggleStage} aria-keyshortcuts="F">
        <Icon name="screen" /> Stage
      </button>
      <ThemeChoice />
    </header>
  )
}

/** Says so while the file that keeps the world cannot be written. */
function StateFile() {
  const state = useShared(({ pulse }) => pulse?.state ?? null)
  if (state === null) return null
  return (
    <div class="problem" role="alert">
      <p>The state file: {state}. What happens now is lost when the server is killed; its log says why.</p>
    </div>
  )
}

/** Puts the story and the world into the title of the page. */
function useTitle(): void {
  const { title } = useStory()
  const scenario = useShared((state) => state.pulse?.scenario)
  const world = worldOfPage()
  useEffect(() => {
    document.title = [title || scenario, world, 'Sandbox console'].filter((part) => part !== undefined && part !== '').join(' · ')
  }, [title, scenario, world])
}

/** The hash names the view: the link moves the focus by itself. */
function skipToPanels(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#panels')?.focus()
}
