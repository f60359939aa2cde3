/** The fields that all routes of earnings share. */
export const ofEarnings = {
  group: 'Earnings Overview',
  kind: 'relay',
  source: 'published',
} as const

/** Rule about what sums of earnings leave out. */
export const sums =
  'Sums exclude refunds (status undo). Rows without a time are in no window. total is net; ' +
  'gross is before fees.'

/** Rule about `delta`. */
export const deltas =
  'delta is the change in percent since the previous window of the same length: 0 if both are ' +
  '0, 100 if only the previous one is 0.'

/** Rule about the buckets of charts. */
export const buckets =
  'Buckets begin on whole UTC hours in windows up to 2 days, on days up to 100 days, otherwise on ' +
  'months. Empty buckets are left out, so read the date of each.'
