import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { GeneratedFile } from './generate-media.ts'
import { isStale, toFileUrl } from './stale-files.ts'

const isCheck = process.argv.includes('--check')

// Generators import sources that import generated files, so in a fresh clone each group needs the
// files of the groups before it.
const groups: readonly (() => Promise<GeneratedFile[]>)[] = [
  async () => [
    ...(await import('./generate-version.ts')).generateVersion(),
    ...(await import('./generate-media.ts')).generateMedia(),
  ],
  async () => (await import('./generate-texts.ts')).generateTexts(),
  async () => (await import('./generate-scenarios.ts')).generateScenarios(),
  async () => (await import('./generate-ready-rows.ts')).generateReadyRows(),
  async () => (await import('./generators.ts')).generateFiles(),
]

if (isCheck) {
  const { generateFiles } = await import('./generators.ts')
  const stale = (await generateFiles()).filter(isStale)
  for (const file of stale) console.error(`${file.path} is stale. Run npm run generate.`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  const paths = new Set(['src/generated/current'])
  for (const generate of groups)
    for (const file of await generate()) {
      paths.add(file.path)
      if (isStale(file)) write(file)
    }
  for (const path of listGenerated()) if (!paths.has(path)) rmSync(toFileUrl(path))
}

/** Lists all files in src/generated. */
function listGenerated(): string[] {
  const folder = 'src/generated/'
  return readdirSync(toFileUrl(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}${file.replaceAll('\\', '/')}`)
    .filter((path) => statSync(toFileUrl(path)).isFile())
}

function write({ path, content }: GeneratedFile): void {
  const url = toFileUrl(path)
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, content)
  console.log(`wrote ${path}`)
}
