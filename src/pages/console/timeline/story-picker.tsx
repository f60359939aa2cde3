import { ErrorMessage } from '../forms/error-message.tsx'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { useScenarios, useWorldCommands } from '../shared/world-commands.ts'

/** Offers scenarios that have a story if the current scenario does not have one. */
export function StoryPicker() {
  const hasStory = useStoreState((state) => (state.pulse?.replay.duration_ms ?? 0) > 0)
  const { error, isBusy, load } = useWorldCommands()
  const stories = useScenarios().filter(({ duration_ms: duration }) => duration > 0)
  if (hasStory) return null
  return (
    <Panel title="Stories">
      <p class="help">This scenario has no story. These have:</p>
      <div class="menu-list">
        {stories.map(({ name, title, description }) => (
          <button
            key={name}
            type="button"
            disabled={isBusy}
            onClick={() => load(name, { plays: true })}
          >
            <span class="hidden">Load {name}: </span>
            <strong>{title}</strong>
            <div class="help">{description}</div>
          </button>
        ))}
      </div>
      <ErrorMessage text={error} />
    </Panel>
  )
}
