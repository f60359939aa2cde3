import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { ConfirmButton, TextForm } from '../forms/confirm.tsx'
import { splitIntoLowerWords } from '../../../lib/typo.ts'
import { formatDuration, formatTimestamp } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import {
  describeSnapshot,
  isAutomatic,
  formatSnapshotTime,
  getSnapshotTitle,
  useSnapshots,
} from '../shared/snapshots.ts'
import type { KeptSnapshot } from '../../shared/types.ts'
import { useScenarios, useWorldCommands } from '../shared/world-commands.ts'

export const scenarioMenuId = 'scenario-menu'

/** Menu with reset, snapshots, and the other scenarios. */
export function ScenarioMenu() {
  const scenario = useStoreState((state) => state.pulse?.scenario ?? '')
  return (
    <Menu name={`Scenario ${scenario}`} id={scenarioMenuId} className="scenario" label={scenario}>
      {(close) => <ScenarioList current={scenario} onDone={close} />}
    </Menu>
  )
}

function ScenarioList({ current, onDone }: { current: string; onDone: () => void }) {
  const { isBusy, error, reset, load, goBack } = useWorldCommands(onDone)
  const { snapshots, error: saveError, isBusy: isSaving, save, remove } = useSnapshots()
  const about = useStoreState((state) => state.about)
  const [keepsStart, setKeepsStart] = useState(false)
  const scenarios = useScenarios()
  const [text, setText] = useState('')
  const found = scenarios.filter(({ name, description }) =>
    splitIntoLowerWords(text).every((word) =>
      `${name} ${description}`.toLowerCase().includes(word),
    ),
  )
  const start = about === null ? '' : `${formatTimestamp(about.start)} UTC`
  const loaded = scenarios.find(({ name }) => name === current)
  const automatic = snapshots.filter(isAutomatic)
  const states = (name: string, list: readonly KeptSnapshot[]) =>
    list.length > 0 && (
      <>
        <p>
          <strong>{name}</strong>
        </p>
        <ul class="menu-list" aria-label={name}>
          {list.map((snapshot) => (
            <State
              key={snapshot.name}
              snapshot={snapshot}
              isBusy={isBusy || isSaving}
              onGoBack={() => goBack(snapshot)}
              onRemove={() => remove(snapshot.name)}
            />
          ))}
        </ul>
      </>
    )
  return (
    <>
      <p class="help">
        A reset or another scenario deletes all changes, requests and faults. Undo restores all
        except the requests.
      </p>
      <p class="row">
        <button type="button" disabled={isBusy} onClick={reset}>
          Reset {current}
        </button>
        <span class="help">
          The same data again: start {start}, seed {about?.seed}.
        </span>
      </p>
      <ErrorMessage text={error ?? saveError} />
      {/* The new key empties the input after a state was saved. */}
      <TextForm
        key={snapshots.length}
        label="Name"
        placeholder="optional"
        submitLabel="Save this state"
        isDisabled={isSaving}
        onSubmit={save}
      />
      {states(
        'Saved states',
        snapshots.filter((each) => !isAutomatic(each)),
      )}
      {states('Before the last change', automatic.slice(0, 1))}
      {automatic.length > 1 && (
        <details>
          <summary>More states</summary>
          {states('Before earlier changes', automatic.slice(1))}
        </details>
      )}
      <p>
        <strong>Scenarios</strong>
      </p>
      <input
        type="search"
        aria-label="Find a scenario"
        placeholder="Find a scenario"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="menu-list scenarios" role="group" aria-label="Scenarios">
        {found.map(({ name, description, duration_ms: duration, now, starts_at: own }) => (
          <button
            key={name}
            type="button"
            disabled={isBusy}
            aria-current={name === current ? 'true' : undefined}
            onClick={() =>
              load(name, {
                ...(name === current ? { seed: about?.seed } : {}),
                ...(name === current || keepsStart ? { start: about?.start } : {}),
              })
            }
          >
            <span class="hidden">Load </span>
            <strong>{name}</strong>{' '}
            {duration > 0 && <span class="badge">story, {formatDuration(duration)}</span>}
            <div class="help">
              {description}{' '}
              {name === current
                ? `Keeps its start time, ${start}, and its seed.`
                : keepsStart
                  ? `Starts at the same time as this world, ${start}.`
                  : `Starts ${Date.parse(own) === Date.parse(now) ? 'at' : 'now,'} ${formatTimestamp(own)} UTC.`}
            </div>
          </button>
        ))}
      </div>
      <details>
        <summary>Start time</summary>
        <label>
          <input
            type="checkbox"
            checked={keepsStart}
            onChange={(event) => setKeepsStart(event.currentTarget.checked)}
          />{' '}
          Keep the start of this world, {start}
        </label>
        {loaded !== undefined && loaded.starts_at !== about?.start && (
          <p class="row">
            <button type="button" disabled={isBusy} onClick={() => load(current)}>
              Start {current} at {formatTimestamp(loaded.starts_at)}
            </button>
            <span class="help">Other data: they depend on the start.</span>
          </p>
        )}
      </details>
    </>
  )
}

/** Shows a saved state, with commands that restore and delete it. */
function State({
  snapshot,
  isBusy,
  onGoBack,
  onRemove,
}: {
  snapshot: KeptSnapshot
  isBusy: boolean
  onGoBack: () => void
  onRemove: () => void
}) {
  const now = useStoreState((state) => state.pulse?.clock.now ?? '')
  const time = formatSnapshotTime(snapshot, now)
  const title = getSnapshotTitle(snapshot) ?? snapshot.note
  return (
    <li class="row">
      <button type="button" class="grow" disabled={isBusy} onClick={onGoBack}>
        Go back to {time}
        {title !== null && (
          <>
            : <strong>{title}</strong>
          </>
        )}
        <div class="help">{describeSnapshot(snapshot)}</div>
      </button>
      <ConfirmButton
        label="Remove"
        className="danger"
        name={`Remove the state of ${time}`}
        question={`Remove this state? ${describeSnapshot(snapshot)}. This cannot be undone.`}
        isDisabled={isBusy}
        onConfirm={onRemove}
      />
    </li>
  )
}
