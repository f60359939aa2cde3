import { readFileSync } from 'node:fs'
import { toFileUrl } from './generated-file.ts'
import type { GeneratedFile } from './generated-file.ts'

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

/**
 * Generates parts of a page of docs, and leaves the rest of the page as it is. Each part replaces
 * the first table or the subsections below its heading.
 */
export function updatePage(path: string, parts: Readonly<Record<string, string>>): GeneratedFile {
  const page = readFileSync(toFileUrl(path), 'utf8').split('\n')
  const content = Object.entries(parts).reduce(
    (lines, [heading, part]) => replacePart(lines, { path, heading, part }),
    page,
  )
  return { path, content: content.join('\n') }
}

function replacePart(
  lines: readonly string[],
  { path, heading, part }: { path: string; heading: string; part: string },
): string[] {
  // A row of a table starts with `| `, and a subsection with its number signs.
  const [mark = ''] = part.split(' ')
  const isTable = mark === '|'
  const section = lines.indexOf(heading)
  const start = lines.findIndex((line, index) => index > section && line.startsWith(`${mark} `))
  if (section < 0 || start < 0)
    throw new Error(
      `Failed to update ${path}: there is no ${isTable ? 'table' : `line with ${mark}`} below ${heading}. Add it.`,
    )
  const isAfter = isTable
    ? (line: string) => !line.startsWith(mark)
    : (line: string) => line.startsWith(mark.slice(1) + ' ')
  const next = lines.findIndex((line, index) => index > start && isAfter(line))
  // An empty line precedes the next heading, or ends the file.
  const end = isTable ? next : (next < 0 ? lines.length : next) - 1
  return [...lines.slice(0, start), ...part.trimEnd().split('\n'), ...lines.slice(end)]
}
