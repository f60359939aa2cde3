import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { downloadText } from '../shared/request-export.ts'
import { formatCount, formatTimestamp } from '../../shared/format.ts'
import { useCommandRunner, useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { useWorldCommands } from '../shared/world-commands.ts'
import { Panel } from '../shared/panel.tsx'
import type { RecordedScenario, RecordingState } from '../../shared/types.ts'

/** Minimum interval between updates, ms. */
const followMs = 1_000

/** Panel that records actions and requests and saves them as a scenario with a story. */
export function RecordingPanel() {
  const { api } = useStore()
  const total = useStoreState((state) => state.requests.total)
  const happened = useStoreState((state) => state.happenings[0]?.id ?? 0)
  const { error, isBusy, run } = useCommandRunner()
  const [saved, setSaved] = useState<RecordedScenario>()
  const {
    data,
    error: loadError,
    reload,
  } = useLoadedData(() => api.get<RecordingState>('recording'), `${total} ${happened}`, {
    pauseMs: followMs,
  })
  const { error: resetError, isBusy: isResetting, change } = useWorldCommands()
  const begin = async () => {
    await api.send('POST', 'recording')
    setSaved(undefined)
    reload()
  }
  const resetAndBegin = () =>
    change(
      {
        done: () => 'The scenario was reset. Recording has started.',
        task: 'the reset for the recording',
      },
      async () => {
        await api.send('POST', 'reset')
        await begin()
      },
    )
  const end = () =>
    run(async () => {
      const recorded = await api.send<RecordedScenario>('DELETE', 'recording', undefined, {
        name: 'recorded',
      })
      downloadText(`${recorded.name}.yaml`, recorded.yaml)
      setSaved(recorded)
      reload()
    })
  const isOn = data !== undefined && data.since !== null
  return (
    <Panel title="Recording" aside={isOn && <span class="badge warn">Recording</span>}>
      <div class="stack">
        <p class="help" role="status">
          {isOn
            ? `${formatCount(data.steps, 'step')} since ${formatTimestamp(data.since ?? '')}.`
            : 'Turns your actions and requests into a story. Playing the story recreates the ' +
              'same world.'}
        </p>
        <p class="row">
          {isOn ? (
            <button type="button" class="primary" disabled={isBusy} onClick={end}>
              Stop and save
            </button>
          ) : (
            <>
              <button type="button" disabled={isBusy} onClick={() => run(begin)}>
                Record from here
              </button>
              <button type="button" disabled={isResetting} onClick={resetAndBegin}>
                Reset, then record
              </button>
            </>
          )}
        </p>
        {isOn && data.gap !== null && (
          <p class="warning">Playing it will give another world: {data.gap}.</p>
        )}
        <ErrorMessage text={error ?? resetError ?? loadError} />
        {saved !== undefined && (
          <p class="done" role="status">
            Saved {formatCount(saved.steps, 'step')}.
            {saved.left_out.length > 0 && ` Left out: ${saved.left_out.join('; ')}.`}
            {saved.gap !== null && ` Playing it will give another world: ${saved.gap}.`}
          </p>
        )}
      </div>
    </Panel>
  )
}
