import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/** Tests and examples import the package by its name; here that name means the sources. */
export const alias = {
  'creator-api-sandbox/msw': source('adapters/msw.ts'),
  'creator-api-sandbox/express': source('adapters/express.ts'),
  'creator-api-sandbox/fetch': source('adapters/fetch.ts'),
  'creator-api-sandbox/matchers': source('audit/matchers.ts'),
  'creator-api-sandbox': source('index.ts'),
}

/** What both suites share: the files of a worker share its modules too, which spares each file to load the sources anew. */
export const shared = {
  isolate: false,
  pool: 'forks' as const,
  maxWorkers: '100%',
  testTimeout: 30_000,
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
    exclude: ['**/node_modules/**', 'dist/**', '**/*.long.test.ts'],
  },
})
