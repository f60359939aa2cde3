import { afterEach, vi } from 'vitest'

// The files of a worker share their globals, so fakes end with their test, even if it fails.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
