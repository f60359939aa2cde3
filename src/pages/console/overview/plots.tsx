import { formatFigure } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { StoryPlot } from '../timeline/story-plot.tsx'
import { useStory } from '../timeline/use-story.ts'
import { SandboxTimePanel } from './sandbox-time.tsx'

/**
 * Plots the story's values over story time, or revenue, subscribers and requests over sandbox time.
 */
export function PlotsPanel() {
  const hasFigures = useStoreState((state) => (state.pulse?.replay.watch.length ?? 0) > 0)
  return (
    <>
      {hasFigures && <StoryPanel />}
      <SandboxTimePanel />
    </>
  )
}

function StoryPanel() {
  const { watch, chapters, duration_ms: durationMs } = useStory()
  return (
    <Panel title="Over the story" wide>
      <div class="charts">
        {watch.map((figure) => (
          <figure key={figure.figure} class="chart">
            <figcaption>
              {figure.label} <strong>{formatFigure(figure.value, figure.unit)}</strong>
            </figcaption>
            <StoryPlot figure={figure} chapters={chapters} durationMs={durationMs} />
          </figure>
        ))}
      </div>
    </Panel>
  )
}
