/** The words for an action, and the fields that a person fills in first. */
export interface Wording {
  title: string
  /** The label of the button. */
  button: string
  first: readonly string[]
}

/** The words for each action, in the order in which the list shows them. */
export const wordings: Readonly<Record<string, Wording>> = {
  tip: { title: 'Tip', button: 'Send tip', first: ['fan_id', 'amount', 'account_id'] },
  'subscriber.new': {
    title: 'New subscriber',
    button: 'Subscribe',
    first: ['name', 'price', 'account_id'],
  },
  'subscriber.renew': {
    title: 'Renewal',
    button: 'Renew',
    first: ['fan_id', 'price', 'account_id'],
  },
  'subscriber.expire': {
    title: 'Expired subscription',
    button: 'Expire',
    first: ['fan_id', 'account_id'],
  },
  'message.from_fan': {
    title: 'Message of a fan',
    button: 'Send message',
    first: ['fan_id', 'text', 'account_id'],
  },
  'message.read': {
    title: 'Fan reads messages',
    button: 'Read messages',
    first: ['fan_id', 'account_id'],
  },
  'message.unlock': {
    title: 'Unlocked message',
    button: 'Unlock message',
    first: ['message_id', 'fan_id', 'account_id'],
  },
  'post.publish': {
    title: 'New post',
    button: 'Publish post',
    first: ['text', 'price', 'account_id'],
  },
  'post.like': {
    title: 'Likes of a post',
    button: 'Like post',
    first: ['post_id', 'fan_id', 'count'],
  },
  'post.view': {
    title: 'Views of a post',
    button: 'View post',
    first: ['post_id', 'count', 'unique'],
  },
  'post.comment': {
    title: 'Comment on a post',
    button: 'Comment',
    first: ['post_id', 'fan_id', 'text'],
  },
  'post.unlock': {
    title: 'Unlocked post',
    button: 'Unlock post',
    first: ['post_id', 'fan_id', 'account_id'],
  },
  'link.claim': {
    title: 'Claimed link',
    button: 'Claim link',
    first: ['tracking_link_id', 'trial_link_id', 'name'],
  },
  'transaction.settle': {
    title: 'Payment arrives',
    button: 'Settle payment',
    first: ['transaction_id', 'account_id'],
  },
  'transaction.reverse': {
    title: 'Payment is taken back',
    button: 'Reverse payment',
    first: ['transaction_id', 'to', 'account_id'],
  },
  'media.ready': {
    title: 'Media finish transcoding',
    button: 'Finish media',
    first: ['media_id', 'account_id'],
  },
  'session.lapse': { title: 'Session lapses', button: 'Lapse session', first: ['account_id'] },
  'session.restore': {
    title: 'Session is restored',
    button: 'Restore session',
    first: ['account_id'],
  },
  'account.disconnect': {
    title: 'Account is disconnected',
    button: 'Disconnect account',
    first: ['account_id'],
  },
  'account.connect': {
    title: 'Account is connected',
    button: 'Connect account',
    first: ['account_id'],
  },
  'limits.set': {
    title: 'Rate limits',
    button: 'Set limits',
    first: ['organisation', 'minute', 'day'],
  },
  'credits.set': { title: 'Credits', button: 'Set credits', first: ['credits', 'organisation'] },
  'key.create': { title: 'New key', button: 'Create key', first: ['role', 'organisation'] },
  'key.revoke': { title: 'Revoked key', button: 'Revoke key', first: ['key'] },
  'role.change': {
    title: 'Permissions of a role',
    button: 'Change role',
    first: ['role', 'permissions'],
  },
  'fault.add': { title: 'Fault', button: 'Add fault', first: ['route', 'status', 'times'] },
  'fault.clear': { title: 'Lift faults', button: 'Lift faults', first: ['id'] },
  'upstream.refuse': {
    title: 'Platform refuses media files',
    button: 'Refuse files',
    first: ['account_id', 'times'],
  },
  'clock.advance': { title: 'Time passes', button: 'Advance clock', first: ['by'] },
  'variation.set': {
    title: 'Varied answers',
    button: 'Vary answers',
    first: ['seed', 'only', 'delay_ms'],
  },
  note: { title: 'Caption', button: 'Show caption', first: ['text'] },
}
