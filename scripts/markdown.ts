/** Formats a Markdown table. Cells may contain any text without line breaks. */
export function formatMarkdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function escapeCell(text: string): string {
  // In code, Markdown shows HTML entities literally.
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/`[^`]*`|<(?!br>)/g, (part) => (part === '<' ? '&lt;' : part))
}
