import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isStale, toFileUrl } from '../../scripts/generated-file.ts'
import type { GeneratedFile } from '../../scripts/generated-file.ts'
import { generateInGroups } from '../../scripts/generators.ts'
import { findFirstDifference } from '../support/expectations.ts'

const files: GeneratedFile[] = []
for await (const group of generateInGroups()) files.push(...group)

it('keeps all generated files up to date', () => {
  const stale = files.filter(isStale)
  if (stale.length > 0)
    throw new Error(
      `Run npm run generate: ${stale.length} generated files are not what their sources ` +
        `say.\n${stale.slice(0, 5).map(describeStale).join('\n')}`,
    )
})

it('generates each path only once', () => {
  const paths = files.map((file) => file.path)

  expect(new Set(paths).size).toBe(paths.length)
})

function describeStale({ path, content }: GeneratedFile): string {
  const url = toFileUrl(path)
  return existsSync(url)
    ? `${path}: ${findFirstDifference(readFileSync(url, 'utf8'), content)}`
    : `${path}: it is missing`
}
