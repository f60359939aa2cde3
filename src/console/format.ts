const numbers = new Intl.NumberFormat('en')
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** `1,234`. */
export function toNumber(value: number): string {
  return numbers.format(value)
}

/** `1 request`, `1,234 requests`. */
export function toCount(value: number, noun: string): string {
  return `${toNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** `$1,234.50`. */
export function toDollars(value: number): string {
  return dollars.format(value)
}

/** `$1,235`. */
export function toWholeDollars(value: number): string {
  return wholeDollars.format(value)
}

/** `4:05`, or `1:04:05`. */
export function toClock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${parts[1]}` : [Math.floor(seconds / 3600), ...parts].join(':')
}

/** `2026-10-01 09:30:00`, UTC. */
export function toMoment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** A text with its instants as `2026-10-01 09:30:00`. */
export function shortenInstants(text: string): string {
  return text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, toMoment)
}

/** `09:30:00`, UTC. */
export function toTime(iso: string): string {
  return iso.slice(11, 19)
}

/** JSON with line breaks where the text is JSON; otherwise the text. */
export function prettify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // it is no JSON: shown as it came
  }
}
