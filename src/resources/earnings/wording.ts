/** What the routes of earnings have in common. */
export const ofEarnings = { group: 'Earnings Overview', kind: 'relay', source: 'inferred' } as const

/** What sums of earnings leave out. */
export const sums = 'Refunds (status undo) are in no sum; rows without a time belong to no window. total is net, gross is what fans paid.'

/** How a change is told. */
export const deltas =
  'delta is the change in percent against the window of the same length before: 0 when both are 0, 100 when only that one was.'

/** How charts are cut. */
export const buckets =
  'Buckets are cut on whole UTC boundaries: hours up to 2 days, days up to 100 days, months beyond; read the date of each, as only those with something are there.'
