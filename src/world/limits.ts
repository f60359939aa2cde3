import type { Organisation } from './tenancy/tenancy.table.ts'
import { dayMs, minuteMs } from '../lib/time.ts'

/** The current rate windows of an organisation. */
export interface WindowState {
  /** The start of the UTC minute, epoch ms. */
  minute: number
  /** The number of requests in that minute. */
  minuteUsed: number
  /** The start of the UTC day, epoch ms. */
  day: number
  /** The number of requests on that day. */
  dayUsed: number
}

/** The rate windows in `_meta._rate_limits`. */
export interface RateLimits {
  limit_minute: number
  remaining_minute: number
  limit_day: number
  remaining_day: number
}

/**
 * The rate windows of all organisations: one window for each UTC minute and one for each UTC day.
 * All keys of an organisation share its windows.
 */
export class RateLimiter {
  #windows = new Map<number, WindowState>()

  /**
   * Returns the name of the rate window whose limit is reached. Undefined if no limit is reached.
   */
  exceeded(organisation: Organisation, now: number): 'minute' | 'day' | undefined {
    const { minuteUsed, dayUsed } = this.#current(organisation, now)
    if (minuteUsed >= organisation.limits.minute) return 'minute'
    if (dayUsed >= organisation.limits.day) return 'day'
    return undefined
  }

  /** Counts a request in both windows. */
  count(organisation: Organisation, now: number): void {
    const { minute, minuteUsed, day, dayUsed } = this.#current(organisation, now)
    this.#windows.set(organisation.id, {
      minute,
      minuteUsed: minuteUsed + 1,
      day,
      dayUsed: dayUsed + 1,
    })
  }

  /** Returns the limits of the organisation and the number of requests that it has left. */
  remaining(organisation: Organisation, now: number): RateLimits {
    const { minuteUsed, dayUsed } = this.#current(organisation, now)
    const { minute, day } = organisation.limits
    return {
      limit_minute: minute,
      remaining_minute: Math.max(0, minute - minuteUsed),
      limit_day: day,
      remaining_day: Math.max(0, day - dayUsed),
    }
  }

  /** Returns the windows as JSON, by organisation. */
  state(): [number, WindowState][] {
    return [...this.#windows].map(([organisation, window]) => [organisation, { ...window }])
  }

  restore(state: readonly [number, WindowState][]): void {
    this.#windows = new Map(state.map(([organisation, window]) => [organisation, { ...window }]))
  }

  /** Returns the windows at a given time. A count restarts at 0 when a new minute or day begins. */
  #current({ id }: Organisation, now: number): WindowState {
    const last = this.#windows.get(id)
    const minute = Math.floor(now / minuteMs) * minuteMs
    const day = Math.floor(now / dayMs) * dayMs
    return {
      minute,
      minuteUsed: last?.minute === minute ? last.minuteUsed : 0,
      day,
      dayUsed: last?.day === day ? last.dayUsed : 0,
    }
  }
}
