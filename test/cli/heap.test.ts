import { GCProfiler } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { tendHeap } from '../../src/cli/heap.ts'

it('clears up what is new once nobody has asked for some seconds', () => {
  vi.useFakeTimers()
  const tend = tendHeap()
  vi.advanceTimersByTime(8_000)
  tend()
  vi.advanceTimersByTime(8_000)
  const profiler = new GCProfiler()
  profiler.start()
  vi.advanceTimersByTime(1_000)
  expect(profiler.stop()?.statistics.map(({ gcType }) => gcType)).toContain('Scavenge')
  expect(globalThis).not.toHaveProperty('gc')
})
