import { mkdirSync, writeFileSync } from 'node:fs'
import type { GeneratedFile } from './generate-media.ts'
import { isStale, toFileUrl } from './stale-files.ts'

const isCheck = process.argv.includes('--check')

// Generators import sources that import generated files, so in a fresh clone each group needs the
// files of the groups before it.
const groups: readonly (() => Promise<GeneratedFile[]>)[] = [
  async () => [
    ...(await import('./generate-version.ts')).generateVersion(),
    ...(await import('./generate-media.ts')).generateMedia(),
    ...(await import('./generate-factories.ts')).generateFactories(),
  ],
  async () => (await import('./generate-texts.ts')).generateTexts(),
  async () => (await import('./generate-scenarios.ts')).generateScenarios(),
  async () => (await import('./generators.ts')).generateFiles(),
]

if (isCheck) {
  const { generateFiles } = await import('./generators.ts')
  const stale = (await generateFiles()).filter(isStale)
  for (const file of stale) console.error(`${file.path} is stale. Run npm run generate.`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else for (const generate of groups) (await generate()).filter(isStale).forEach(write)

function write({ path, content }: GeneratedFile): void {
  const url = toFileUrl(path)
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, content)
  console.log(`wrote ${path}`)
}
