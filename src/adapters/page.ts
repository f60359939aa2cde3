import type { Reply } from '../engine/route.ts'

/** The headers of every file of the console and of the reference page. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Answers that a page does not exist or is not available. */
export function refusePage(status: number, error: string): Reply {
  return { status, headers: { ...pageHeaders, 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify({ error }) }
}
