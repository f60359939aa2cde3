import { toMoment } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Icon } from '../shared/icons.tsx'
import { ThemeChoice } from '../shared/theme.tsx'
import { toggleStage } from '../timeline/keyboard.ts'

const connections = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  locked: 'Locked',
  gone: 'Gone',
} as const

/** The scenario, the time of the sandbox, and whether the page reaches it. */
export function Header() {
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
          <span class="unit">sandbox time</span> <time dateTime={now}>{toMoment(now)}</time>{' '}
          <span class="unit">UTC</span>
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
export function StateFile() {
  const state = useShared(({ pulse }) => pulse?.state ?? null)
  if (state === null) return null
  return (
    <div class="problem" role="alert">
      <p>
        The state file: {state}. What happens now is lost when the server is killed; its log says
        why.
      </p>
    </div>
  )
}
