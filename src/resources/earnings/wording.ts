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
  'Buckets are cut on whole UTC boundaries: hours up to 2 days, days up to 100 days, months ' +
  'beyond; ' +
  'read the date of each, as only those with something are there.'
