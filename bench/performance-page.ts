import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../docs/performance.md', import.meta.url)

/**
 * Writes a benchmark table to its section in docs/performance.md.
 * @throws if the page has no such section
 */
export function writeDocsSection(name: string, text: string): void {
  const page = readFileSync(file, 'utf8')
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from)
    throw new Error(`docs/performance.md has no section between ${begin.trim()} and ${end.trim()}.`)
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`)
}
