import { afterEach, vi } from 'vitest'

// The test files of a worker share their globals, so fakes are removed after each test, even if it
// fails.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
