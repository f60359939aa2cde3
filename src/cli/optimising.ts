import { setV8Flag, usualV8Flag } from './v8-flags.ts'

/**
 * How much of its code a function runs before V8 looks whether to optimise it, bytes, as V8 has it.
 */
const usualBytes = usualV8Flag('interrupt-budget')

/**
 * Whether V8 has the flag: that of Node 20 does. Later ones would say on stderr that they do not.
 */
const hasFlag = process.versions.v8.startsWith('11.')

/**
 * Lets functions run six times as long before V8 optimises them. Until the data of a server are
 * there most of its code runs for the first time, and V8 optimises on other threads, which take
 * their cores from the one that makes the data: without this, on two busy cores, the first page of
 * `agency` comes a tenth later, and the start takes a sixth more processor time.
 */
export function optimiseLate(): void {
  setBudget(6 * usualBytes)
}

/** The data are there: from now on the same is asked again and again, and soon fast. */
export function optimiseAsUsual(): void {
  setBudget(usualBytes)
}

function setBudget(bytes: number): void {
  if (hasFlag) setV8Flag('interrupt-budget', bytes)
}
