import { describe, SandboxError } from '../errors.ts'
import { realTime } from './real-time.ts'
import { toIso } from '../lib/time.ts'

/**
 * The fake timers of a test runner: `vi` of Vitest, `jest` of Jest, the clock that sinon or
 * @sinonjs/fake-timers installs, or `mock.timers` of node:test.
 */
export type FakeTimers = SystemTimers | NodeTimers

interface SystemTimers {
  setSystemTime: (epochMs: number) => unknown
  /** Of Vitest: the time; null while none is faked. */
  getMockedSystemTime?: () => Date | null
  /** The time: of Jest a function, of sinon a number. */
  now?: number | (() => number)
}

interface NodeTimers {
  setTime: (epochMs: number) => unknown
}

/** Whether a value has the methods of fake timers. */
export function isFakeTimers(value: unknown): value is FakeTimers {
  const { setSystemTime, setTime } = (value ?? {}) as Partial<Record<string, unknown>>
  return typeof setSystemTime === 'function' || typeof setTime === 'function'
}

/**
 * Sets fake timers to a time, epoch ms, and returns what reads theirs. @throws {SandboxError} when
 * they do not take it.
 */
export function setFakeTimers(timers: FakeTimers, epochMs: number): () => unknown {
  const read = () => readTimers(timers)
  try {
    if ('setSystemTime' in timers) timers.setSystemTime(epochMs)
    else timers.setTime(epochMs)
  } catch (cause) {
    const said = describe(cause instanceof Error ? cause.message : cause)
    throw new SandboxError(
      `Failed to set the fake timers to ${toIso(epochMs)}: they threw ${said}. ${advice}`,
      { cause },
    )
  }
  const time = read()
  if (time === epochMs) return read
  const said = typeof time === 'number' && Number.isFinite(time) ? toIso(time) : describe(time)
  throw new SandboxError(
    `Failed to set the fake timers to ${toIso(epochMs)}: they say ${said} all the same. ${advice}`,
  )
}

const advice = 'Install them first, as with vi.useFakeTimers() or jest.useFakeTimers().'

function readTimers(timers: FakeTimers): unknown {
  if (!('setSystemTime' in timers)) return realTime()
  if (typeof timers.getMockedSystemTime === 'function')
    return timers.getMockedSystemTime()?.getTime() ?? null
  if (timers.now === undefined) return realTime()
  return typeof timers.now === 'function' ? timers.now() : timers.now
}
