import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Maximum lines of code of each folder of src, without blank lines, comments and generated files. */
const budgets: Readonly<Record<string, number>> = {
  resources: 29_194,
  pages: 11_789,
  sandbox: 4_560,
  cli: 3_966,
  world: 3_279,
  control: 3_210,
  scenario: 2_786,
  api: 2_723,
  audit: 2_506,
  verify: 1_732,
  openapi: 1_696,
  data: 1_670,
  overlay: 1_519,
  hosts: 1_496,
  seed: 1_487,
  variation: 1_710,
  lib: 1_401,
  'files in src': 529,
  runners: 518,
  pictures: 388,
  actions: 386,
  client: 650,
}

const source = new URL('../../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith('generated/'),
)

it('keeps each folder of src within its budget of lines', () => {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const folder = file.includes('/') ? file.replace(/\/.*/, '') : 'files in src'
    sizes.set(
      folder,
      (sizes.get(folder) ?? 0) + countLines(readFileSync(new URL(file, source), 'utf8')),
    )
  }
  const tooLarge = [...sizes]
    .filter(([folder, lines]) => lines > (budgets[folder] ?? 0))
    .map(
      ([folder, lines]) =>
        `src/${folder} has ${lines} lines of code, but its budget is ${budgets[folder] ?? 0}. ` +
        'Remove or merge code in this folder. Raise the budget only for a new feature.',
    )
  expect(tooLarge).toEqual([])
})

/** Counts lines that are neither blank nor part of a comment that starts its line. */
function countLines(text: string): number {
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(\/\/|$)/.test(line)).length
}
