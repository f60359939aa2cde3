import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs before every start. So it is plain JavaScript, and loads vite only if something must be
// built.
const root = fileURLToPath(new URL('..', import.meta.url))
// The reference page imports parts of the console.
const pages = { console: ['src/console'], reference: ['src/reference', 'src/console'] }

for (const [name, folders] of Object.entries(pages)) {
  const built = join(root, `dist/${name}/index.html`)
  const config = `vite.${name}.config.ts`
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
  )
  const changedAt = Math.max(
    ...[...sources, config, 'vite.console.config.ts', 'package-lock.json'].map(
      (file) => statSync(join(root, file)).mtimeMs,
    ),
  )
  if (existsSync(built) && statSync(built).mtimeMs >= changedAt) continue
  const { build } = await import('vite')
  await build({ configFile: join(root, config) })
}
