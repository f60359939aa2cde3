import { setFlagsFromString } from 'node:v8'

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

/** So many requests make a busy server of one that waits. */
export const busyAfter = 1_000

/** Many requests come: to clear up more often would take a tenth of the time of a write. */
export function keepHeap(): void {
  letGrow(15)
}

function letGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
