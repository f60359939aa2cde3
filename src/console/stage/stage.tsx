import { useState } from 'preact/hooks'
import { formatFigure, toClock, toMoment } from '../shared/format.ts'
import { useIdle, useShared, useWakeLock, useWindowHeight } from '../shared/hooks.ts'
import { Icon } from '../shared/icons.tsx'
import type { TrackedFigure } from '../shared/types.ts'
import { leaveStage } from '../timeline/keyboard.ts'
import type { Director } from '../timeline/keyboard.ts'
import { StoryPlot } from '../timeline/story-plot.tsx'
import { useStory } from '../timeline/story.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { tell } from './people.ts'

const maxHappenings = 6

/** The story for an audience: the main figure with a plot, the latest actions and the caption. */
export function Stage({ director, showHelp }: { director: Director; showHelp: () => void }) {
  useWakeLock()
  const isIdle = useIdle()
  const replay = useShared((state) => state.pulse?.replay)
  const now = useShared((state) => state.pulse?.clock.now ?? '')
  const caption = useShared((state) => state.caption)
  const error = useShared((state) => state.error)
  const connection = useShared((state) => state.connection)
  const { title, watch } = useStory()
  if (replay === undefined) return null
  return (
    <main
      class={isIdle && replay.status === 'playing' ? 'stage idle' : 'stage'}
      id="panels"
      tabIndex={-1}
      aria-label="Stage"
    >
      <header class="stage-head">
        <h1>{title}</h1>
        <p class="stage-chapter">{replay.chapter}</p>
        <p class="stage-time">
          <time dateTime={now}>{toMoment(now).slice(0, 16)}</time>
        </p>
      </header>
      <Figures watch={watch} chapters={replay.chapters} durationMs={replay.duration_ms} />
      <Feed />
      <p class="stage-caption" aria-live="polite">
        <span key={caption}>{caption}</span>
      </p>
      <div class="stage-controls" role="group" aria-label="Story">
        <Timeline replay={replay} director={director} />
        <div class="controls">
          <button
            type="button"
            onClick={() => director.chapter(-1)}
            aria-label="The chapter before"
            aria-keyshortcuts="PageUp"
          >
            <Icon name="start" />
          </button>
          <button
            type="button"
            class="primary play"
            disabled={replay.duration_ms === 0}
            onClick={director.toggle}
            aria-keyshortcuts="Space"
          >
            <Icon name={replay.status === 'playing' ? 'pause' : 'play'} />
            {replay.status === 'playing' ? 'Pause' : 'Play'}
          </button>
          <button
            type="button"
            onClick={() => director.chapter(1)}
            aria-label="The next chapter"
            aria-keyshortcuts="PageDown"
          >
            <Icon name="step" />
          </button>
          <p class="at">
            {toClock(replay.at_ms)} / {toClock(replay.duration_ms)}
          </p>
          <button type="button" class="push" onClick={showHelp} aria-keyshortcuts="?">
            Keys
          </button>
          <button type="button" aria-label="Leave the stage" onClick={leaveStage}>
            Leave<span class="more"> the stage</span>
          </button>
        </div>
      </div>
      {(error !== null || connection === 'lost') && (
        <p class="stage-problem error" role="alert">
          {error ?? 'The sandbox does not answer. Trying again.'}
        </p>
      )}
    </main>
  )
}

interface FiguresProps {
  watch: readonly TrackedFigure[]
  chapters: Parameters<typeof StoryPlot>[0]['chapters']
  durationMs: number
}

function Figures({ watch: [first, ...others], chapters, durationMs }: FiguresProps) {
  const height = useWindowHeight()
  if (first === undefined)
    return (
      <section class="stage-figures" aria-label="Figures">
        {durationMs === 0 && (
          <p class="stage-empty">This scenario has no story. Leave the stage to load one.</p>
        )}
      </section>
    )
  // The minimum keeps the font size while the number grows.
  const text = formatFigure(first.value, first.unit)
  return (
    <section class="stage-figures" aria-label="Figures">
      <h2>{first.label}</h2>
      <p
        class="stage-number"
        style={{ '--characters': Math.max(first.unit === 'dollars' ? 9 : 7, text.length) }}
      >
        {text}
      </p>
      <ul class="stage-others">
        {others.map(({ figure, label, unit, value }) => (
          <li key={figure}>
            {label} <strong>{formatFigure(value, unit)}</strong>
          </li>
        ))}
      </ul>
      <StoryPlot
        figure={first}
        chapters={chapters}
        durationMs={durationMs}
        height={Math.round(height * 0.3)}
        fontSize={Math.max(14, Math.round(height / 45))}
      />
    </section>
  )
}

function Feed() {
  const happenings = useShared((state) => state.happenings)
  const accounts = useShared((state) => state.about?.accounts ?? noAccounts)
  const told = tell(happenings, accounts, maxHappenings)
  const [slots] = useState(() => Array.from({ length: maxHappenings }, (_, index) => index))
  return (
    <section class="stage-feed" aria-label="What happens">
      <ol>
        {slots.map((slot) => {
          const each = told[slot]
          return (
            <li key={slot}>
              {each !== undefined && (
                <div key={each.id} class={each.isBad ? 'event bad' : 'event'}>
                  <span class={`face tint${each.tint}`} aria-hidden="true">
                    {each.initials ?? <Icon name={each.isBad ? 'warn' : 'spark'} />}
                    {each.face !== null && <img src={each.face} alt="" />}
                  </span>
                  <span class="event-text">{each.text}</span>
                  <strong class="event-amount">{each.amount}</strong>
                </div>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const noAccounts: Parameters<typeof tell>[1] = []
