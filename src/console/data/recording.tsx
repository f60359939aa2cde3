import { useState } from 'preact/hooks'
import { download } from '../shared/copies.ts'
import { toCount, toMoment } from '../shared/format.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import type { RecordedScenario, RecordingState } from '../shared/types.ts'

/** How often the number of steps is loaded again, ms. */
const followMs = 1_000

/**
 * Records what is done, by actions and by clients, and saves it as a scenario that plays it again.
 */
export function RecordingPanel() {
  const { api, refresh } = useStore()
  const total = useShared((state) => state.requests.total)
  const happened = useShared((state) => state.happenings[0]?.id ?? 0)
  const { error, isBusy, run } = useDeed()
  const [turn, setTurn] = useState(0)
  const [saved, setSaved] = useState<RecordedScenario>()
  const { data, error: problem } = useLoad(
    () => api.get<RecordingState>('recording'),
    `${total} ${happened} ${turn}`,
    turn === 0 ? followMs : 0,
  )
  const reload = () => setTurn((before) => before + 1)
  const begin = (isAfresh: boolean) =>
    run(async () => {
      if (isAfresh) await api.send('POST', 'reset').then(refresh)
      await api.send('POST', 'recording')
      setSaved(undefined)
      reload()
    })
  const end = () =>
    run(async () => {
      const recorded = await api.send<RecordedScenario>('DELETE', 'recording', undefined, {
        name: 'recorded',
      })
      download(`${recorded.name}.yaml`, recorded.yaml)
      setSaved(recorded)
      reload()
    })
  const isOn = data !== undefined && data.since !== null
  return (
    <Panel title="Recording" aside={isOn && <span class="badge bad">Recording</span>}>
      <div class="stack">
        <p class="help" role="status">
          {isOn
            ? `${toCount(data.steps, 'step')} since ${toMoment(data.since ?? '')}.`
            : 'What you and your clients do becomes a story: a scenario that plays to the same ' +
              'world.'}
        </p>
        <p class="row">
          {isOn ? (
            <button type="button" class="primary" disabled={isBusy} onClick={end}>
              Stop and save
            </button>
          ) : (
            <>
              <button type="button" disabled={isBusy} onClick={() => begin(false)}>
                Record from here
              </button>
              <button type="button" disabled={isBusy} onClick={() => begin(true)}>
                Reset, then record
              </button>
            </>
          )}
        </p>
        {isOn && data.gap !== null && (
          <p class="warning">It will not play to the same world: {data.gap}.</p>
        )}
        <Problem text={error ?? problem} />
        {saved !== undefined && (
          <p class="done" role="status">
            Saved {toCount(saved.steps, 'step')}.
            {saved.left_out.length > 0 && ` Left out: ${saved.left_out.join('; ')}.`}
            {saved.gap !== null && ` It will not play to the same world: ${saved.gap}.`}
          </p>
        )}
      </div>
    </Panel>
  )
}
