import { afterAll, afterEach, vi } from 'vitest'

// The test files of a worker share their globals, so fakes are removed after each test, even if it
// fails.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

// They share their modules too. An import that still runs at the end of a file would fail, also for
// the files after it.
afterAll(() => vi.dynamicImportSettled())
