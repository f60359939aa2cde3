import { describeValue, SandboxError } from '../errors.ts'
import { getRealTime } from './real-time.ts'
import { toIsoTime, latestTime } from '../lib/time.ts'
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
function isFakeTimers(value: unknown): value is FakeTimers {
  const { setSystemTime, setTime } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof setSystemTime === 'function' || typeof setTime === 'function'
}

/**
 * Sets fake timers to a time, epoch ms. Returns a function that reads their time.
 * @throws {SandboxError} if the timers throw, or if their time does not change
 */
function setFakeTimers(timers: FakeTimers, epochMs: number): () => unknown {
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

/** A function or fake timers that a clock follows. */
export interface TimeSource {
  /** Name of the time source for error messages. */
  name: string
  read: () => unknown
}

const fakeTimersName = 'the fake timers'

/** The result of reading a time source. If the time is invalid, `problem` is the reason. */
interface TimeSourceResult {
  /** The time, epoch ms. If there is a problem, the latest known time. */
  time: number
  problem?: string
  cause?: unknown
}

/** The initial time source of a clock. */
export const realTimeSource: TimeSource = { name: 'the real time', read: getRealTime }

/**
 * Converts the argument of `follow` to a time source. Sets fake timers to `now`, epoch ms.
 * @throws {SandboxError} if the argument is neither a function nor installed fake timers
 */
export function toTimeSource(given: unknown, now: number): TimeSource {
  if (isFakeTimers(given)) return { name: fakeTimersName, read: setFakeTimers(given, now) }
  if (typeof given === 'function') return { name: 'the function', read: given as () => unknown }
  throw new SandboxError(
    `Failed to follow the time source ${describeValue(given)}: it must be a function that ` +
      'returns epoch ms, such as () => Date.now(), or fake timers, such as vi, jest or a sinon ' +
      'clock.',
  )
}

/**
 * Reads a time source. `latest` is the latest known time, epoch ms. `leadMs` is added to the time
 * that the source returns.
 */
export function readTimeSource(
  { name, read }: TimeSource,
  latest: number,
  leadMs = 0,
): TimeSourceResult {
  let value: unknown
  try {
    value = read()
  } catch (cause) {
    const message = describeValue(isError(cause) ? cause.message : cause)
    return { time: latest, problem: `it threw ${message}`, cause }
  }
  if (value === null && name === fakeTimersName)
    return {
      time: latest,
      problem:
        'they are no longer installed, for example because vi.useRealTimers() was called. Install ' +
        'them again',
    }
  if (typeof value !== 'number' || !Number.isFinite(value) || value < earliestTime)
    return {
      time: latest,
      problem: `it returned ${describeValue(value)}, which is not a time in epoch ms`,
    }
  const time = Math.min(value + leadMs, latestTime)
  if (time >= latest) return { time }
  return {
    time: latest,
    problem:
      `its time ${toIsoTime(time)} is before the time of the clock (${toIsoTime(latest)}); the clock ` +
      'only moves forwards',
  }
}

/** Earliest RFC 3339 time, epoch ms. */
const earliestTime = Date.parse('0000-01-01T00:00:00.000Z')
