/** Writes a Markdown table; cells may hold any text on one line. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function escapeCell(text: string): string {
  // Code would show an entity literally.
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/`[^`]*`|<(?!br>)/g, (part) => (part === '<' ? '&lt;' : part))
}
