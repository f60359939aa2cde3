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
