/** Response fields that all earnings routes have in common. */
export const ofEarnings = {
  group: 'Earnings Overview',
  kind: 'relay',
  source: 'published',
} as const

/** Text for the docs that explains which payments the sums exclude. */
export const sums =
  'Sums exclude refunds (status undo) and rows without a time. total is net, and gross is ' +
  'before fees.'

/** Text for the docs that explains the meaning of `delta`. */
export const deltas =
  'delta is the change in percent since the previous window of the same length: 0 if both are ' +
  '0, 100 if only the previous one is 0.'

/** Text for the docs that explains the buckets of charts. */
export const buckets =
  'Buckets are UTC hours in windows up to 2 days, UTC days in windows up to 100 days, and UTC ' +
  'months in longer windows. Empty buckets are left out, so use the date of each bucket.'
