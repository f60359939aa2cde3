import { ConfirmButton } from '../forms/confirm.tsx'
import { ErrorMessage } from '../forms/error-message.tsx'
import { toClock, toMoment } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { momentOfSnapshot, reasonOf, useSnapshots } from '../shared/snapshots.ts'
import { useScenarios, useWorldChange } from '../shared/world-change.ts'

/** The menu of the scenario: a reset, the snapshots, and the other scenarios. */
export function ScenarioMenu() {
  const scenario = useShared((state) => state.pulse?.scenario ?? '')
  return (
    <Menu name={`Scenario ${scenario}`} className="scenario" label={scenario}>
      {(close) => <ScenarioList current={scenario} onDone={close} />}
    </Menu>
  )
}

function ScenarioList({ current, onDone }: { current: string; onDone: () => void }) {
  const { isBusy, error, reset, load, goBack } = useWorldChange(onDone)
  const { snapshots, error: keepError, isBusy: isKeeping, keep, remove } = useSnapshots()
  return (
    <>
      <p class="help">
        A reset or another scenario drops all changes, the journal and the faults. Undo restores all
        but the journal.
      </p>
      <p class="row">
        <button type="button" disabled={isBusy} onClick={reset}>
          Reset {current}
        </button>
        <button type="button" disabled={isKeeping} onClick={keep}>
          Keep this state
        </button>
      </p>
      <ErrorMessage text={error ?? keepError} />
      {snapshots.length > 0 && (
        <ul class="menu-list" aria-label="Kept states">
          {snapshots.map((snapshot) => (
            <li key={snapshot.name} class="row">
              <button type="button" class="grow" disabled={isBusy} onClick={() => goBack(snapshot)}>
                Go back to {momentOfSnapshot(snapshot)}
                <div class="help">
                  {reasonOf(snapshot)}: {snapshot.scenario}, {toMoment(snapshot.at)} UTC
                </div>
              </button>
              <ConfirmButton
                label="Remove"
                name={`Remove the state of ${momentOfSnapshot(snapshot)}`}
                question={`Remove this state (${reasonOf(snapshot)})? This cannot be undone.`}
                isDisabled={isKeeping}
                onConfirm={() => remove(snapshot.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <div class="menu-list" role="group" aria-label="Scenarios">
        {useScenarios().map(({ name, description, duration_ms: duration }) => (
          <button
            key={name}
            type="button"
            disabled={isBusy}
            aria-current={name === current ? 'true' : undefined}
            onClick={() => load(name)}
          >
            <span class="hidden">Load </span>
            <strong>{name}</strong>{' '}
            {duration > 0 && <span class="badge">story, {toClock(duration)}</span>}
            <div class="help">{description}</div>
          </button>
        ))}
      </div>
    </>
  )
}
