import { getHeapStatistics, setFlagsFromString } from 'node:v8'

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: scenario `large`, which holds 330 MB, would take
// 580, and a story that plays fast 600.

/** While the data come in, most of what is made stays, and to look often would only cost time. */
export function growHeap(): void {
  letGrow(50)
}

/** The data are there, and what took to make them goes. */
export function shrinkHeap(): void {
  letGrow(10)
  // The space for what is new stays as large as the data needed it: under load it would go on to 48 MB, and answers would be no faster.
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** After so many requests the heap is looked at once more. */
export const requestsPerLook = 1_000
/** What a busy server leaves to what is no longer used, bytes. */
const roomBytes = 32 * 1_048_576

/** Many requests come: with less room, clearing up would take a fifth of the time of a write. A heap that is large anyway gets no more. */
export function keepHeap(): void {
  const percent = Math.round((roomBytes / getHeapStatistics().used_heap_size) * 100)
  letGrow(Math.min(Math.max(percent, 10), 50))
}

function letGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
