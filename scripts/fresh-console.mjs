import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs before every start, so it is plain JavaScript and loads vite only when there is something to build.
const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist/console/index.html')
const sources = readdirSync(join(root, 'src/console')).map((file) => join('src/console', file))
const changedAt = Math.max(...[...sources, 'vite.console.config.ts', 'package-lock.json'].map((file) => statSync(join(root, file)).mtimeMs))

if (!existsSync(built) || statSync(built).mtimeMs < changedAt) {
  const { build } = await import('vite')
  await build({ configFile: join(root, 'vite.console.config.ts') })
}
