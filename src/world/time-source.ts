import { describeValue, SandboxError } from '../errors.ts'
import { latestTime, toIsoTime } from '../lib/time.ts'
import { isFakeTimers, setFakeTimers } from './fake-timers.ts'
import { getRealTime } from './real-time.ts'
import { isError } from '../lib/realms.ts'

/** A function or fake timers that a clock follows. */
export interface TimeSource {
  /** Name of the time source for error messages. */
  name: string
  read: () => unknown
}

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
  if (isFakeTimers(given)) return { name: 'the fake timers', read: setFakeTimers(given, now) }
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
export function readTimeSource({ read }: TimeSource, latest: number, leadMs = 0): TimeSourceResult {
  let value: unknown
  try {
    value = read()
  } catch (cause) {
    const message = describeValue(isError(cause) ? cause.message : cause)
    return { time: latest, problem: `it threw ${message}`, cause }
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
