import { useIsNarrow, useStoreState } from '../../shared/hooks.ts'
import { Icon } from '../../shared/icons.tsx'
import { CopyLink } from '../../shared/copy-button.tsx'
import { Menu } from '../shared/menu.tsx'
import { ThemeButton } from '../../shared/theme.tsx'
import { toggleStage } from '../timeline/keyboard.ts'
import { ClockMenu } from './clock-menu.tsx'
import { ScenarioMenu } from './scenario-menu.tsx'
import { WorldMenu } from './world-menu.tsx'

const connections = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  locked: 'Locked',
  gone: 'Gone',
} as const

/** Page header with menus for scenario, world and clock, the connection status, and tools. */
export function Header({ onSearch }: { onSearch: () => void }) {
  const connection = useStoreState((state) => state.connection)
  const isNarrow = useIsNarrow()
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
            <button
              type="button"
              aria-label="Stage"
              title="Stage (F)"
              onClick={toggleStage}
              aria-keyshortcuts="F"
            >
              <Icon name="screen" />
            </button>
            <ThemeButton />
          </>
        )}
      </div>
    </header>
  )
}

/** Warning that is shown while the state file cannot be written. */
export function StateFileWarning() {
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
