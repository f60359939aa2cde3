import type { Control } from '../control/control.ts'

/** What can be sent to a sandbox as it is, by the name of the parameter or of the body's field; undefined is what the sandbox lacks. */
export interface Known {
  address: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
}

/** Looks once for ids of the first connected account, and tells what of them fits a path. */
export function readKnown(control: Control): (path: string) => Known {
  const account = findAccount(control)
  if (account === undefined) return () => ({ address: {}, body: words })
  const find = (table: string, filters: Record<string, unknown> = {}) => findRecord(control, table, { accountId: account, ...filters })
  const { id: chat, fanId: partner } = find('chats')
  const fan = partner ?? find('subscriptions')['fanId']
  const post = find('posts', { status: 'published', bucket: null })
  const scheduled = find('posts', { status: 'scheduled' })['id']
  const media = find('vaultMedia')
  const tag = findRecord(control, 'tags', {})['id']
  const label = (post['labels'] as readonly number[] | undefined)?.[0] ?? find('postLabels')['id']
  const lists = { user: find('userLists')['id'], vault: find('vaultLists', { canUpdate: true })['id'] }
  const shares = { tracking: find('linkShares', { kind: 'tracking' }), trial: find('linkShares', { kind: 'trial' }) }
  const links = { tracking: shares.tracking['linkId'] ?? find('trackingLinks')['id'], trial: shares.trial['linkId'] ?? find('trialLinks')['id'] }
  const address = {
    account_id: account,
    username: findRecord(control, 'accounts', { id: account })['username'],
    post_id: post['id'],
    label_id: label,
    fan_id: fan,
    user_id: fan,
    chat_id: chat,
    queue_id: find('massMessages', { state: 'queued' })['id'],
    item_id: typeof scheduled === 'number' ? scheduled * 2 : undefined,
    media_id: media['id'],
    tracking_link_id: links.tracking,
    trial_link_id: links.trial,
    tag_id: tag,
    token: shares.tracking['id'] ?? shares.trial['id'],
    ids: fan === undefined ? undefined : String(fan),
    h: media['hash'],
    size: media['size'],
    q: 'cat',
    query: 'you',
    by: 'likes',
    category: 'post',
  }
  const messages = { sent: find('massMessages', { state: 'sent' })['id'], own: find('messages', { fanId: fan, isFromFan: false, isTip: false })['id'] }
  const body = { ...words, account_ids: [account], withUserId: fan, ids: toList(fan), listIds: toList(lists.user), post_ids: toList(post['id']), media_ids: toList(media['id']), tag_ids: toList(tag) }
  return (path) => {
    const kind = path.includes('/trial-links') ? 'trial' : 'tracking'
    return {
      address: {
        ...address,
        link_id: links[kind],
        share_id: shares[kind]['id'],
        list_id: path.includes('/vault/') ? lists.vault : lists.user,
        message_id: path.includes('/mass-messages/') ? messages.sent : messages.own,
      },
      body: { ...body, link_ids: toList(links[kind]), ...(path.endsWith('/vault/lists/sort') ? { sort: 'name', order: 'asc' } : {}) },
    }
  }
}

/** Words for fields that take any. */
const words = {
  text: 'Hello',
  name: 'Spring',
  trialLinkName: 'Spring',
  custom_name: 'Spring',
  label: 'For a partner',
  note: 'Likes the early posts.',
  notice: 'Likes the early posts.',
  displayName: 'Spring fan',
  reason: 'Spam',
  city: 'Berlin',
  color: '#d9480f',
  subscribeDays: 7,
  amount: 20,
  frequency: 'manual',
  notifications: {},
  userLists: ['fans'],
  key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
  parts: 1,
  contentType: 'image/jpeg',
}

/** The first connected account of the organisation whose key the reference page begins with; better one whose session runs. */
function findAccount(control: Control): number | undefined {
  const { keys, accounts } = control.state()
  const organisation = (keys.find(({ role }) => role === 'owner') ?? keys[0])?.organisation
  const own = accounts.filter((account) => account.connected && account.organisation === organisation)
  return (own.find(({ session }) => session === 'active') ?? own[0])?.id
}

/** The first record with those fields; one without any where there is none. */
function findRecord(control: Control, table: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const filters = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
  return (control.data(table, { limit: 1, filters }).items[0] ?? {}) as Readonly<Record<string, unknown>>
}

function toList(id: unknown): unknown[] | undefined {
  return id === undefined ? undefined : [id]
}
