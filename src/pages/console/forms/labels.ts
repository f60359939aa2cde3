/** Labels for fields whose API name is unclear. */
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
  unique: 'Unique people',
  count: 'Number',
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
  truncate: 'Send only half of the body',
  drop: 'Cut the connection',
  applied: 'Carry out the request first',
  after: 'Skip the first',
  every: 'Only every nth',
  times: 'Number of times',
  lasts_ms: 'For, ms',
  sequence: 'Responses in sequence',
  only: 'Only these variations',
  by: 'Duration',
  to: 'New status',
}

export function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
