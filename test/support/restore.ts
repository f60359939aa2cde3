import { afterAll, afterEach, vi } from 'vitest'

// Removes fakes after each test, even if the test fails. Otherwise, other test files of the worker,
// which share the globals, would use the fakes.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

// After each test file, waits for pending dynamic imports. An import that failed later would also
// fail in other test files, because the files of a worker share their modules.
afterAll(() => vi.dynamicImportSettled())
