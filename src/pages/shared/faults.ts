import type { Fault } from './types.ts'

/** Describes a fault in a few words, such as `502 × 3, GET posts`. */
export function describeFaultBriefly(fault: Fault): string {
  const { status, delay_ms: delay, drop, truncate, sequence, times, route } = fault
  const effect =
    (sequence !== undefined && 'sequence') ||
    (drop !== undefined && drop !== false && 'cut') ||
    (truncate === true && 'half a body') ||
    (status !== undefined && String(status)) ||
    (delay !== undefined && `${delay / 1000} s delay`) ||
    'fault'
  const count = times === undefined ? '' : ` × ${times}`
  return `${effect}${count}, ${route === undefined ? 'every route' : shortenRoute(route)}`
}

/** Shortens `GET /v1/:account_id/posts` to `GET posts`. */
function shortenRoute(route: string): string {
  return route.replace(/ \/(?:v1\/)?(?::account_id\/)?/, ' ')
}
