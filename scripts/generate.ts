import { mkdirSync, writeFileSync } from 'node:fs'
import { generateFiles, isStale, toFileUrl } from './generators.ts'

const staleFiles = (await generateFiles()).filter(isStale)

if (process.argv.includes('--check')) {
  for (const file of staleFiles) {
    console.error(`${file.path} is stale. Run npm run generate.`)
  }
  process.exitCode = staleFiles.length > 0 ? 1 : 0
} else {
  for (const file of staleFiles) {
    const url = toFileUrl(file.path)
    mkdirSync(new URL('.', url), { recursive: true })
    writeFileSync(url, file.content)
    console.log(`wrote ${file.path}`)
  }
}
