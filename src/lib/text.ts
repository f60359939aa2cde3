import { getOwnProperty } from './plain-json.ts'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Converts the HTML of a caption to plain text. Keeps line breaks, removes tags, and decodes
 * entities.
 */
export function toPlainText(html: string): string {
  // Fast path: most captions are a single paragraph.
  if (
    html.startsWith('<p>') &&
    html.indexOf('<', 3) === html.length - 4 &&
    html.endsWith('</p>') &&
    !html.includes('&')
  )
    return html.slice(3, -4)
  return html
    .replace(/<br\s*\/?>|<\/p>\s*(?=<p\b)/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(
      /&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,6});/gi,
      (whole, name: string) => entities[name.toLowerCase()] ?? decodeCodePoint(name) ?? whole,
    )
}

/** True if the HTML of a caption or message has no visible text. */
export function isBlankHtml(html: string): boolean {
  return toPlainText(html).trim() === ''
}

/** Characters that must be escaped in HTML. */
const needsEscape = /[&<>\n]/

/** Converts plain text to the HTML of a caption with one paragraph. */
export function toHtml(text: string): string {
  if (!needsEscape.test(text)) return `<p>${text}</p>`
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<p>${escaped.replaceAll('\n', '<br />')}</p>`
}

/**
 * Converts a text for a search that ignores case. Converts to lower case first, then to upper case,
 * because only upper case has one form for `σ` and `ς`, and for `ß` and `ss`.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/** True if a text contains another text, ignoring case. */
export function includesIgnoringCase(text: string, part: string): boolean {
  return foldCase(text).includes(foldCase(part))
}

/** Replaces names in braces with values. For example, `Hello {NAME}` becomes `Hello Ada`. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => getOwnProperty(values, name) ?? whole)
}

/**
 * Truncates a string to `maxLength` characters and adds an ellipsis. Short strings are not changed.
 */
export function truncateText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function decodeCodePoint(name: string): string | undefined {
  if (!name.startsWith('#')) return undefined
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}
