import { useRef } from 'preact/hooks'
import { computeTicks, useElementWidth, ValueAxis } from '../shared/chart.tsx'
import { formatFigure, formatDuration } from '../../shared/format.ts'
import type { Replay, TrackedFigure } from '../../shared/types.ts'

interface StoryPlotProps {
  figure: TrackedFigure
  chapters: Replay['chapters']
  durationMs: number
  /** @default 190 */
  height?: number
  /** Font size, px. @default 12 */
  fontSize?: number
}

/** Plots a value over the whole story, with a band for each chapter. */
export function StoryPlot({
  figure,
  chapters,
  durationMs,
  height = 190,
  fontSize = 12,
}: StoryPlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useElementWidth(box)
  const { points, label, unit, value } = figure
  const values = points.map((point) => point.value)
  const ticks = computeTicks(Math.min(0, ...values), Math.max(0, ...values))
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const margin = {
    top: fontSize * 1.8,
    right: fontSize,
    bottom: fontSize * 1.8,
    left: fontSize * 5,
  }
  const [inner, innerHeight] = [
    Math.max(1, width - margin.left - margin.right),
    height - margin.top - margin.bottom,
  ]
  const x = (ms: number) => margin.left + (ms / Math.max(1, durationMs)) * inner
  const y = (amount: number) =>
    margin.top + innerHeight * (1 - (amount - bottom) / (top - bottom || 1))
  const line = points.map(({ at_ms: at, value: amount }) => `${x(at)},${y(amount)}`)
  const last = points.at(-1)
  const shownNames = placeFittingNames(
    chapters.map(({ name, at_ms: at }, index) => ({
      name,
      from: x(at) + 4,
      until: x(chapters[index + 1]?.at_ms ?? durationMs),
      isNow:
        last !== undefined &&
        last.at_ms >= at &&
        last.at_ms < (chapters[index + 1]?.at_ms ?? Infinity),
    })),
    { letter: fontSize * 0.62, end: width },
  )
  return (
    <div ref={box} class="plot" style={{ height: `${height}px` }}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${label} over the story: now ${formatFigure(value, unit)}`}
      >
        {chapters.map(({ name, at_ms: at }, index) => {
          const until = chapters[index + 1]?.at_ms ?? durationMs
          const room = x(until) - x(at)
          return (
            <g key={name}>
              <rect
                class={index % 2 === 0 ? 'band' : 'band odd'}
                x={x(at)}
                y={margin.top}
                width={Math.max(0, room)}
                height={innerHeight}
              />
              {shownNames.has(name) && (
                <text
                  class="axis"
                  style={{ fontSize }}
                  x={shownNames.get(name)}
                  y={margin.top - fontSize * 0.6}
                >
                  {name}
                </text>
              )}
              <title>{`${formatDuration(at)} ${name}`}</title>
            </g>
          )
        })}
        <ValueAxis
          ticks={ticks}
          y={y}
          from={margin.left}
          to={width - margin.right}
          fontSize={fontSize}
          format={(tick) => formatFigure(tick, unit, true)}
        />
        {getAxisTimes(durationMs, inner / (fontSize * 7)).map((ms) => (
          <text
            key={ms}
            class="axis"
            style={{ fontSize }}
            x={x(ms)}
            y={height - fontSize * 0.4}
            text-anchor="middle"
          >
            {formatDuration(ms)}
          </text>
        ))}
        {last !== undefined && (
          <>
            <polygon
              class="area"
              points={[
                `${x(points[0]?.at_ms ?? 0)},${y(bottom)}`,
                ...line,
                `${x(last.at_ms)},${y(bottom)}`,
              ].join(' ')}
            />
            <polyline class="line" style={{ strokeWidth: fontSize / 5 }} points={line.join(' ')} />
            <circle class="dot" cx={x(last.at_ms)} cy={y(last.value)} r={fontSize / 3} />
          </>
        )}
        {points.map(({ at_ms: at, value: amount }, index) => (
          <rect
            key={index}
            class="hit"
            x={x(at)}
            width={Math.max(1, x(points[index + 1]?.at_ms ?? at) - x(at))}
            y={margin.top}
            height={innerHeight}
          >
            <title>{`${formatDuration(at)}: ${formatFigure(amount, unit)}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  )
}

/**
 * Returns the positions of the chapter names to show: the current chapter's name, and others that
 * fit above their band without overlapping it.
 */
function placeFittingNames(
  bands: readonly { name: string; from: number; until: number; isNow: boolean }[],
  { letter, end }: { letter: number; end: number },
): ReadonlyMap<string, number> {
  const lengthOf = (name: string) => name.length * letter
  const now = bands.find(({ isNow }) => isNow)
  const nowFrom =
    now === undefined ? Infinity : Math.max(0, Math.min(now.from, end - lengthOf(now.name)))
  const nowUntil = now === undefined ? -Infinity : nowFrom + lengthOf(now.name)
  const others = bands.filter(({ name, from, until }) => {
    const to = from + lengthOf(name)
    return to <= until - letter && (to + letter < nowFrom || from > nowUntil + letter)
  })
  const places = new Map(others.map(({ name, from }) => [name, from]))
  return now === undefined ? places : places.set(now.name, nowFrom)
}

/** Returns axis labels at regular intervals of whole minutes. */
function getAxisTimes(durationMs: number, maxTimes: number): readonly number[] {
  const minuteMs = 60_000
  const step = Math.max(1, Math.ceil(durationMs / minuteMs / Math.max(1, maxTimes))) * minuteMs
  return Array.from({ length: Math.floor(durationMs / step) + 1 }, (_, index) => index * step)
}
