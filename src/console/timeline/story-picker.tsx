import { ErrorMessage } from '../forms/error-message.tsx'
import { useScenarios, useWorldCommands } from '../shared/world-commands.ts'

/** Offers scenarios that have a story if the current scenario does not have one. */
export function StoryPicker() {
  const { error, isBusy, load } = useWorldCommands()
  const stories = useScenarios().filter(({ duration_ms: duration }) => duration > 0)
  return (
    <div class="stories">
      <p class="help">This scenario has no story. These have:</p>
      <div class="row">
        {stories.map(({ name, title, description }) => (
          <button
            key={name}
            type="button"
            disabled={isBusy}
            aria-label={`Load ${name}: ${title}`}
            title={description}
            onClick={() => load(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <ErrorMessage text={error} />
    </div>
  )
}
