import type { Sandbox } from '../src/index.ts'
import { routes } from '../src/resources/all-resources.ts'
import { findFirstAccount } from './sandboxes.ts'

/** A request that returns status 200. */
export interface BenchRequest {
  /** Label in the report: the route, plus the query if it matters. */
  name: string
  method: string
  /**
   * The request path. `[<id>]` is replaced by a different number in each request, both here and in
   * the body.
   */
  url: string
  body?: unknown
}

/** POST routes that do not change data. */
const readingPosts = [
  '/v1/fans',
  '/v1/fans/:fan_id/transactions',
  '/v1/fans/:fan_id/stats',
  '/v1/fans/:fan_id/transactions/counts',
]

/**
 * Returns a request for a full page from each read route, and several for the post feed.
 * @throws for an unknown parameter
 */
export function createReadRequests(sandbox: Sandbox): BenchRequest[] {
  const account = findFirstAccount(sandbox)
  const known = findParameterValues(sandbox, account)
  const reads = routes.filter(
    ({ method, path, accessChecks }) =>
      accessChecks !== 'none' && (method === 'GET' || readingPosts.includes(path)),
  )
  const sent = reads.map(({ id, method, path }): BenchRequest => {
    const filled = path.replace(/:(\w+)/g, (_, name: string) => String(known.parameter(path, name)))
    const query = known.queries[path]
    const body = method === 'POST' ? { account_ids: [account], limit: 20 } : undefined
    if (path.endsWith('/stats') && body !== undefined)
      return { name: id, method, url: filled, body: { account_ids: [account] } }
    return { name: id, method, url: query === undefined ? filled : `${filled}?${query}`, body }
  })
  const feed = `/v1/${account}/posts`
  return [
    ...sent,
    {
      name: 'GET /v1/:account_id/posts?media_type=medias',
      method: 'GET',
      url: `${feed}?media_type=medias`,
    },
    { name: 'GET /v1/:account_id/posts?limit=100', method: 'GET', url: `${feed}?limit=100` },
  ]
}

/** Returns ten common writes. */
export function createWriteRequests(sandbox: Sandbox): BenchRequest[] {
  const account = findFirstAccount(sandbox)
  const { parameter } = findParameterValues(sandbox, account)
  const at = (path: string) => `/v1/${account}${path}`
  const post = parameter('', 'post_id')
  const chat = parameter('/chats', 'user_id')
  const lists = sandbox.db.userLists.find((list) => list.accountId === account)
  const media = sandbox.db.vaultMedia
    .where((row) => row.accountId === account && row.isReady)
    .slice(0, 2)
  const mediaFiles = media.map(({ id }) => id)
  const write = (name: string, method: string, path: string, body?: unknown): BenchRequest => ({
    name: `${method} /v1/:account_id${name}`,
    method,
    url: at(path),
    body,
  })
  return [
    write('/posts', 'POST', '/posts', { text: 'A post of the bench', mediaFiles }),
    write('/posts/:post_id', 'PUT', `/posts/${post}`, { text: 'An edited post [<id>]' }),
    write('/posts/:post_id/pin', 'POST', `/posts/${post}/pin`),
    write('/chats/:user_id/messages', 'POST', `/chats/${chat}/messages`, {
      text: 'A message of the bench',
    }),
    write('/chats/:user_id/mark-as-read', 'POST', `/chats/${chat}/mark-as-read`),
    write('/fm/fans/:fan_id/note', 'PATCH', `/fm/fans/${chat}/note`, { note: 'A note [<id>]' }),
    write('/fans/:user_id/display-name', 'PUT', `/fans/${chat}/display-name`, {
      displayName: 'Name [<id>]',
    }),
    write('/user-lists/:list_id', 'PATCH', `/user-lists/${lists?.id}`, { name: 'List [<id>]' }),
    write('/user-lists/:list_id/users', 'POST', `/user-lists/${lists?.id}/users`, { ids: [chat] }),
    write('/vault/lists', 'POST', '/vault/lists', { name: 'List [<id>]' }),
  ]
}

/** Returns values for route parameters. Selects the ids that have the most related rows. */
function findParameterValues({ db }: Sandbox, account: number) {
  const own = <Row extends object>(rows: readonly Row[]) =>
    rows.filter(
      (row) => !('accountId' in row) || (row as { accountId: unknown }).accountId === account,
    )
  const partner = findMostCommonValue(own(db.messages.all()), 'fanId')
  const chat = db.chats.find((row) => row.accountId === account && row.fanId === partner)
  // Selects a row with one page of payments, so that the measured work does not depend on the table
  // size.
  const spend = own(db.fanSpend.all()).toSorted(
    (a, b) => Math.abs(a.count - 30) - Math.abs(b.count - 30),
  )
  const fan = spend[0]?.fanId
  const media = own(db.vaultMedia.all())[0]
  const byId: Record<string, unknown> = {
    account_id: account,
    post_id: findMostCommonValue(own(db.comments.all()), 'postId') ?? own(db.posts.all())[0]?.id,
    fan_id: fan,
    user_id: fan,
    username: db.fans.get(Number(fan))?.username,
    by: 'likes',
    category: 'post',
    media_id: media?.id,
    story_id: own(db.stories.all()).toSorted((a, b) => b.viewersCount - a.viewersCount)[0]?.id,
    tracking_link_id:
      findMostCommonValue(own(db.subscriptions.all()), 'trackingLinkId') ??
      own(db.trackingLinks.all())[0]?.id,
    trial_link_id:
      findMostCommonValue(own(db.subscriptions.all()), 'trialLinkId') ??
      own(db.trialLinks.all())[0]?.id,
    promo_id:
      findMostCommonValue(own(db.promotionClaims.all()), 'promotionId') ??
      own(db.promotions.all())[0]?.id,
    queue_id: own(db.massMessages.all()).find(({ state }) => state === 'queued')?.id,
    list_id:
      findMostCommonValue(own(db.userListMembers.all()), 'listId') ??
      own(db.userLists.all())[0]?.id,
  }
  const parameter = (path: string, name: string): unknown => {
    if (name === 'user_id' && path.includes('/chats')) return chat?.fanId
    if (name === 'message_id')
      return path.includes('mass') ? findSoldMessageId(db, account) : chat?.lastMessageId
    if (name === 'link_id')
      return byId[path.includes('trial') ? 'trial_link_id' : 'tracking_link_id']
    return byId[name]
  }
  const ids = own(db.subscriptions.all())
    .slice(0, 10)
    .map(({ fanId }) => fanId)
  const queries: Record<string, string> = {
    '/v1/:account_id/fans': `ids=${ids.join(',')}`,
    '/v1/:account_id/vault/media/hash': `h=${media?.hash}&size=${media?.size}`,
    '/v1/:account_id/chats/:user_id/messages/search': 'query=a',
    '/v1/:account_id/earnings/chart': 'by=total',

    '/v1/:account_id/subscribers': 'limit=20',
    '/v1/:account_id/tracking-links/:link_id/stats': 'date_start=-180d',
    '/v1/:account_id/trial-links/:link_id/stats': 'date_start=-180d',
    '/v1/gifs/search': 'q=cat',
  }
  return { parameter, queries }
}

function findSoldMessageId(db: Sandbox['db'], account: number): unknown {
  const sold = db.messagePurchases.where((row) => row.accountId === account)
  return (
    findMostCommonValue(sold, 'queueId') ??
    db.massMessages.find((row) => row.accountId === account && row.state === 'sent')?.id
  )
}

/** Returns the most common value of a field. */
function findMostCommonValue<Row extends object>(
  rows: readonly Row[],
  field: keyof Row & string,
): unknown {
  const counts = new Map<unknown, number>()
  for (const { [field]: value } of rows)
    if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}
