import { rememberWorld } from '../shared/undo.ts'
import { toClock } from '../shared/format.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { Problem } from '../shared/problem.tsx'
import type { Scenario } from '../shared/types.ts'

/** The scenario in the header. It opens the list of the others, and the reset. */
export function ScenarioMenu() {
  const scenario = useShared((state) => state.pulse?.scenario ?? '')
  return (
    <Menu name={`Scenario ${scenario}`} className="scenario" label={scenario}>
      {(close) => <ScenarioList current={scenario} onDone={close} />}
    </Menu>
  )
}

function ScenarioList({ current, onDone }: { current: string; onDone: () => void }) {
  const { api } = useStore()
  const { isBusy, error, reset, load } = useScenarioChange(onDone)
  const { data = [] } = useLoad(() => api.get<Scenario[]>('scenarios'), '')
  return (
    <>
      <p class="help">
        Both drop what clients wrote, the journal and the faults. You can undo that, except for the
        journal.
      </p>
      <button type="button" disabled={isBusy} onClick={reset}>
        Reset {current}
      </button>
      <Problem text={error} />
      <div class="menu-list">
        {data.map(({ name, description, duration_ms: duration }) => (
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

/** Resets or loads a scenario. A message offers to undo it. */
export function useScenarioChange(onDone: () => void = () => {}) {
  const { api, refresh, say } = useStore()
  const { error, isBusy, run } = useDeed()
  const change = (text: string, send: () => Promise<unknown>) =>
    run(async () => {
      const restore = await rememberWorld(api)
      await send()
      await refresh()
      say(text, () => restore().then(refresh))
      onDone()
    })
  return {
    error,
    isBusy,
    reset: () => change('The scenario is at its start again.', () => api.send('POST', 'reset')),
    load: (name: string) =>
      change(`Loaded ${name}.`, () => api.send('PUT', 'scenario', { name, cue: true })),
  }
}
