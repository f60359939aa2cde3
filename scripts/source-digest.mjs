import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Everything that determines the seeded records of the shipped scenarios. */
const seedSources = [
  'src/data',
  'src/lib',
  'src/resources',
  'src/scenario',
  'src/seed',
  'src/world',
  'src/generated/media-manifest.ts',
  'fixtures/personas',
  'fixtures/texts',
  'scenarios',
  'scripts/generate-ready-rows.ts',
  'scripts/pack-rows.ts',
  'package-lock.json',
]

/**
 * Lists all files in folders, as paths relative to the repository root, in a fixed order. Skips
 * generated files in `src`.
 */
export function listFiles(paths) {
  return paths
    .flatMap((path) =>
      statSync(join(root, path)).isDirectory()
        ? readdirSync(join(root, path), { recursive: true })
            .map((file) => join(path, file))
            .filter((file) => !file.startsWith(join('src', 'generated')))
        : [path],
    )
    .filter((file) => statSync(join(root, file)).isFile())
    .sort()
}

/** Returns a digest of everything that determines the seeded records of the shipped scenarios. */
export function digestSeedSources() {
  const hash = createHash('sha256')
  for (const file of listFiles(seedSources))
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
