import { useRef, useState } from 'preact/hooks'
import { usePlace } from '../shared/place.ts'
import { formatFigure, formatDuration } from '../../shared/format.ts'
import { useIsIdle, useStoreState, useWakeLock } from '../../shared/hooks.ts'
import { Icon } from '../../shared/icons.tsx'
import type { Replay, TrackedFigure } from '../../shared/types.ts'
import { useElementSize } from '../shared/chart.tsx'
import { leaveStage, stageSpeeds, toggleStageRequests } from '../timeline/keyboard.ts'
import type { StoryController } from '../timeline/keyboard.ts'
import { StoryPlot } from '../timeline/story-plot.tsx'
import { StoryPicker } from '../timeline/story-picker.tsx'
import { useStory } from '../timeline/use-story.ts'
import { StoryTimeline } from '../timeline/timeline.tsx'
import { mergeStageEvents, toActionEvents, toRequestEvents } from './stage-events.ts'
import type { Meaning, StageEvent } from './stage-events.ts'
import { ClientPanel, useStoryClient } from './client-panel.tsx'
import { FigureCards, fillsSpace } from './figure-cards.tsx'

const maxHappenings = 5

/**
 * Shows the story to an audience: the main value with a plot, the latest actions and the caption.
 */
export function StageView({
  director,
  showHelp,
}: {
  director: StoryController
  showHelp: () => void
}) {
  useWakeLock()
  const isIdle = useIsIdle()
  const replay = useStoreState((state) => state.pulse?.replay)
  const now = useStoreState((state) => state.pulse?.clock.now ?? '')
  const caption = useStoreState((state) => state.caption)
  const error = useStoreState((state) => state.error)
  const connection = useStoreState((state) => state.connection)
  const { title, watch } = useStory()
  const hasRequests = usePlace().filters?.['requests'] !== undefined
  if (replay === undefined) return null
  const hasStory = replay.duration_ms > 0
  return (
    <main
      class={isIdle && replay.status === 'playing' ? 'stage idle' : 'stage'}
      id="panels"
      tabIndex={-1}
      aria-label="Stage"
    >
      <header class="stage-head">
        <p class="stage-chapter">{replay.chapter}</p>
        <h1>{title}</h1>
        <p class="stage-time">
          <time dateTime={now}>{formatStageTime(now)}</time>
        </p>
      </header>
      <Figures watch={watch} replay={replay} />
      <StageFeed replay={replay} hasRequests={hasRequests} />
      <p class="stage-caption" aria-live="polite">
        <span key={caption}>{caption}</span>
      </p>
      <div class="stage-controls" role="group" aria-label="Story">
        {hasStory && <StoryTimeline replay={replay} director={director} />}
        <div class="controls">
          {hasStory && (
            <>
              {' '}
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
                {formatDuration(replay.at_ms)} / {formatDuration(replay.duration_ms)}
              </p>
              <div class="speeds" role="group" aria-label="Speed">
                {stageSpeeds.map((speed) => (
                  <button
                    key={speed}
                    type="button"
                    aria-pressed={replay.speed === speed}
                    onClick={() => director.command({ command: 'speed', speed })}
                    aria-keyshortcuts="S"
                  >
                    {speed}×
                  </button>
                ))}
              </div>
            </>
          )}
          <button
            type="button"
            class="push"
            aria-pressed={hasRequests}
            onClick={toggleStageRequests}
            aria-keyshortcuts="R"
          >
            Requests
          </button>
          <button type="button" class="more" onClick={showHelp} aria-keyshortcuts="?">
            Keys
          </button>
          <button type="button" aria-label="Leave the stage" onClick={leaveStage}>
            Leave<span class="more"> the stage</span>
          </button>
        </div>
      </div>
      {(error !== null || connection === 'lost') && (
        <p class="stage-problem error" role="alert">
          {error ?? 'The sandbox does not respond. Trying again.'}
        </p>
      )}
    </main>
  )
}

/** `Sat, 12 Sep 2026, 19:00`, UTC. */
function formatStageTime(now: string): string {
  return now === '' ? '' : stageTime.format(new Date(now))
}

const stageTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

interface FiguresProps {
  watch: readonly TrackedFigure[]
  replay: Replay
}

function Figures({ watch: [first, ...others], replay }: FiguresProps) {
  const { chapters, duration_ms: durationMs } = replay
  const client = useStoryClient(replay)
  if (first === undefined) return durationMs === 0 ? <StoryPicker /> : null
  const cards = others.filter(({ subject }) => subject !== undefined)
  // The minimum keeps the font size constant while the number grows.
  const text = formatFigure(first.value, first.unit)
  return (
    <section
      class={cards.length > 0 || client !== null ? 'stage-figures carded' : 'stage-figures'}
      aria-label="Figures"
    >
      <h2>{first.label}</h2>
      <p
        class="stage-number"
        style={{ '--characters': Math.max(first.unit === 'dollars' ? 9 : 7, text.length) }}
      >
        {text}
      </p>
      <ul class="stage-others">
        {others
          .filter(
            ({ subject, figure }) =>
              subject === undefined && (client === null || !ofClients.test(figure)),
          )
          .map(({ figure, label, unit, value }) => (
            <li key={`${figure} ${label}`}>
              {label} <strong>{formatFigure(value, unit)}</strong>
            </li>
          ))}
      </ul>
      {cards.length > 0 && <FigureCards figures={cards} />}
      {client !== null && <ClientPanel client={client} />}
      {!fillsSpace(cards) && (
        <FillingPlot figure={first} chapters={chapters} durationMs={durationMs} />
      )}
    </section>
  )
}

/** Figures of the user's client, which are 0 while the client of the story is shown. */
const ofClients = /^(requests|refused|status\.)/

/** Plots a figure in the space that is left. */
function FillingPlot(plot: Parameters<typeof StoryPlot>[0]) {
  const box = useRef<HTMLDivElement>(null)
  const { height } = useElementSize(box)
  return (
    <div ref={box} class="stage-plot">
      {height > minPlotHeight && (
        <StoryPlot
          {...plot}
          height={height}
          fontSize={Math.max(13, Math.round(innerHeight / 50))}
        />
      )}
    </div>
  )
}

/** Height below which a plot cannot be read, px. */
const minPlotHeight = 70

/**
 * Shows the latest events, followed by the next chapters so that the list is not empty at the
 * start.
 */
function StageFeed({ replay, hasRequests }: { replay: Replay; hasRequests: boolean }) {
  const happenings = useStoreState((state) => state.happenings)
  const rows = useStoreState((state) => state.requests.rows)
  const accounts = useStoreState((state) => state.about?.accounts ?? noAccounts)
  const told = mergeStageEvents(
    hasRequests ? toRequestEvents(rows, maxHappenings) : [],
    toActionEvents(happenings, accounts, { max: maxHappenings, isTechnical: hasRequests }),
    maxHappenings,
  )
  const coming = replay.chapters.filter((chapter) => chapter.at_ms > replay.at_ms)
  const [slots] = useState(() => Array.from({ length: maxHappenings }, (_, index) => index))
  return (
    <section class="stage-feed" aria-label="What happens">
      <ol>
        {slots.map((slot) => {
          const each = told[slot]
          const chapter = coming[slot - told.length]
          return (
            <li key={slot}>
              {each !== undefined ? (
                <Event key={each.id} event={each} />
              ) : (
                chapter !== undefined && (
                  <div key={chapter.name} class="event coming">
                    <span class="event-time">{formatDuration(chapter.at_ms)}</span>
                    <span class="event-text">
                      {slot === told.length && 'Next: '}
                      {chapter.name}
                    </span>
                  </div>
                )
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Event({
  event: { meaning, initials, face, text, amount, detail },
}: {
  event: StageEvent
}) {
  return (
    <div class={`event ${meaning}`}>
      <span class="face" aria-hidden="true">
        {initials ?? <Icon name={icons[meaning]} />}
        {face !== null && <img src={face} alt="" />}
      </span>
      <span class="event-text">{text}</span>
      <strong class="event-amount">{amount}</strong>
      {detail !== null && <span class="event-detail"> {detail}</span>}
    </div>
  )
}

const icons = {
  money: 'spark',
  trouble: 'warn',
  refused: 'warn',
  good: 'check',
  team: 'chat',
  plain: 'spark',
} as const satisfies Record<Meaning, string>

const noAccounts: Parameters<typeof toActionEvents>[1] = []
