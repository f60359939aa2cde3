/** A named series of values, plotted from left to right. */
export interface Series {
  name: string
  values: readonly number[]
}

export interface PlotLabels {
  title: string
  /** Labels below the first and the last value. */
  from: string
  until: string
  /** Formats a value for the vertical axis. */
  unit: (value: number) => string
}

const width = 760
const height = 260
const box = { left: 64, right: 16, top: 56, bottom: 32 }
const inner = { width: width - box.left - box.right, height: height - box.top - box.bottom }

/** Colours that colour-blind readers can distinguish on white and black backgrounds. */
const colours = ['#3b76c0', '#d9822b', '#2f9e63', '#b0508e', '#7a7f87']

/** Draws a line chart with one line per series. */
export function plotLines(series: readonly Series[], labels: PlotLabels): string {
  const top = computeAxisTop(series.flatMap(({ values }) => values))
  const lines = series.map(({ values }, index) => {
    const step = inner.width / Math.max(1, values.length - 1)
    const points = values.map(
      (value, place) => `${round(box.left + place * step)},${round(toY(value, top))}`,
    )
    return `<polyline fill="none" stroke="${getColour(index)}" stroke-width="1.6" points="${points.join(' ')}"/>`
  })
  return drawFrame(series, labels, { top, marks: lines })
}

/** Draws a bar chart. Each group has one bar per series. */
export function plotBars(
  series: readonly Series[],
  names: readonly string[],
  labels: PlotLabels,
): string {
  const top = computeAxisTop(series.flatMap(({ values }) => values))
  const group = inner.width / names.length
  const bar = (group * 0.8) / series.length
  const marks = series.flatMap(({ values }, index) =>
    values.map((value, place) => {
      const x = box.left + place * group + group * 0.1 + index * bar
      return `<rect fill="${getColour(index)}" x="${round(x)}" y="${round(toY(value, top))}" width="${round(bar - 1)}" height="${round(
        height - box.bottom - toY(value, top),
      )}"/>`
    }),
  )
  const below = names.map((name, place) =>
    write(name, { x: box.left + (place + 0.5) * group, y: height - 12, anchor: 'middle' }),
  )
  return drawFrame(series, { ...labels, from: '', until: '' }, { top, marks: [...marks, ...below] })
}

function drawFrame(
  series: readonly Series[],
  { title, from, until, unit }: PlotLabels,
  { top, marks }: { top: number; marks: readonly string[] },
) {
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => {
    const y = round(toY(top * part, top))
    return [
      `<line x1="${box.left}" x2="${width - box.right}" y1="${y}" y2="${y}" stroke="#8888" stroke-width="0.5"/>`,
      write(unit(top * part), { x: box.left - 8, y: y + 4, anchor: 'end' }),
    ]
  })
  const names = series.flatMap(({ name }, index) => {
    const x = box.left + index * (inner.width / series.length)
    return [
      `<rect fill="${getColour(index)}" x="${round(x)}" y="32" width="10" height="10"/>`,
      write(name, { x: x + 16, y: 41, anchor: 'start' }),
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${box.left}" y="18" font-size="14" fill="#222">${escapeXml(title)}</text>`,
    ...names,
    ...grid,
    ...marks,
    write(from, { x: box.left, y: height - 12, anchor: 'start' }),
    write(until, { x: width - box.right, y: height - 12, anchor: 'end' }),
    '</svg>',
    '',
  ].join('\n')
}

function write(
  text: string,
  { x, y, anchor }: { x: number; y: number; anchor: 'start' | 'middle' | 'end' },
): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="#444">${escapeXml(text)}</text>`
}

/** Returns the maximum of the axis. It is above all values, and its quarters are round numbers. */
function computeAxisTop(values: readonly number[]): number {
  const most = Math.max(...values, 1e-9)
  const power = 10 ** Math.floor(Math.log10(most))
  return (
    ([1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10].find((factor) => factor * power >= most) ?? 10) *
    power
  )
}

function toY(value: number, top: number): number {
  return height - box.bottom - (value / top) * inner.height
}

function getColour(index: number): string {
  return colours[index % colours.length] ?? '#000'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
