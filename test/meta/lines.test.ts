import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const widest = 140
const source = new URL('../../src/', import.meta.url)

it(`has no line over ${widest} columns in the sources`, () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(tsx?|css)$/.test(file) && !file.startsWith('generated'),
  )
  const wide = files.flatMap((file) =>
    readFileSync(new URL(file, source), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > widest ? `src/${file}:${index + 1}` : [])),
  )
  expect(wide, 'Break these lines: npm run format does what can be done without you').toEqual([])
})
