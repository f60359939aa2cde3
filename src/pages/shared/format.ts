const numbers = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})

/** `1,234`. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** `1 request`, `1,234 requests`. */
export function formatCount(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Formats a fraction as a percentage, such as `12.5 %` for 0.125. */
export function formatPercent(share: number): string {
  return `${numbers.format(Math.round(share * 10_000) / 100)} %`
}

/** `1,234.50`. */
export function formatAmount(value: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** `$1,234.50`. */
export function formatDollars(value: number): string {
  return dollars.format(value)
}

/** `$1,235`. */
export function formatWholeDollars(value: number): string {
  return wholeDollars.format(value)
}

/** Formats a story value, such as `1,234` or `$1,234.50`. */
export function formatFigure(value: number, unit: 'count' | 'dollars', isWhole = false): string {
  if (unit === 'count') return formatNumber(value)
  return isWhole ? formatWholeDollars(value) : formatDollars(value)
}

/** `4:05`, or `1:04:05`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}:${parts[1]}`
    : [Math.floor(seconds / 3600), ...parts].join(':')
}

/** `2026-10-01 09:30:00`, UTC. */
export function formatTimestamp(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** Shortens the timestamps in a message of the sandbox, and separates the thousands of counts. */
export function formatMessage(text: string): string {
  return text
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, formatTimestamp)
    .replace(/\b\d{4,}(?= (?:times|others|credits|requests|per)\b)/g, (count) =>
      formatNumber(Number(count)),
    )
}

const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** `12 Mar`, UTC. */
export function formatDay(iso: string): string {
  return days.format(new Date(iso))
}

/** `09:30:00`, UTC. */
export function formatTime(iso: string): string {
  return iso.slice(11, 19)
}

const steps = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const

/** Formats the time from an instant until now, such as `3 min ago`, `in 2 d` or `now`. */
export function formatAgo(iso: string, now: number): string {
  const ms = now - Date.parse(iso)
  const [size, unit] = steps.find(([length]) => Math.abs(ms) >= length) ?? []
  if (size === undefined || unit === undefined) return 'now'
  const count = `${Math.floor(Math.abs(ms) / size)} ${unit}`
  return ms < 0 ? `in ${count}` : `${count} ago`
}

/** `3 ms`, or `1.2 s`. */
export function formatMilliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** `512 B`, `1.5 kB`, or `3.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Parses JSON, or returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The caller shows the text.
  }
}

/** Indents the text if it is JSON. */
export function formatJson(text: string): string {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
