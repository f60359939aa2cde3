import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateFiles, isStale, toFileUrl } from '../../scripts/generators.ts'
import { firstDifference } from '../support/same.ts'

const files = generateFiles()

it('keeps every generated file current', () => {
  const stale = files.filter(isStale)
  if (stale.length > 0) throw new Error(`Run npm run generate: ${stale.length} generated files are not what their sources say.\n${stale.slice(0, 5).map(describeStale).join('\n')}`)
})

it('generates each path once', () => {
  const paths = files.map((file) => file.path)

  expect(new Set(paths).size).toBe(paths.length)
})

function describeStale({ path, content }: (typeof files)[number]): string {
  const url = toFileUrl(path)
  return existsSync(url) ? `${path}: ${firstDifference(readFileSync(url, 'utf8'), content)}` : `${path}: it is missing`
}
