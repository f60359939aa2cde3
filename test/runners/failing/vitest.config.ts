import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { alias } from '../../../vitest.config.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias },
  test: {
    globalSetup: '../../../src/runners/vitest-setup.ts',
    include: ['*.spec.ts'],
    // The first test waits for the data, which takes long on a busy machine.
    testTimeout: 120_000,
  },
})
