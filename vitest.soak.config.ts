import { defineConfig } from 'vitest/config'
import { alias, shared } from './vitest.config.ts'

// The suite that takes half an hour and more, and that CI does not run: `npm run test:soak`.
export default defineConfig({
  resolve: { alias },
  test: {
    ...shared,
    include: ['test/soak/*.soak.test.ts'],
    fileParallelism: false,
    testTimeout: 3 * 3_600_000,
  },
})
