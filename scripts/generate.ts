import { mkdirSync, writeFileSync } from 'node:fs'
import { generateFactories } from './generate-factories.ts'
import { generateMedia } from './generate-media.ts'
import type { GeneratedFile } from './generate-media.ts'
import { generateScenarios } from './generate-scenarios.ts'
import { generateTexts } from './generate-texts.ts'
import { isStale, toFileUrl } from './stale-files.ts'

const isCheck = process.argv.includes('--check')

// Writes the files for seeding first, because other generators start a sandbox that loads these
// files.
if (!isCheck)
  [
    ...(await generateMedia()),
    ...(await generateTexts()),
    ...generateFactories(),
    ...generateScenarios(),
  ]
    .filter(isStale)
    .forEach(write)

const { generateFiles } = await import('./generators.ts')
const staleFiles = (await generateFiles()).filter(isStale)
if (isCheck) {
  for (const file of staleFiles) console.error(`${file.path} is stale. Run npm run generate.`)
  process.exitCode = staleFiles.length > 0 ? 1 : 0
} else staleFiles.forEach(write)

function write({ path, content }: GeneratedFile): void {
  const url = toFileUrl(path)
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, content)
  console.log(`wrote ${path}`)
}
