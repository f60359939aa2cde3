import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setV8Flag } from './v8-flags.ts'

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: scenario
// `large`, which holds 330 MB, would take 580, and a story that plays fast 600.

/**
 * While the data come in, most of what is made stays, and to look often would only cost time. The
 * first look comes at once, where it takes 4 ms: else it would come at 15 MB, in the midst of the
 * start, and take 13.
 */
export function growHeap(): void {
  letGrow(percentOfStart)
  collect()
  letGrow(100)
}

/** From 3 MB at the start to 30. */
const percentOfStart = 900

/** The data are there, and what took to make them goes. */
export function shrinkHeap(): void {
  letGrow(10)
  // The space for what is new stays as large as the data needed it: under load it would go on to 48
  // MB, and answers would be no faster.
  letNewGrow(1)
}

/**
 * Keeps the heap of a server as large as what is asked of it. The returned function is called at
 * each request.
 */
export function tendHeap(): () => void {
  const rest = () => {
    collect({ type: 'minor' })
    fitNew()
    // It did not shrink where data are still being made, or a story plays: it will later.
    if (newBytes() >= mostNewBytes) resting.refresh()
  }
  const resting = setTimeout(rest, restsAfterMs).unref()
  let requests = 0
  return () => {
    resting.refresh()
    requests += 1
    if (requests % requestsPerLook === 0) keepHeap()
  }
}

/** After so many requests the heap is looked at once more. */
const requestsPerLook = 1_000
/**
 * What a busy server leaves to what is no longer used, bytes: less where the heap would pass
 * `roomyBytes` with it.
 */
const roomBytes = 32 * 1_048_576
const roomyBytes = 112 * 1_048_576

/**
 * Whoever does not ask for so long, ms, is at rest. V8 gives back space only when a collection
 * finds that less than 1 MB was used a second since the one before, and that one may be 8 MB ago.
 */
const restsAfterMs = 9_000

/** The space for what is new as the data of `agency` need it: two halves of 8 MB. */
const mostNewBytes = 16 * 1_048_576

/** Many requests come: with less room, clearing up would take a fifth of the time of a write. */
function keepHeap(): void {
  const { used_heap_size: used } = getHeapStatistics()
  // A heap that is far larger anyway takes long to clear up.
  const room = used < roomyBytes ? Math.min(roomBytes, roomyBytes - used) : (used - roomyBytes) / 8
  letGrow(Math.min(Math.max(Math.round((room / used) * 100), 5), 50))
  fitNew()
}

/**
 * Lets the space for what is new grow where it is smaller than data need it, and no further than
 * that.
 */
export function fitNew(): void {
  letNewGrow(newBytes() < mostNewBytes ? 2 : 1)
}

type Collector = (options?: { type: 'minor' }) => void
let collector: Collector | undefined

/**
 * Collects what is no longer used, or of that what is new alone, in some ms however large the heap
 * is. A server at rest makes no new objects, so V8 would never look, and hold on to 14 MB or more
 * that nobody uses.
 */
const collect: Collector = (options) => {
  // V8 looks at the flag, and has the function for those contexts alone that are made while it is
  // set.
  setFlagsFromString('--expose-gc')
  collector ??= runInNewContext('gc') as Collector
  setFlagsFromString('--no-expose-gc')
  collector(options)
}

function newBytes(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
  )
}

function letGrow(percent: number): void {
  setV8Flag('heap-growing-percent', percent)
}

/** `factor`: by how much the space for new objects grows where many of them stay; 1: not at all. */
function letNewGrow(factor: number): void {
  setV8Flag('semi-space-growth-factor', factor)
}
