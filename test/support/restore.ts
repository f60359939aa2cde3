import { afterAll, afterEach, vi } from 'vitest'

// Removes fakes after each test, even if the test fails. Otherwise, other test files of the worker,
// which share the globals, would use the fakes.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

// Waits for running imports at the end of a file. An import that fails after that would also fail
// in later files, because the files of a worker share their modules.
afterAll(() => vi.dynamicImportSettled())
