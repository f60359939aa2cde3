/** Response fields that all earnings routes share. */
export const ofEarnings = {
  group: 'Earnings Overview',
  kind: 'relay',
  source: 'published',
} as const

/** Text for the docs. Explains which payments the totals exclude. */
export const sums =
  'Sums exclude refunds (status undo) and rows without a time. total is net, and gross is ' +
  'before fees.'

/** Text for the docs. Explains the buckets of charts. */
export const buckets =
  'Each bucket covers one UTC hour for windows of up to 2 days, one UTC day for windows of ' +
  'up to 100 days, and one UTC month for longer windows. Empty buckets are left out, so use ' +
  'the date of each bucket.'
