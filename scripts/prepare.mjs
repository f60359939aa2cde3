import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listFiles } from './source-digest.mjs'

// Runs after `npm ci` and before each start, test and build, so it is plain JavaScript. It writes
// generated files, and with `--pages` the console and the reference page, if their sources changed.
const root = fileURLToPath(new URL('..', import.meta.url))
const common = ['package.json', 'package-lock.json']
const generated = 'src/generated/current'
const pages = ['console', 'reference']

// Without development dependencies, as in an installation of the package, nothing can be built.
if (existsSync(join(root, 'node_modules/tsx')) && existsSync(join(root, 'src'))) {
  if (isStale(generated, ['src', 'scripts', 'fixtures', 'scenarios', ...common])) generate()
  if (process.argv.includes('--pages')) await buildPages()
}

/** True if a source is newer than the result. */
function isStale(result, sources) {
  const file = join(root, result)
  if (!existsSync(file)) return true
  const { mtimeMs } = statSync(file)
  return listFiles(sources).some((source) => statSync(join(root, source)).mtimeMs > mtimeMs)
}

function generate() {
  const begunAt = new Date()
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/generate.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(join(root, generated), '')
  utimesSync(join(root, generated), begunAt, begunAt)
}

async function buildPages() {
  for (const name of pages) {
    const sources = [`src/pages/${name}`, 'src/pages/shared', 'vite.config.ts', ...common]
    if (!isStale(`dist/${name}/index.html`, sources)) continue
    const { build } = await import('vite')
    await build({ configFile: join(root, 'vite.config.ts'), mode: name })
  }
}
