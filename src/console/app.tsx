import { useEffect, useState } from 'preact/hooks'
import { AccountsPanel } from './accounts.tsx'
import { ActionsPanel } from './actions.tsx'
import { ClockPanel } from './clock.tsx'
import { FaultsPanel } from './faults.tsx'
import { toMoment } from './format.ts'
import { GaugesPanel } from './gauges.tsx'
import { HappeningsPanel } from './happenings.tsx'
import { useShared, useStore } from './hooks.ts'
import { JournalPanel } from './journal.tsx'
import type { Director } from './keyboard.ts'
import { KeysPanel } from './keys.tsx'
import { Player } from './player.tsx'
import { PlotsPanel } from './plots.tsx'
import { RecentPanel } from './recent.tsx'
import { ScenarioPanel } from './scenario.tsx'
import { TablesPanel } from './tables.tsx'
import { ThemeChoice } from './theme.tsx'
import { TokenForm } from './token.tsx'

const views = {
  overview: 'Overview',
  requests: 'Requests',
  actions: 'Actions and faults',
  data: 'Data',
  access: 'Keys and scenario',
} as const
type View = keyof typeof views

/** The whole page. */
export function App({ director }: { director: Director }) {
  const connection = useShared((state) => state.connection)
  const isThere = useShared((state) => state.pulse !== null)
  const view = useView()
  if (connection === 'locked') return <TokenForm />
  return (
    <>
      <a class="skip" href="#panels" onClick={skipToPanels}>
        Skip to the panels
      </a>
      <Header />
      <StateFile />
      <Problem />
      {isThere && <Player director={director} />}
      <nav class="views" aria-label="Panels">
        {(Object.keys(views) as View[]).map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === view ? 'page' : undefined}>
            {views[name]}
          </a>
        ))}
      </nav>
      <main id="panels" tabIndex={-1}>
        {isThere && <Panels view={view} />}
      </main>
    </>
  )
}

function Panels({ view }: { view: View }) {
  switch (view) {
    case 'requests':
      return <JournalPanel />
    case 'actions':
      return (
        <div class="columns">
          <ActionsPanel />
          <FaultsPanel />
        </div>
      )
    case 'data':
      return <TablesPanel />
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

const connections = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again', locked: 'Locked' } as const

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

function Problem() {
  const store = useStore()
  const problem = useShared((state) => state.problem)
  if (problem === null) return null
  return (
    <div class="problem" role="alert">
      <p>{problem}</p>
      <button type="button" onClick={store.dismiss}>
        Dismiss
      </button>
    </div>
  )
}

function useView(): View {
  const [view, setView] = useState(readView)
  useEffect(() => {
    const update = () => setView(readView())
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  return view
}

function readView(): View {
  const name = location.hash.slice(1)
  return (Object.keys(views) as View[]).find((view) => view === name) ?? 'overview'
}

/** The hash names the view: the link moves the focus by itself. */
function skipToPanels(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#panels')?.focus()
}
