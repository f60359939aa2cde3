import { mkdirSync, writeFileSync } from 'node:fs'
import { generateDataReport } from './generate-data-report.ts'
import { isStale, toFileUrl } from './stale.ts'

for (const file of (await generateDataReport()).filter(isStale)) {
  const url = toFileUrl(file.path)
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, file.content)
  console.log(`wrote ${file.path}`)
}
