import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { entries, getImportSpecifier } from './scripts/entry-points.ts'
import { digestSeedSources } from './scripts/source-digest.mjs'

/** Tests and examples import the package by its name; here that name means the sources. */
export const alias = [
  ...entries.map((entry) => ({
    find: new RegExp(`^${getImportSpecifier(entry)}$`),
    replacement: toPath(entry.source),
  })),
  ...(hasCurrentRows() ? [] : [withoutReadyRows()]),
]

/** True if the ready-made records come from the present sources. */
function hasCurrentRows(): boolean {
  return readFileSync(toPath('src/generated/ready-rows.ts'), 'utf8').includes(digestSeedSources())
}

/** Lets the tests seed all records, because the ready-made ones are stale. */
function withoutReadyRows() {
  return {
    find: /^.*\/generated\/ready-rows\.ts$/,
    replacement: toPath('test/support/no-ready-rows.ts'),
  }
}

function toPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/**
 * What both suites share: the files of a worker share its modules too, which spares each file to
 * load the sources anew.
 */
export const shared = {
  isolate: false,
  pool: 'forks' as const,
  maxWorkers: '100%',
  // These only end tests that hang: a busy machine takes many times longer than an idle one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  reporters: ['./test/support/reporter.ts'],
  // What differs is shown, not all that was compared.
  diff: { expand: false, truncateThreshold: 60 },
  globalSetup: 'test/support/skips.ts',
  setupFiles: 'test/support/restore.ts',
}

// The suite for every save: `npm test`. What takes longer is in vitest.long.config.ts.
export default defineConfig({
  resolve: { alias },
  test: {
    ...shared,
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', '**/*.long.test.ts', '**/*.soak.test.ts'],
  },
})
