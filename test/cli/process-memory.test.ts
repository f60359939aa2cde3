import { expect, it } from 'vitest'
import { measureMemoryGrowth } from '../../src/cli/process-memory.ts'
import type { ProcessHeap } from '../../src/cli/process-memory.ts'

/** A heap of 100 bytes at the start, whose clock the test moves. */
function createHeap() {
  const state = { live: 100, garbage: 0, now: 0, forced: 0 }
  const listeners: (() => void)[] = []
  const heap: ProcessHeap = {
    read: () => state.live + state.garbage,
    collect() {
      state.forced += 1
      state.garbage = 0
    },
    onCollection: (listener) => void listeners.push(listener),
    now: () => state.now,
  }
  const collectByItself = () => {
    state.garbage = 0
    for (const listener of listeners) listener()
  }
  return { state, heap, collectByItself }
}

it('counts garbage only up to the limit', () => {
  const { state, heap, collectByItself } = createHeap()
  const measure = measureMemoryGrowth(heap)
  state.live = 300
  collectByItself()
  state.garbage = 90
  expect(measure(300)).toBe(290)
  expect(measure(250)).toBe(200)
  expect(state.forced).toBe(0)
})

it('collects garbage if the last collection was long ago', () => {
  const { state, heap } = createHeap()
  const measure = measureMemoryGrowth(heap)
  Object.assign(state, { live: 150, garbage: 100 })
  expect(measure(80)).toBe(50)
  expect(state.forced).toBe(1)
})

it('collects garbage before it reports more than the limit, at most once in 5 seconds', () => {
  const { state, heap, collectByItself } = createHeap()
  const measure = measureMemoryGrowth(heap)
  state.live = 300
  collectByItself()
  state.live = 150
  state.garbage = 150
  expect(measure(80)).toBe(50)
  expect(state.forced).toBe(1)

  state.live = 400
  collectByItself()
  state.now = 4_999
  expect(measure(80)).toBe(300)
  expect(state.forced).toBe(1)
  Object.assign(state, { live: 110, garbage: 290, now: 5_000 })
  expect(measure(80)).toBe(10)
  expect(state.forced).toBe(2)
})
