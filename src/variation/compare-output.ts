/** The output of a run, to compare with the output of the run without changes. */
export interface RunOutput {
  /** Text to compare: stdout, the file of `--output`, or the returned value. */
  text: string
  /** All output, including stderr, in which `expectError` is searched. */
  whole: string
}

/** Maximum length of a shown line, characters. */
const maxLineLength = 160
/** Maximum number of shown lines of each output. */
const maxLines = 3
/** Number of characters to show before the first difference in a long line. */
const contextLength = 40

/** A time of day, with or without a zone. Its colons may be encoded, as in a URL. */
const timeOfDay = String.raw`\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`

/** Values that may differ between two correct runs, each with the text that replaces it. */
const changingValues: readonly [RegExp, string][] = [
  [/(["']?)_meta\1\s*[:=]\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, '<_meta>'],
  [/\b(exp|sig)=[\w%.~-]+/g, '$1=<signature>'],
  [/\/share\/[\w-]+/g, '/share/<token>'],
  [new RegExp(String.raw`\b\d{4}-\d\d-\d\d(?:(?:T|%20| )${timeOfDay})?`, 'gi'), '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b1\d{9}(?:\d{3}|\.\d{1,9})\b/g, '<time>'],
  [/\b\d+(?:[.,]\d+)?\s?(?:ms|s|secs?|seconds?|milliseconds?|minutes?)\b/g, '<time>'],
]

/**
 * Replaces the values that may differ between two correct runs: `_meta`, signatures of links,
 * times, and ids that the run itself created.
 */
export function maskOutput(text: string, newIds: ReadonlySet<string>): string {
  const withoutIds = text.replaceAll(/[\w~-]+/g, (word) => (newIds.has(word) ? '<new id>' : word))
  return changingValues
    .reduce((masked, [pattern, replacement]) => masked.replaceAll(pattern, replacement), withoutIds)
    .trimEnd()
}

/**
 * Converts the value that a function returned to text. Undefined for an object of a class, such as
 * a response, because it is not a result.
 */
export function toOutputText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isData(value)) return undefined
  try {
    return JSON.stringify(value, toPlainValue, 2)
  } catch {
    // The value has cycles.
    return undefined
  }
}

function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof Set)
    return true
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have other prototypes.
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

function toPlainValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  return value
}

/** Describes the first difference between two outputs in a few lines. Empty if they are equal. */
export function describeOutputDifference(expected: string, actual: string): string {
  if (expected === actual) return ''
  const [before, after] = [expected.split('\n'), actual.split('\n')]
  let first = 0
  while (before[first] === after[first]) first += 1
  let same = 0
  while (
    same < Math.min(before.length, after.length) - first &&
    before.at(-1 - same) === after.at(-1 - same)
  )
    same += 1
  const [removed, added] = [before, after].map((lines) => lines.slice(first, lines.length - same))
  const start = findFirstDifference(removed?.[0] ?? '', added?.[0] ?? '') - contextLength
  return [
    `The output differs from the run without changes in line ${first + 1}:`,
    ...showLines('-', removed ?? [], start),
    ...showLines('+', added ?? [], start),
  ].join('\n')
}

function findFirstDifference(one: string, other: string): number {
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}

function showLines(sign: string, lines: readonly string[], start: number): string[] {
  const shown = lines.slice(0, maxLines).map((line) => `${sign} ${cutLine(line, start)}`)
  const more = lines.length - shown.length
  return more === 0 ? shown : [...shown, `${sign} … (${more} more)`]
}

/** Shortens a long line to the part around its first difference. */
function cutLine(line: string, start: number): string {
  if (line.length <= maxLineLength) return line
  const from = Math.max(0, start)
  const to = from + maxLineLength
  return `${from === 0 ? '' : '…'}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
