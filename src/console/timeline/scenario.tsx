import { useScenarioChange } from '../frame/scenario-menu.tsx'
import { toClock } from '../shared/format.ts'
import { useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import type { Scenario } from '../shared/types.ts'
import { LoadButton } from './load-story.tsx'

/** The present scenario, a reset, and the other scenarios. */
export function ScenarioPanel() {
  const { error, isBusy, reset } = useScenarioChange()
  const scenario = useShared((state) => state.pulse?.scenario)
  const { data = [] } = useScenarios()
  return (
    <Panel title="Scenario">
      <p class="row">
        <strong class="grow">{scenario}</strong>
        <button type="button" disabled={isBusy} onClick={reset}>
          Reset to its start
        </button>
      </p>
      <Problem text={error} />
      <p class="help">
        Loading another scenario and a reset drop what clients wrote. A reset can be undone.
      </p>
      <ul class="list">
        {data.map((each) => (
          <li key={each.name}>
            <div class="grow">
              <strong>{each.name}</strong>{' '}
              {each.duration_ms > 0 && (
                <span class="badge">story, {toClock(each.duration_ms)}</span>
              )}
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

function useScenarios() {
  const { api } = useStore()
  return useLoad(() => api.get<Scenario[]>('scenarios'), '')
}
