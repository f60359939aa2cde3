import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isStale, toFileUrl } from './generated-file.ts'
import type { GeneratedFile } from './generated-file.ts'
import { generateInGroups } from './generators.ts'

const paths = new Set(['src/generated/current'])
for await (const files of generateInGroups())
  for (const file of files) {
    paths.add(file.path)
    if (isStale(file)) write(file)
  }
for (const path of listGenerated()) if (!paths.has(path)) rmSync(toFileUrl(path))

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
