/** The parts of a route that determine its operation id. */
export interface Named {
  method: string
  path: string
  summary: string
}

/**
 * Creates an operation id from a verb and a noun: `GET /v1/:account_id/posts` becomes `listPosts`,
 * and `POST …/posts/:post_id/pin` becomes `pinPost`. The account is omitted, and a noun before a
 * parameter becomes singular. `givenIds` contains the exceptions.
 */
export function toOperationId({ method, path, summary }: Named): string {
  const given = givenIds[`${method} ${path}`]
  if (given !== undefined) return given
  const words = toWords(path)
  const last = words.at(-1) ?? ''
  if (actionVerb.test(last) && method !== 'GET')
    return toName(method === 'DELETE' ? `un${last}` : last, words.slice(0, -1))
  if (method === 'POST') return toName('create', [...words.slice(0, -1), toSingular(last)])
  return toName(
    method === 'GET' && summary.startsWith('List ')
      ? 'list'
      : (verbs[method] ?? method.toLowerCase()),
    words,
  )
}

/** Operation ids that do not follow the rule, by method and path. */
export const givenIds: Readonly<Record<string, string>> = {
  'GET /media-proxy': 'getMediaFile',
  'HEAD /media-proxy': 'headMediaFile',
  'GET /share/:token': 'getSharePage',
  'HEAD /share/:token': 'headSharePage',
  'PUT /upload/:world/:upload_id/:part_number': 'uploadPart',
  'POST /v1/:account_id/upload/signed/create': 'createUpload',
  'POST /v1/:account_id/upload/signed/finish': 'finishUpload',
  'POST /v1/fans': 'listSpenders',
  'POST /v1/fans/:fan_id/transactions': 'listFanTransactions',
  'POST /v1/fans/:fan_id/transactions/counts': 'countFanTransactions',
  'POST /v1/fans/:fan_id/stats': 'getFanStats',
  'PUT /v1/:account_id/fans/:user_id/notes': 'setFanNotice',
  'DELETE /v1/:account_id/fans/:user_id/notes': 'clearFanNotice',
  'PUT /v1/:account_id/fans/:user_id/display-name': 'setFanDisplayName',
  'GET /v1/:account_id/engagement/posts/:by': 'rankPosts',
  'GET /v1/:account_id/engagement/stories/:by': 'rankStories',
  'GET /v1/:account_id/highlights/:category': 'getHighlights',
  'GET /v1/:account_id/users/:username': 'getUser',
  'POST /v1/:account_id/users/:user_id/lists': 'addUserToLists',
  'POST /v1/:account_id/user-lists/:list_id/users': 'addUserListUsers',
  'DELETE /v1/:account_id/user-lists/:list_id/users': 'clearUserList',
  'DELETE /v1/:account_id/user-lists/:list_id/users/:user_id': 'removeUserListUser',
  'POST /v1/:account_id/posts/labels/:label_id/posts': 'addPostLabelPosts',
  'DELETE /v1/:account_id/posts/labels/:label_id/posts/:post_id': 'removePostLabelPost',
  'GET /v1/:account_id/vault/media/hash': 'findVaultMediaByHash',
  'GET /v1/:account_id/vault/media/types': 'countVaultMedia',
  'GET /v1/:account_id/vault/media/:media_id': 'getVaultMedia',
  'DELETE /v1/:account_id/vault/media/:media_id': 'deleteVaultMedia',
  'GET /v1/:account_id/vault/media/:media_id/release-forms': 'listVaultMediaReleaseForms',
  'POST /v1/:account_id/vault/lists/:list_id/media': 'addVaultListMedia',
  'DELETE /v1/:account_id/vault/lists/:list_id/media': 'removeVaultListMedia',
  'POST /v1/:account_id/chats/:user_id/messages': 'sendMessage',
  'GET /v1/:account_id/chats/:user_id/messages': 'listMessages',
  'GET /v1/:account_id/chats/:user_id/messages/search': 'searchMessages',
  'GET /v1/:account_id/chats/:user_id/messages/:message_id': 'getMessage',
  'DELETE /v1/:account_id/messages/:message_id': 'unsendMessage',
  'POST /v1/:account_id/messages/:message_id/attach-tags': 'attachMessageTags',
  'POST /v1/:account_id/mass-messages': 'sendMassMessage',
  'GET /v1/:account_id/mass-messages/queue': 'listQueuedMassMessages',
  'GET /v1/:account_id/mass-messages/queue/:queue_id': 'getQueuedMassMessage',
  'PUT /v1/:account_id/mass-messages/queue/:queue_id': 'updateQueuedMassMessage',
  'DELETE /v1/:account_id/mass-messages/queue/:queue_id': 'cancelMassMessage',
  'GET /v1/:account_id/mass-messages/lists': 'listMassMessageLists',
  'GET /v1/:account_id/lists': 'listChatLists',
  'PUT /v1/:account_id/schedules/:item_id/publish': 'publishScheduledItem',
  'DELETE /v1/:account_id/schedules/:item_id': 'deleteScheduledItem',
  'GET /v1/:account_id/schedules/counters': 'countScheduledItems',
  'GET /v1/:account_id/schedules': 'listScheduledItems',
  'POST /v1/:account_id/chats/:user_id/mark-as-read': 'markChatAsRead',
  'POST /v1/:account_id/chats/:user_id/mark-as-unread': 'markChatAsUnread',
  'POST /v1/:account_id/chats/mark-as-read': 'markAllChatsAsRead',
  'POST /v1/:account_id/chats/:user_id/typing': 'showTyping',
  'POST /v1/:account_id/notifications/mark-all-as-read': 'markAllNotificationsAsRead',
  'PATCH /v1/:account_id/notifications/settings': 'updateNotificationSettings',
  'GET /v1/:account_id/notifications/settings/message': 'getMessageNotificationSettings',
  'PUT /v1/:account_id/notifications/tabs-order': 'setNotificationTabsOrder',
  'GET /v1/:account_id/notifications/tabs-order': 'getNotificationTabsOrder',
  'GET /v1/:account_id/notifications/counts': 'countNotifications',
  'GET /v1/:account_id/streaks/top': 'getTopStreak',
  'GET /v1/:account_id/subscribers/counts': 'countSubscribers',
  'GET /v1/:account_id/subscribers/top': 'listTopSubscribers',
  'GET /v1/:account_id/subscribers/latest': 'listLatestSubscribers',
  'GET /v1/:account_id/subscribers/following': 'listFollowing',
  'GET /v1/:account_id/subscribers/restricted': 'listRestrictedUsers',
  'GET /v1/:account_id/subscribers/blocked': 'listBlockedUsers',
  'GET /v1/gifs/search': 'searchGifs',
  'GET /v1/gifs/trending': 'listTrendingGifs',
  'GET /v1/:account_id/payouts/requests': 'listPayouts',
  'POST /v1/:account_id/payouts/requests': 'requestPayout',
  'PATCH /v1/:account_id/payouts/payout-frequency': 'setPayoutFrequency',
  'GET /v1/:account_id/payouts/balances': 'getPayoutBalances',
  'GET /v1/:account_id/payouts/eligibility': 'getPayoutEligibility',
  'GET /v1/:account_id/payouts/earning-statistics': 'getEarningStatistics',
  'GET /v1/:account_id/payouts/systems': 'listPayoutSystems',
  'GET /v1/:account_id/referrals/payouts': 'listReferralPayouts',
  'GET /v1/:account_id/referrals/payouts/chart': 'getReferralPayoutsChart',
  'GET /v1/:account_id/referrals/summary': 'getReferralSummary',
  'PUT /v1/:account_id/tracking-links/:tracking_link_id/tags': 'setTrackingLinkTags',
  'PUT /v1/:account_id/trial-links/:trial_link_id/tags': 'setTrialLinkTags',
  'POST /v1/:account_id/tracking-links/tags/add': 'addTrackingLinkTags',
  'POST /v1/:account_id/trial-links/tags/add': 'addTrialLinkTags',
  'POST /v1/:account_id/tracking-links/:link_id/shares': 'createTrackingLinkShare',
  'POST /v1/:account_id/trial-links/:link_id/shares': 'createTrialLinkShare',
}

const verbs: Readonly<Record<string, string>> = { PUT: 'update', PATCH: 'update' }

/** Verbs for POST and DELETE, by last path segment. DELETE reverses the action. */
const actionVerb = /^(?:pin|archive|block|restrict|report|mute|hide|like|sort)$/

/**
 * Splits a path into words for an operation id. Adds a word for private fan records and for the
 * service's own links (`fm`).
 */
function toWords(path: string): string[] {
  const words: string[] = []
  const nouns = path
    .replace(/^\/v1\//, '/')
    .replace(/^\/:account_id\//, '/')
    .replace(/^\/fm\/fans\//, '/private/fans/')
    .replace(/^\/fm\//, '/stored/')
    .replace('/posts/labels', '/post/labels')
  for (const segment of nouns.split('/')) {
    if (!segment.startsWith(':')) words.push(...segment.split('-').filter((word) => word !== ''))
    else if (words.length > 0) words.splice(-1, 1, toSingular(words.at(-1) ?? ''))
  }
  return words
}

function toSingular(noun: string): string {
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '')
}

function toName(verb: string, words: readonly string[]): string {
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
