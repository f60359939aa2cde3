import type { Sandbox } from 'creator-api-sandbox'
import { listRows } from './data.ts'
import type { Row } from './data.ts'
import type { PathValues } from './path-values.ts'

/** Returns ids of rows that belong to an account. */
type Pick = (table: string, fits?: (row: Row) => unknown) => number[]

/**
 * Returns request bodies for an operation, starting with a valid body, or undefined if the
 * operation has no body.
 */
export function createBodies(sandbox: Sandbox, id: string, path: PathValues): unknown[] {
  const account = path.account_id as number
  const pick: Pick = (table, fits = () => true) =>
    listRows(sandbox, table)
      .filter((row) => (row.accountId ?? account) === account && fits(row))
      .map((row) => Number(row.id))
  return bodies[id]?.(pick, path, sandbox) ?? [undefined]
}

const soon = '2026-10-01T11:00:00Z'
const later = '2026-10-05T12:00:00Z'

const bodies: Readonly<
  Record<string, (pick: Pick, path: PathValues, sandbox: Sandbox) => unknown[]>
> = {
  createPost: (pick) => [
    { text: 'Hello' },
    {
      text: 'With a price',
      mediaFiles: pickMediaIds(pick, 2),
      price: 9.5,
      preview: pickMediaIds(pick, 1),
    },
    { text: 'For later <b>&</b> 💥', scheduledTime: later, expireDays: 3 },
  ],
  updatePost: (pick) => [{ text: 'Changed' }, { mediaFiles: pickMediaIds(pick, 1), price: 5 }],
  createPostLabel: () => [{ name: 'Spring' }],
  updatePostLabel: () => [{ name: 'Spring' }],
  addPostLabelPosts: (pick) => [{ post_ids: pick('posts').slice(0, 3) }],
  listFanTransactions: (_, { account_id }) => [
    { account_ids: [account_id] },
    { account_ids: [account_id], categories: ['tip'], statuses: ['done'], limit: 2, offset: 1 },
    { account_ids: [account_id], from: '2026-01-01', to: '2026-09-01' },
  ],
  getFanStats: (_, { account_id }) => [{ account_ids: [account_id] }],
  listSpenders: (_, { account_id }) => [
    { account_ids: [account_id] },
    { account_ids: [account_id], sort: 'average_weekly_spend_asc', limit: 3, offset: 2 },
    { account_ids: [account_id], total_spend: { min: 10 }, purchase_count: { max: 3 } },
    { account_ids: [account_id], last_purchase_within_days: 30, sort: 'last_purchase_at_desc' },
  ],
  countFanTransactions: (_, { account_id }) => [{ account_ids: [account_id] }],
  updatePrivateFanName: () => [{ name: 'Spring' }, { name: null }],
  updatePrivateFanNote: () => [{ note: 'Likes the early posts.' }],
  updatePrivateFanMetadata: () => [
    { city: 'Berlin', birthday: '1990-02-03', timezone: 'Europe/Berlin' },
  ],
  setFanNotice: () => [{ notice: 'Likes the early posts.' }],
  setFanDisplayName: () => [{ displayName: 'Spring fan' }],
  createUserList: () => [{ name: 'Spring' }],
  updateUserList: () => [{ name: 'Spring', isPinnedToFeed: true, isPinnedToChat: true }],
  addUserListUsers: (_, { account_id }, sandbox) => [
    { ids: listFanIds(sandbox, account_id).slice(0, 3) },
  ],
  addUserToLists: (pick) => [{ listIds: [...pick('userLists').slice(0, 2), 'muted'] }],
  reportUser: () => [{ reason: 'Spam' }],
  createVaultList: () => [{ name: 'Spring' }],
  sortVaultLists: (pick) => [
    { sort: 'name', order: 'asc' },
    { sort: 'custom', customOrder: pick('vaultLists').toReversed() },
  ],
  updateVaultList: () => [{ name: 'Spring' }],
  addVaultListMedia: (pick) => [{ media_ids: pickMediaIds(pick, 3) }],
  removeVaultListMedia: (pick) => [{ media_ids: pickMediaIds(pick, 3) }],
  createUpload: () => [{ key: uploadKey, parts: 2, contentType: 'image/jpeg' }],
  createTrackingLink: (pick) => [{ name: 'Spring', tag_ids: pick('tags').slice(0, 1) }],
  createTrialLink: () => [
    { trialLinkName: 'Spring', subscribeDays: 30, subscribeCounts: 5, expiredAt: later },
  ],
  updateTrackingLink: () => [{ custom_name: 'Spring', note: 'N', promo_cost: 12, is_hidden: true }],
  updateTrialLink: () => [{ custom_name: 'Spring', note: 'N', promo_cost: 12, is_hidden: true }],
  createPromotion: () => [
    {
      type: 'new',
      discount: 20,
      subscribeCounts: 0,
      subscribeDays: 30,
      finishDays: 7,
      message: 'Come in',
    },
  ],
  createTrackingLinkShare: () => [{ label: 'For a partner', expires_at: later }],
  updateTrackingLinkShare: () => [{ label: 'For a partner', expires_at: null }],
  createTrialLinkShare: () => [{ label: 'For a partner' }],
  updateTrialLinkShare: () => [{ label: 'For a partner', expires_at: later }],
  createTag: () => [{ name: 'Spring', color: '#d9480f' }],
  updateTag: () => [{ name: 'Spring', color: '#d9480f' }],
  setTrackingLinkTags: (pick) => [{ tag_ids: pick('tags').slice(0, 2) }],
  addTrackingLinkTags: (pick) => [
    { link_ids: pickOpenLinkIds(pick), tag_ids: pick('tags').slice(0, 1) },
  ],
  setTrialLinkTags: (pick) => [{ tag_ids: pick('tags').slice(0, 2) }],
  addTrialLinkTags: (pick) => [
    { link_ids: pick('trialLinks').slice(0, 2), tag_ids: pick('tags').slice(0, 1) },
  ],
  sendMessage: (pick) => [
    { text: 'Hello' },
    { text: 'Paid', price: 10, mediaFiles: pickMediaIds(pick, 2), previews: [] },
  ],
  likeMessage: (_, path, sandbox) => [{ withUserId: findMessageFan(sandbox, path) }],
  unlikeMessage: (_, path, sandbox) => [{ withUserId: findMessageFan(sandbox, path) }],
  pinMessage: (_, path, sandbox) => [{ withUserId: findMessageFan(sandbox, path) }],
  unpinMessage: (_, path, sandbox) => [{ withUserId: findMessageFan(sandbox, path) }],
  attachMessageTags: (_, { account_id }, sandbox) => [
    { rfPartner: listFanIds(sandbox, account_id).slice(0, 1), rfGuest: [] },
    { rfTag: [], rfPartner: [], rfGuest: [] },
  ],
  sendMassMessage: (pick) => [
    { text: 'Hello', userLists: ['fans'] },
    { text: 'Later', userLists: ['fans'], scheduledDate: soon },
    {
      text: 'Paid',
      userLists: ['fans'],
      price: 8,
      mediaFiles: pickMediaIds(pick, 1),
      previews: [],
    },
  ],
  updateQueuedMassMessage: () => [{ text: 'Hello', userLists: ['fans'], scheduledDate: later }],
  updateNotificationSettings: () => [{ notifications: {} }],
  setNotificationTabsOrder: () => [['all', 'tags', 'commented']],
  requestPayout: () => [{ amount: 20 }],
  setPayoutFrequency: () => [{ frequency: 'weekly' }, { frequency: 'manual' }],
}

/** Key of the upload. */
export const uploadKey = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'

function pickMediaIds(pick: Pick, count: number): number[] {
  return pick('vaultMedia', ({ isReady }) => isReady).slice(0, count)
}

function pickOpenLinkIds(pick: Pick): number[] {
  return pick('trackingLinks', ({ endDate }) => endDate === null).slice(0, 2)
}

function listFanIds(sandbox: Sandbox, account: unknown): number[] {
  return listRows(sandbox, 'subscriptions')
    .filter(({ accountId }) => accountId === account)
    .map(({ fanId }) => Number(fanId))
}

function findMessageFan(sandbox: Sandbox, { message_id }: PathValues): unknown {
  return listRows(sandbox, 'messages').find(({ id }) => id === message_id)?.fanId ?? 1
}
