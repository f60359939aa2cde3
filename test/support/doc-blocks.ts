import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** A code block on a page. */
export interface DocBlock {
  page: string
  line: number
  language: string
  /** True if the block cannot run, because it depends on surrounding code. */
  isFragment: boolean
  /** Name of the file that the block shows, taken from the comment on its first line. */
  file: string | undefined
  code: string
}

/** Pages for users: README.md, all pages in the folder docs, and a step-by-step example. */
export const docPages: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
  'examples/python-survive/README.md',
]

export function readPage(page: string): string {
  return readFileSync(new URL(page, root), 'utf8')
}

/** Returns the code blocks of a page, in order. */
export function listDocBlocks(page: string): DocBlock[] {
  const text = readPage(page)
  return [...text.matchAll(/^```(\w+)( fragment)?\n([^]*?)^```$/gm)].map(
    ({ 1: language = '', 2: fragment, 3: code = '', index }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      isFragment: fragment !== undefined,
      file: /^(?:\/\/|#) ([\w./-]+\.\w+)$/m.exec(code.split('\n', 1)[0] ?? '')?.[1],
      code,
    }),
  )
}

/** All code blocks on all pages. */
export const docBlocks: readonly DocBlock[] = docPages.flatMap(listDocBlocks)
