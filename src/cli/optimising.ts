import { setFlagsFromString } from 'node:v8'

/** How much of its code a function runs before V8 looks whether to optimise it, bytes, as Node 20 to 24 have it. */
const usualBytes = 67_584

/**
 * Lets functions run six times as long before V8 optimises them. Until the data of a server are there most of its code runs for the first
 * time, and what V8 optimises on other threads takes their cores from the one thread that makes the data: on two busy cores the first page
 * of `agency` comes a tenth later, and the start takes a fifth more processor time.
 */
export function optimiseLate(): void {
  setBudget(6 * usualBytes)
}

/** What is asked from now on is asked again. */
export function optimiseAsUsual(): void {
  setBudget(usualBytes)
}

function setBudget(bytes: number): void {
  setFlagsFromString(`--interrupt-budget=${bytes}`)
}
