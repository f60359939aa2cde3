import fc from 'fast-check'
import { afterAll, afterEach, vi } from 'vitest'

// Property tests draw the same values in each run, so that a suite never fails by chance. Another
// number finds other cases: PROPERTY_SEED=2 npm run test:long
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })

// Removes fakes after each test, even if the test fails. Otherwise, other test files of the worker,
// which share the globals, would use the fakes.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

// After each test file, waits for pending dynamic imports. An import that failed later would also
// fail in other test files, because the files of a worker share their modules.
afterAll(() => vi.dynamicImportSettled())
