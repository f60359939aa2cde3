import type { Reply } from '../engine/route.ts'

/** The headers of every file of a page of ours. */
export const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Answers that there is no such page, or not now. */
export function refusePage(status: number, error: string): Reply {
  return { status, headers: { ...pageHeaders, 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify({ error }) }
}
