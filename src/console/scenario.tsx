import { useState } from 'preact/hooks'
import { toClock } from './format.ts'
import { useLoad, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'
import type { Scenario } from './types.ts'

/** The present scenario, a reset, and the other scenarios. */
export function ScenarioPanel() {
  const store = useStore()
  const scenario = useShared((state) => state.pulse?.scenario)
  const { data = [] } = useScenarios()
  const reset = () => void store.attempt(() => store.api.send('POST', 'reset').then(() => store.refresh()))
  return (
    <Panel title="Scenario">
      <p class="row">
        <strong class="grow">{scenario}</strong>
        <button type="button" onClick={reset}>
          Reset to its start
        </button>
      </p>
      <p class="help">Loading another scenario, or a reset, drops all that clients wrote.</p>
      <ul class="list">
        {data.map((each) => (
          <li key={each.name}>
            <div class="grow">
              <strong>{each.name}</strong> {each.duration_ms > 0 && <span class="badge">story, {toClock(each.duration_ms)}</span>}
              <div class="help">{each.description}</div>
            </div>
            <LoadButton scenario={each} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The scenarios with a story, for a scenario that has none. */
export function StoryChoice() {
  const { data = [] } = useScenarios()
  return (
    <div class="stories">
      <p class="help">This scenario has no story. These have:</p>
      <div class="row">
        {data
          .filter(({ duration_ms: duration }) => duration > 0)
          .map((scenario) => (
            <LoadButton key={scenario.name} scenario={scenario} label={scenario.title} />
          ))}
      </div>
    </div>
  )
}

function LoadButton({ scenario: { name, description }, label = 'Load' }: { scenario: Scenario; label?: string }) {
  const store = useStore()
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    setLoading(true)
    await store.attempt(() => store.api.send('PUT', 'scenario', { name }).then(() => store.refresh()))
    setLoading(false)
  }
  return (
    <button
      type="button"
      disabled={isLoading}
      title={description}
      aria-label={label === 'Load' ? `Load ${name}` : `Load ${name}: ${label}`}
      onClick={() => void load()}
    >
      {label}
    </button>
  )
}

function useScenarios() {
  const { api } = useStore()
  return useLoad(() => api.get<Scenario[]>('scenarios'), '')
}
