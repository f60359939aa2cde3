import { getHeapStatistics } from 'node:v8'

/**
 * Returns a function that measures, in bytes, how much the process memory has grown since it was
 * created.
 */
export function measureMemoryGrowth(): () => number {
  const read = () => {
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
    return heap + external
  }
  const base = read()
  return () => Math.max(0, read() - base)
}
