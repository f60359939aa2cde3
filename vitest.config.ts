import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its name; here that name means the sources.
    alias: {
      'creator-api-sandbox/msw': source('adapters/msw.ts'),
      'creator-api-sandbox/express': source('adapters/express.ts'),
      'creator-api-sandbox/fetch': source('adapters/fetch.ts'),
      'creator-api-sandbox': source('index.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 30_000,
  },
})
