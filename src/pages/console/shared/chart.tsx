import { useEffect, useRef, useState } from 'preact/hooks'
import { formatDay } from '../../shared/format.ts'

interface ChartPoint {
  /** Start of the point's time span. */
  at: string
  value: number
  /** Part of the value to highlight as a problem, such as failed requests. */
  bad?: number
}

interface ChartProps {
  title: string
  /** Time span of the chart, if it differs from the other charts. */
  note?: string
  /** Value for the whole time span. */
  figure: string
  points: readonly ChartPoint[]
  /** Time span of each point, ms. */
  widthMs: number
  format: (value: number) => string
  formatAxis: (value: number) => string
  /** True to draw a line instead of bars. The axis of a line may start above 0. */
  isLine?: boolean
  /** Describes the future content of a chart that has nothing to show yet. */
  empty: string
}

const height = 170
const margin = { top: 8, right: 8, bottom: 26, left: 68 }
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Draws values over time as bars or a line, in plain SVG. */
export function Chart({
  title,
  note,
  figure,
  points,
  widthMs,
  format,
  formatAxis,
  isLine = false,
  empty,
}: ChartProps) {
  const box = useRef<HTMLElement>(null)
  const width = useElementWidth(box)
  const values = points.map(({ value }) => value)
  const lowest = isLine && values.length > 0 ? Math.min(...values) : 0
  const ticks = computeTicks(lowest, Math.max(...values, 0))
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const [innerWidth, innerHeight] = [
    Math.max(1, width - margin.left - margin.right),
    height - margin.top - margin.bottom,
  ]
  const step = innerWidth / Math.max(1, points.length)
  const y = (value: number) =>
    margin.top + innerHeight * (1 - (value - bottom) / (top - bottom || 1))
  const x = (index: number) => margin.left + index * step
  const isEmpty = isLine ? points.length < 2 : values.every((value) => value === 0)
  const labels = selectLabelIndices(points, Math.max(2, Math.floor(innerWidth / 110)))
  const max = points.length === 0 ? '' : ` Maximum: ${format(Math.max(...values))}.`
  return (
    <figure ref={box} class="chart">
      <figcaption>
        <span>
          {title} {note !== undefined && <span class="help">{note}</span>}
        </span>
        <strong>{figure}</strong>
      </figcaption>
      {isEmpty && <p class="help over">{empty}</p>}
      <svg width={width} height={height} role="img" aria-label={`${title}: ${figure}.${max}`}>
        <ValueAxis
          ticks={isEmpty ? [] : ticks}
          y={y}
          from={margin.left}
          to={width - margin.right}
          format={formatAxis}
        />
        {labels.map((index) => (
          <text
            key={index}
            class="axis"
            x={x(index) + step / 2}
            y={height - 6}
            text-anchor="middle"
          >
            {toLabel(points[index]?.at ?? '', widthMs)}
          </text>
        ))}
        {isLine ? (
          <polyline
            class="line"
            points={points
              .map(({ value }, index) => `${x(index) + step / 2},${y(value)}`)
              .join(' ')}
          />
        ) : (
          points.map(({ at, value, bad = 0 }, index) => (
            <g key={at}>
              <rect
                class="bar"
                x={x(index) + step * 0.1}
                width={step * 0.8}
                y={y(value)}
                height={Math.max(0, y(0) - y(value))}
              />
              {bad > 0 && (
                <rect
                  class="bar bad"
                  x={x(index) + step * 0.1}
                  width={step * 0.8}
                  y={y(bad)}
                  height={Math.max(0, y(0) - y(bad))}
                />
              )}
            </g>
          ))
        )}
        {points.map(({ at, value, bad = 0 }, index) => (
          <rect key={at} class="hit" x={x(index)} width={step} y={margin.top} height={innerHeight}>
            <title>
              {`${at.slice(0, 16).replace('T', ' ')} UTC: ` +
                `${format(value)}${bad > 0 ? `, ${format(bad)} refused` : ''}`}
            </title>
          </rect>
        ))}
      </svg>
    </figure>
  )
}

interface ValueAxisProps {
  ticks: readonly number[]
  /** Returns the position of a value. */
  y: (value: number) => number
  /** Start and end of the lines, px. */
  from: number
  to: number
  /** Font size, px. @default 12 */
  fontSize?: number
  format: (value: number) => string
}

/** Draws a line and a label for each tick of the vertical axis. */
export function ValueAxis({ ticks, y, from, to, fontSize = 12, format }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line class="grid" x1={from} x2={to} y1={y(tick)} y2={y(tick)} />
      <text
        class="axis"
        style={{ fontSize }}
        x={from - 6}
        y={y(tick) + fontSize / 3}
        text-anchor="end"
      >
        {format(tick)}
      </text>
    </g>
  ))
}

/** Tracks the width of an element, px. */
export function useElementWidth(box: { current: HTMLElement | null }): number {
  return Math.max(200, useElementSize(box).width || 360)
}

/** Tracks the size of an element, px. */
export function useElementSize(box: { current: HTMLElement | null }): {
  width: number
  height: number
} {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      setSize({ width: Math.floor(width), height: Math.floor(height) })
    })
    if (box.current !== null) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return size
}

/** Returns axis ticks: a few round numbers that cover the values. */
export function computeTicks(lowest: number, highest: number): readonly number[] {
  const span = highest - lowest || Math.max(1, highest)
  const rough = span / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const first = Math.floor(lowest / step)
  const last = Math.max(first + 1, Math.ceil(highest / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Returns the indices of labelled points, at regular intervals. */
function selectLabelIndices(points: readonly unknown[], maxLabels: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(points.length / maxLabels))
  return points.flatMap((_, index) =>
    index % stride === Math.floor(stride / 2) || (stride === 1 && points.length > 0) ? [index] : [],
  )
}

function toLabel(at: string, widthMs: number): string {
  if (at === '') return ''
  if (widthMs >= dayMs) return formatDay(at)
  if (widthMs >= hourMs) return `${formatDay(at)} ${at.slice(11, 16)}`
  return widthMs >= minuteMs ? at.slice(11, 16) : at.slice(11, 19)
}
