import { defineConfig } from 'vitest/config'
import { alias, shared } from './vitest.config.ts'

// The suite that takes minutes: `npm run test:long`. The files that are for it alone, and the
// property tests with many more runs.
export default defineConfig({
  resolve: { alias },
  test: {
    ...shared,
    include: ['test/**/*.long.test.ts', 'test/properties/**/*.test.ts'],
    env: { LONG_TESTS: '1' },
    testTimeout: 600_000,
  },
})
