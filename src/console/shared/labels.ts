/** The words for fields whose name on the wire says too little. */
const labels: Readonly<Record<string, string>> = {
  account_id: 'Account',
  fan_id: 'Fan',
  post_id: 'Post',
  message_id: 'Message',
  media_id: 'Media',
  media_ids: 'Media',
  transaction_id: 'Payment',
  tracking_link_id: 'Tracking link',
  trial_link_id: 'Trial link',
  price: 'Price, $',
  amount: 'Amount, $',
  on: 'Given on',
  unique: 'Different people',
  count: 'How many',
  expire_days: 'Expires after days',
  minute: 'Requests a minute',
  day: 'Requests a day',
  isSubscriptionActive: 'Subscription is active',
  delay_ms: 'Delay, ms',
  content_type: 'Content type',
  request_body: 'Only with this request body',
  query: 'Only with these query parameters',
  error: 'Error message',
  body: 'Whole body',
  truncate: 'Cut the body in half',
  drop: 'Cut the connection',
  after: 'Skip the first',
  every: 'Only every nth',
  times: 'How often',
  sequence: 'Answers in turn',
  only: 'Only these variations',
  by: 'How long',
  to: 'New status',
}

/** The label of a field in words. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** The table whose records a field names. */
export const tableOfField: Readonly<Record<string, string>> = {
  fan_id: 'fans',
  post_id: 'posts',
  message_id: 'messages',
  media_id: 'vaultMedia',
  transaction_id: 'transactions',
  tracking_link_id: 'trackingLinks',
  trial_link_id: 'trialLinks',
}
