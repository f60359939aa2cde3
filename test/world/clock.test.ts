import { expect, it, vi } from 'vitest'
import { WorldClock } from '../../src/world/world-clock.ts'

const start = Date.parse('2026-10-01T09:30:00Z')

it('runs with real time at its rate', () => {
  vi.useFakeTimers()
  const clock = new WorldClock(start, { mode: 'running', rate: 60 })
  vi.advanceTimersByTime(1000)
  expect(clock.now()).toBe(start + 60_000)
  clock.freeze()
  vi.advanceTimersByTime(5000)
  expect(clock.now()).toBe(start + 60_000)
  clock.run(2)
  vi.advanceTimersByTime(500)
  expect(clock.now()).toBe(start + 61_000)
  expect(() => clock.run(0)).toThrow('above 0')
})

it('can be advanced beyond a planned stop, and stops there', () => {
  vi.useFakeTimers()
  const clock = new WorldClock(start)
  clock.run(1, { until: start + 1000 })
  clock.advance('1d')
  expect(clock.now()).toBe(start + 86_400_000)
  clock.set(start + 2 * 86_400_000)
  vi.advanceTimersByTime(5000)
  expect(clock.now()).toBe(start + 2 * 86_400_000)
  clock.run(1, { until: clock.now() + 2000 })
  clock.advance(500)
  vi.advanceTimersByTime(5000)
  expect(clock.now()).toBe(start + 2 * 86_400_000 + 2000)
})

it('follows a function', () => {
  let now = start
  const clock = new WorldClock(0)
  clock.follow(() => now)
  now += 5
  expect(clock.now()).toBe(start + 5)
  expect(() => clock.advance('1s')).toThrow('it follows the function')
})

it.each([
  [
    'a function that throws',
    (): number => {
      throw new Error('no timers')
    },
    'it threw "no timers"',
  ],
  ['no number', () => Number.NaN, 'it returned NaN, which is not a time in epoch ms'],
  ['a bigint', () => 5n as unknown as number, 'it returned the bigint 5'],
  [
    'a time in the past',
    () => start - 1,
    'its time 2026-10-01T09:29:59.999Z is before the time of the clock (2026-10-01T09:30:00.000Z)',
  ],
])('does not follow %s: at once, or later', (_, bad, text) => {
  const clock = new WorldClock(start)
  clock.advance(0)
  expect(() => clock.follow(bad)).toThrow(`Failed to follow the function: ${text}`)
  expect(clock.state()).toMatchObject({ mode: 'frozen', now: '2026-10-01T09:30:00.000Z' })

  let source = () => start
  clock.follow(() => source())
  source = bad
  expect(() => clock.now()).toThrow(`Failed to read the time from the function: ${text}`)
  // A warning was logged, and the clock is now frozen.
  expect(clock.state()).toMatchObject({ mode: 'frozen', now: '2026-10-01T09:30:00.000Z' })
  clock.follow(() => start + 1)
  expect(clock.now()).toBe(start + 1)
})

it('accepts a Date, epoch ms, and the real time', () => {
  vi.useFakeTimers({ now: start + 90_500 })
  const clock = new WorldClock(start)
  clock.set(new Date(start + 1000))
  expect(clock.now()).toBe(start + 1000)
  clock.set('now')
  expect(clock.now()).toBe(start + 90_500)
  expect(() => clock.set('today')).toThrow('that is in the past (now is 2026-10-01T09:31:30.500Z)')
  expect(() => clock.set(new Date(Number.NaN))).toThrow('it is not a valid time')
})

/** Creates fake timers like @sinonjs/fake-timers does, with Jest's wrapper. */
function createTimers(now: number) {
  const sinon = { now, setSystemTime: (time?: number | Date) => void (sinon.now = Number(time)) }
  const jest = { now: () => sinon.now, setSystemTime: sinon.setSystemTime }
  return { sinon, jest }
}

it('sets the timers of vi to its time once, and then follows them', () => {
  vi.useFakeTimers()
  const clock = new WorldClock(start)
  clock.follow(vi)
  expect(new Date().toISOString()).toBe('2026-10-01T09:30:00.000Z')
  vi.advanceTimersByTime(5000)
  expect(clock.now()).toBe(start + 5000)
  vi.setSystemTime('2026-10-02')
  expect(clock.iso()).toBe('2026-10-02T00:00:00.000Z')
  expect(() => clock.advance('1h')).toThrow('it follows the fake timers. Change the time there')
  vi.setSystemTime('2026-10-01')
  expect(() => clock.now()).toThrow(
    'Failed to read the time from the fake timers: its time ' +
      '2026-10-01T00:00:00.000Z is before the time of the clock',
  )
})

it('follows vi if only the date is faked, and reports when the timers are real again', () => {
  const clock = new WorldClock(start, { mode: 'running' })
  clock.follow(vi)
  expect(clock.now()).toBe(Date.now())
  vi.useRealTimers()
  expect(() => clock.now()).toThrow(
    'Failed to read the time from the fake timers: they are no longer installed, for example because ' +
      'vi.useRealTimers() was called. Install them again.',
  )
})

it('follows the timers of Jest and of sinon', () => {
  const { sinon, jest } = createTimers(0)
  for (const timers of [sinon, jest]) {
    const clock = new WorldClock(start)
    clock.follow(timers)
    expect(sinon.now).toBe(start)
    sinon.now += 250
    expect(clock.now()).toBe(start + 250)
  }
})

it('follows the timers of node:test', async () => {
  const { mock } = await import('node:test')
  // Node.js warns that these timers are experimental.
  vi.spyOn(process, 'emitWarning').mockReturnValue()
  mock.timers.enable({ apis: ['Date'] })
  try {
    const clock = new WorldClock(start)
    clock.follow(mock.timers)
    mock.timers.tick(250)
    expect([clock.now(), Date.now()]).toEqual([start + 250, start + 250])
  } finally {
    mock.timers.reset()
  }
})

it('rejects timers that are not installed', () => {
  const clock = new WorldClock(start)
  const jest = { now: () => 5, setSystemTime: () => {} }
  expect(() => clock.follow(jest)).toThrow(
    'Failed to set the fake timers to 2026-10-01T09:30:00.000Z: their time is still 1970-01-01T00:00:00.005Z. Install them first',
  )
  const setSystemTime = () => {
    throw new TypeError('not when using modern fake timers')
  }
  expect(() => clock.follow({ setSystemTime })).toThrow(
    'they threw "not when using modern fake timers". Install them first',
  )
  expect(clock.mode).toBe('frozen')
})

it('runs an effect at its own time, and later effects at later times', () => {
  const clock = new WorldClock(start)
  clock.at(start - 1000, () => expect(clock.now()).toBe(start - 1000))
  expect(clock.now()).toBe(start)
})

it('ignores real time while it is paused during a long operation', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const clock = new WorldClock(0, { mode: 'running', rate: 2 })
  vi.setSystemTime(Date.now() + 1000)
  const release = clock.hold()
  vi.setSystemTime(Date.now() + 5000)
  expect(clock.now()).toBe(2000)
  clock.advance(100)
  release()
  expect(clock.now()).toBe(2100)
  vi.setSystemTime(Date.now() + 1000)
  expect(clock.now()).toBe(4100)
})

it('refuses to run until a time in the past, and stays as it is', () => {
  const clock = new WorldClock(start)
  expect(() => clock.run(1, { until: start - 1 })).toThrow(/that is in the past/)
  expect([clock.now(), clock.mode]).toEqual([start, 'frozen'])
  clock.run(1, { until: start })
  expect(clock.now()).toBe(start)
})
