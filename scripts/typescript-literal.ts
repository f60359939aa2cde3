const maxLineLength = 100

/**
 * Formats a JSON value as TypeScript, on one line if it fits, with invisible characters escaped.
 */
export function toLiteral(value: unknown, indent = ''): string {
  const line = toLine(value)
  if (indent.length + line.length <= maxLineLength || typeof value !== 'object' || value === null)
    return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => toLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toLiteral(item, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function toLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLine).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replace(/\p{Cf}/gu, toEscapes)
  const fields = Object.entries(value).map(([key, item]) => `${toKey(key)}: ${toLine(item)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function toKey(key: string): string {
  return /^[a-z_]\w*$/i.test(key) && key !== '__proto__' ? key : JSON.stringify(key)
}

function toEscapes(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
