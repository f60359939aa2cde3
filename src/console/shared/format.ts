const numbers = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

/** `1,234`. */
export function toNumber(value: number): string {
  return numbers.format(value)
}

/** `1 request`, `1,234 requests`. */
export function toCount(value: number, noun: string): string {
  return `${toNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Formats a fraction as a percentage: `12.5 %` for 0.125. */
export function toShare(share: number): string {
  return `${numbers.format(Math.round(share * 10_000) / 100)} %`
}

/** `$1,234.50`. */
export function toDollars(value: number): string {
  return dollars.format(value)
}

/** `$1,235`. */
export function toWholeDollars(value: number): string {
  return wholeDollars.format(value)
}

/** Formats a figure of a story: `1,234`, or `$1,234.50`. */
export function formatFigure(value: number, unit: 'count' | 'dollars', isWhole = false): string {
  if (unit === 'count') return toNumber(value)
  return isWhole ? toWholeDollars(value) : toDollars(value)
}

/** `4:05`, or `1:04:05`. */
export function toClock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}:${parts[1]}`
    : [Math.floor(seconds / 3600), ...parts].join(':')
}

/** `2026-10-01 09:30:00`, UTC. */
export function toMoment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** Shortens the times in a text to `2026-10-01 09:30:00`. */
export function shortenInstants(text: string): string {
  return text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, toMoment)
}

/** `09:30:00`, UTC. */
export function toTime(iso: string): string {
  return iso.slice(11, 19)
}

/** `3 ms`, or `1.2 s`. */
export function toMilliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** `512 B`, `1.5 kB`, or `3.2 MB`. */
export function toBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Parses JSON. Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The caller shows the text.
  }
}

/** Indents text if it is JSON. */
export function prettify(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
