import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const maxColumns = 100
const source = new URL('../../src/', import.meta.url)

/** Matches strings and regular expressions that the formatter cannot break. */
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`.*`|^ *\/.*\/$/g

it(`has no line over ${maxColumns} columns in the sources, except texts and patterns`, () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(tsx?|css)$/.test(file) && !file.startsWith('generated'),
  )
  const wide = files.flatMap((file) =>
    readFileSync(new URL(file, source), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.replace(literal, "''").length > maxColumns ? `src/${file}:${index + 1}` : [],
      ),
  )
  expect(wide, 'Break these lines: npm run format does most of them').toEqual([])
})
