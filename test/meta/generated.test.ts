import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateFiles, isStale } from '../../scripts/generators.ts'

const files = generateFiles()

it('keeps every generated file current', () => {
  expect(files.filter(isStale).map((file) => file.path)).toEqual([])
})

it('generates the same files twice', () => {
  expect(generateFiles()).toEqual(files)
})

it('generates each path once', () => {
  const paths = files.map((file) => file.path)

  expect(new Set(paths).size).toBe(paths.length)
})

it('generates all that src/generated has', () => {
  const found = readdirSync(new URL('../../src/generated/', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(found.map((file) => `src/generated/${file}`).toSorted()).toEqual(files.map(({ path }) => path).filter((path) => path.startsWith('src/generated/')).toSorted())
})
