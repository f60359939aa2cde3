import { describeValue, SandboxError } from '../errors.ts'
import { getRealTime } from './real-time.ts'
import { toIsoTime } from '../lib/time.ts'
import { isError } from '../lib/realms.ts'

/**
 * Fake timers from a test library: Vitest's `vi`, Jest's `jest`, a clock from sinon or
 * @sinonjs/fake-timers, or `mock.timers` from node:test.
 */
export type FakeTimers = SystemTimers | NodeTimers

interface SystemTimers {
  setSystemTime: (epochMs: number) => unknown
  /** In Vitest: returns the mocked time, or null. */
  getMockedSystemTime?: () => Date | null
  /** The current time. In Jest, this is a function. In sinon, it is a number. */
  now?: number | (() => number)
}

interface NodeTimers {
  setTime: (epochMs: number) => unknown
}

/** True if a value has the methods of fake timers. */
export function isFakeTimers(value: unknown): value is FakeTimers {
  const { setSystemTime, setTime } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof setSystemTime === 'function' || typeof setTime === 'function'
}

/**
 * Sets fake timers to a time, epoch ms. Returns a function that reads their time.
 * @throws {SandboxError} if the timers throw, or if their time does not change
 */
export function setFakeTimers(timers: FakeTimers, epochMs: number): () => unknown {
  const read = () => readTimers(timers)
  try {
    if ('setSystemTime' in timers) timers.setSystemTime(epochMs)
    else timers.setTime(epochMs)
  } catch (cause) {
    const message = describeValue(isError(cause) ? cause.message : cause)
    throw new SandboxError(
      `Failed to set the fake timers to ${toIsoTime(epochMs)}: they threw ${message}. ${advice}`,
      { cause },
    )
  }
  const time = read()
  if (time === epochMs) return read
  const actual =
    typeof time === 'number' && Number.isFinite(time) ? toIsoTime(time) : describeValue(time)
  throw new SandboxError(
    `Failed to set the fake timers to ${toIsoTime(epochMs)}: their time is still ${actual}. ${advice}`,
  )
}

const advice = 'Install them first, for example with vi.useFakeTimers() or jest.useFakeTimers().'

function readTimers(timers: FakeTimers): unknown {
  if (!('setSystemTime' in timers)) return getRealTime()
  if (typeof timers.getMockedSystemTime === 'function')
    return timers.getMockedSystemTime()?.getTime() ?? null
  if (timers.now === undefined) return getRealTime()
  return typeof timers.now === 'function' ? timers.now() : timers.now
}
