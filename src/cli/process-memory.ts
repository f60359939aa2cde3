import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The heap of a process. */
export interface ProcessHeap {
  /** Returns the used memory, including garbage, bytes. */
  read: () => number
  /** Collects all garbage. */
  collect: () => void
  /** Calls a function after each full collection. */
  onCollection: (listener: () => void) => void
  /** Real time, ms. */
  now: () => number
}

/** Minimum time between two forced collections, ms. */
const minCollectionGapMs = 5_000

/** If the memory has grown to this multiple since the last collection, its result is outdated. */
const maxGrowth = 1.5

/**
 * Makes Node.js collect garbage each time the heap has grown by a quarter. By default, it lets a
 * small heap grow to four times its size.
 */
export function collectGarbageEarly(): void {
  setFlagsFromString('--heap-growing-percent=25')
}

/**
 * Returns a function that measures, in bytes, how much the memory of the process has grown since
 * this call. Above `limit`, it returns the memory that the last full collection left. If this is
 * also above `limit`, or outdated, it first collects garbage, at most once in 5 seconds.
 */
export function measureMemoryGrowth(heap: ProcessHeap = nodeHeap): (limit: number) => number {
  const base = heap.read()
  const grown = () => Math.max(0, heap.read() - base)
  let live = 0
  let collectedAt = -Infinity
  heap.onCollection(() => {
    live = grown()
  })
  return (limit) => {
    const used = grown()
    if (used <= limit) return used
    const isKnown = live <= limit && used <= live * maxGrowth
    if (!isKnown && heap.now() - collectedAt >= minCollectionGapMs) {
      heap.collect()
      live = grown()
      collectedAt = heap.now()
    }
    return Math.min(used, live)
  }
}

const nodeHeap: ProcessHeap = {
  read() {
    const { used_heap_size: used, external_memory: external } = getHeapStatistics()
    return used + external
  },
  collect() {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc()')
  },
  onCollection(listener) {
    const observer = new PerformanceObserver((list) => {
      const isFull = list
        .getEntries()
        .some((entry) => isMajor((entry as { detail?: { kind?: number } }).detail?.kind))
      if (isFull) listener()
    })
    observer.observe({ entryTypes: ['gc'] })
  },
  now: () => performance.now(),
}

function isMajor(kind: number | undefined): boolean {
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR
}
