/** The fields that all routes of earnings share. */
export const ofEarnings = {
  group: 'Earnings Overview',
  kind: 'relay',
  source: 'published',
} as const

/** The rule that says what sums of earnings leave out. */
export const sums =
  'Refunds (status undo) are in no sum; rows without a time belong to no window. total is net, ' +
  'gross is what fans paid.'

/** The rule that explains `delta`. */
export const deltas =
  'delta is the change in percent against the window of the same length before: 0 when both are ' +
  '0, 100 when only that one was.'

/** The rule that explains the buckets of charts. */
export const buckets =
  'Buckets are cut on whole UTC boundaries: hours up to 2 days, days up to 100 days, months ' +
  'beyond; ' +
  'read the date of each, as only those with something are there.'
