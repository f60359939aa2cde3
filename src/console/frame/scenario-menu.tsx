import { ErrorMessage } from '../forms/error-message.tsx'
import { toClock } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { useScenarios, useWorldChange } from '../shared/world-change.ts'

/** The menu of the scenario: a reset, and the other scenarios. */
export function ScenarioMenu() {
  const scenario = useShared((state) => state.pulse?.scenario ?? '')
  return (
    <Menu name={`Scenario ${scenario}`} className="scenario" label={scenario}>
      {(close) => <ScenarioList current={scenario} onDone={close} />}
    </Menu>
  )
}

function ScenarioList({ current, onDone }: { current: string; onDone: () => void }) {
  const { isBusy, error, reset, load } = useWorldChange(onDone)
  return (
    <>
      <p class="help">
        A reset or another scenario drops all changes, the journal and the faults. Undo restores all
        but the journal.
      </p>
      <button type="button" disabled={isBusy} onClick={reset}>
        Reset {current}
      </button>
      <ErrorMessage text={error} />
      <div class="menu-list">
        {useScenarios().map(({ name, description, duration_ms: duration }) => (
          <button
            key={name}
            type="button"
            disabled={isBusy}
            aria-label={`Load ${name}`}
            aria-current={name === current ? 'true' : undefined}
            onClick={() => load(name)}
          >
            <strong>{name}</strong>{' '}
            {duration > 0 && <span class="badge">story, {toClock(duration)}</span>}
            <div class="help">{description}</div>
          </button>
        ))}
      </div>
    </>
  )
}
