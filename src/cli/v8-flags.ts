import { setFlagsFromString } from 'node:v8'

/** What V8 has of itself, for the flags that the command changes. */
const usual = {
  'heap-growing-percent': 0,
  'semi-space-growth-factor': 2,
  'interrupt-budget': 67_584,
}

export type V8Flag = keyof typeof usual

/** What the process has of this module, which it loads as ESM and as CommonJS. */
const ofProcess = process as unknown as Record<symbol, Map<V8Flag, number> | undefined>

/** The flags that were changed, and what they are now. */
const changed: Map<V8Flag, number> = (ofProcess[Symbol.for('creator-api-sandbox: flags of V8')] ??=
  new Map())

export function setV8Flag(flag: V8Flag, value: number): void {
  changed.set(flag, value)
  write(flag, value)
}

export function usualV8Flag(flag: V8Flag): number {
  return usual[flag]
}

/**
 * Does a job as if no flag had been changed: V8 takes compiled code under those flags alone under
 * which it was made.
 */
export function withUsualV8Flags<Result>(job: () => Result): Result {
  for (const flag of changed.keys()) write(flag, usual[flag])
  try {
    return job()
  } finally {
    for (const [flag, value] of changed) write(flag, value)
  }
}

function write(flag: V8Flag, value: number): void {
  setFlagsFromString(`--${flag}=${value}`)
}
