import { forms } from './format.ts'
import type { ValueFormat, ValueType } from './format.ts'

/** Converts a time or an amount to another format, and returns other values unchanged. */
export function convertToFormat(value: unknown, form: ValueFormat): unknown {
  if (form === 'dollars' || form === 'dollars-text' || form === 'cents') {
    const dollars = Number(typeof value === 'string' ? value.replace(/[^\d.-]/g, '') : value)
    return Number.isFinite(dollars) && value !== null ? writeAmount(dollars, form) : value
  }
  const atMs = parseAnyTime(value)
  return atMs === undefined ? value : writeTime(atMs, form)
}

/** Returns the sandbox's format for a service format: dollars for amounts, RFC 3339 for times. */
export function getSandboxFormat(format: ValueFormat): ValueFormat {
  return format === 'cents' || format.startsWith('dollars') ? 'dollars' : 'iso'
}

/** Parses a time in any format to epoch ms. Returns undefined for other values. */
export function parseAnyTime(value: unknown): number | undefined {
  const number =
    typeof value === 'number' || (typeof value === 'string' && /^\d{9,13}(?:\.\d+)?$/.test(value))
      ? Number(value)
      : undefined
  // Treats numbers with up to ten digits as epoch seconds, which is correct until the year 2286.
  if (number !== undefined) return number > 100_000_000_000 ? number : number * 1000
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  const atMs = Date.parse(
    /^\d{4}-\d{2}-\d{2} \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value,
  )
  return Number.isNaN(atMs) ? undefined : atMs
}

function writeTime(
  atMs: number,
  form: Exclude<ValueFormat, 'dollars' | 'dollars-text' | 'cents'>,
): string | number {
  const iso = new Date(atMs).toISOString()
  const seconds = iso.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
  const written = {
    iso: `${seconds}Z`,
    'iso-ms': iso,
    'iso-offset': `${seconds}+00:00`,
    'date-time': seconds.replace('T', ' '),
    date: seconds.slice(0, 'YYYY-MM-DD'.length),
    'epoch-seconds': Math.floor(atMs / 1000),
    'epoch-ms': atMs,
    'epoch-text': String(Math.floor(atMs / 1000)),
  }
  return written[form]
}

function writeAmount(dollars: number, form: 'dollars' | 'dollars-text' | 'cents'): string | number {
  if (form === 'cents') return Math.round(dollars * 100)
  return form === 'dollars' ? dollars : dollars.toFixed(2)
}

/** Converts a value to another type, or returns the type's default value if that is impossible. */
export function convertToType(value: unknown, type: ValueType): unknown {
  if (getValueType(value) === type || (type === 'number' && typeof value === 'number')) return value
  if (type === 'string' && isScalar(value)) return String(value)
  if (type === 'number' || type === 'integer') {
    const number = isScalar(value) && value !== '' ? Number(value) : Number.NaN
    if (Number.isFinite(number)) return type === 'integer' ? Math.trunc(number) : number
  }
  if (type === 'boolean' && isScalar(value))
    return value !== 0 && value !== '' && value !== 'false' && value !== '0' && value !== false
  return getDefaultValue(type)
}

/** Returns a type's default value, in the given format if any. */
export function getDefaultValue(type: ValueType, form?: ValueFormat): unknown {
  if (form !== undefined) return forms[form]
  return { string: '', integer: 0, number: 0.5, boolean: false, array: [], object: {}, null: null }[
    type
  ]
}

function getValueType(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
