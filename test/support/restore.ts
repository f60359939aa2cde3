import { afterEach, vi } from 'vitest'

// The files of a worker share their globals: what a test fakes ends with it, also where it fails.
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
