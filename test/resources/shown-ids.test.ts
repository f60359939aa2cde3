import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox } from '../support/client.ts'
import { parseReply } from '../support/requests.ts'
import { idsOf } from '../support/read-all-pages.ts'

type Node = Readonly<Record<string, unknown>>

/** An id in a response, and the route that reads the record. */
interface Shown {
  path: string
  /** URL of the response. */
  by: string
}

/** Functions that find ids in an object, and return the paths at which the records can be read. */
const readers: readonly ((
  node: Node,
  key: string,
  from: { db: Sandbox['db']; path: string },
) => readonly string[])[] = [
  // Users occur as full objects, as short references, as ids in fields, and in lists of ids.
  ({ id, _view, username }) =>
    typeof id === 'number' && (_view !== undefined || username !== undefined) ? [`fans/${id}`] : [],
  ({ userId, subscriberId }) =>
    [userId, subscriberId].flatMap((id) => (typeof id === 'number' ? `fans/${id}` : [])),
  (node, key) =>
    isAlone(node) ? [`${key === 'posts' ? 'posts' : 'fans'}/${String(node['id'])}`] : [],
  ({ id, responseType }) =>
    responseType === 'post'
      ? [`posts/${String(id)}`, `posts/${String(id)}/stats`, `posts/${String(id)}/comments`]
      : [],
  ({ id, responseType, queueId }, key, { db }) => {
    if (responseType !== 'message' || id === undefined) return []
    // A scheduled mass message is shown as the message that it will become.
    if (key === 'entity') return [`mass-messages/queue/${String(id)}`]
    return [
      `chats/${db.messages.get(Number(id))?.fanId}/messages/${String(id)}`,
      ...(typeof queueId === 'number'
        ? [`mass-messages/queue/${queueId}`, `mass-messages/${queueId}/buyers`]
        : []),
    ]
  },
  ({ lastReadMessageId, withUser }) =>
    typeof lastReadMessageId === 'number' && lastReadMessageId !== 0
      ? [`chats/${String((withUser as Node)['id'])}/messages/${lastReadMessageId}`]
      : [],
  ({ replyToMessageId }, _, { db }) =>
    typeof replyToMessageId === 'number'
      ? [`chats/${db.messages.get(replyToMessageId)?.fanId}/messages/${replyToMessageId}`]
      : [],
  // Media that a fan sent are not in the vault.
  ({ id, files }, _, { db }) =>
    files !== undefined && db.vaultMedia.get(Number(id))?.senderId === undefined
      ? [`vault/media/${String(id)}`]
      : [],
  ({ previews, preview }) =>
    [previews, preview].flatMap((ids) =>
      Array.isArray(ids) ? ids.map((id) => `vault/media/${id}`) : [],
    ),
  ({ listsStates }) =>
    Array.isArray(listsStates)
      ? listsStates.map((list: Node) => `user-lists/${String(list['id'])}`)
      : [],
  ({ userLists }) =>
    Array.isArray(userLists) ? userLists.map((list) => `user-lists/${list}`) : [],
  ({ id, campaignUrl }) =>
    campaignUrl !== undefined
      ? [`tracking-links/${String(id)}`, `tracking-links/${String(id)}/claimers`]
      : [],
  ({ id, trialLinkName }) =>
    trialLinkName !== undefined
      ? [`trial-links/${String(id)}`, `trial-links/${String(id)}/subscribers`]
      : [],
  ({ id, rawMessage }) =>
    rawMessage !== undefined ? [`reach/promotions/${String(id)}/subscribers`] : [],
  ({ id, stats, rawText }, key, { path }) => {
    const category = /highlights\/(\w+)/.exec(path)?.[1]
    if (stats === undefined || rawText === undefined || category === undefined) return []
    return category === 'post' || category === 'stream'
      ? [`posts/${String(id)}`]
      : category === 'story'
        ? [`stories/${String(id)}/viewers`]
        : []
  },
  ({ id, claimed_at: claimedAt }, key) =>
    claimedAt !== undefined ? [`${key.replace(/_links$/, '')}-links/${String(id)}`] : [],
  ({ id, viewersCount }) => (viewersCount !== undefined ? [`stories/${String(id)}/viewers`] : []),
]

/** Functions that return the paths for reading a row, by the route that returned the row. */
const byRoute: Readonly<Record<string, (row: Node) => readonly string[]>> = {
  'GET /v1/:account_id/mass-messages': ({ id }) => [
    `mass-messages/queue/${String(id)}`,
    `mass-messages/${String(id)}/buyers`,
  ],
  'GET /v1/:account_id/mass-messages/queue': ({ id }) => [`mass-messages/queue/${String(id)}`],
  'GET /v1/:account_id/user-lists': ({ id }) => [
    `user-lists/${String(id)}`,
    `user-lists/${String(id)}/users`,
  ],
  'GET /v1/:account_id/lists': ({ id }) => [
    `user-lists/${String(id)}`,
    `chats?list_id=${String(id)}`,
  ],
  'GET /v1/:account_id/mass-messages/lists': ({ id }) => [`user-lists/${String(id)}`],
  'GET /v1/:account_id/posts/labels': ({ id }) => [`posts?label=${String(id)}`],
  'GET /v1/:account_id/vault/lists': ({ id }) => [`vault/media?list_id=${String(id)}`],
  'GET /v1/:account_id/engagement/posts/:by': ({ id }) => [`posts/${String(id)}`],
}

const isAlone = (node: Node) => typeof node['id'] === 'number' && Object.keys(node).length === 1

it.each(['agency', 'solo', 'boundaries'])(
  'resolves every shown id in the route that reads it, in %s',
  async (scenario) => {
    const sandbox = await createFreshSandbox(scenario)
    sandbox.act({ type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 })
    for (const { id } of sandbox.db.accounts
      .where({ organisation: 1, connected: true })
      .slice(0, 2)) {
      if (sandbox.db.accounts.get(id)?.session !== 'active') continue
      const known = new Map<string, Shown>()
      for (const { by, path } of listReadUrls(sandbox, id)) {
        const { status, data } = await read(sandbox, path)
        expect([path, status]).toEqual([path, 200])
        collect(data, {
          key: '',
          by,
          from: { db: sandbox.db, path },
          add: (each) => known.set(each, { path: each, by: `${by} of ${path}` }),
        })
      }
      const lost: Shown[] = []
      for (const shown of known.values())
        if ((await read(sandbox, `/v1/${id}/${shown.path}`)).status !== 200) lost.push(shown)
      expect(lost).toEqual([])
      expect(known.size).toBeGreaterThan(20)
    }
  },
)

async function read(sandbox: Sandbox, url: string): Promise<{ status: number; data: unknown }> {
  const reply = await sandbox.handle({
    method: 'GET',
    url,
    header: (name) => (name === 'x-api-key' ? (sandbox.keys['owner'] ?? null) : null),
    body: null,
  })
  return { status: reply.status, data: parseReply<{ data?: unknown }>(reply).data }
}

/**
 * Returns the URLs of all read routes of an account, with the first few records for each path
 * parameter.
 */
function listReadUrls({ db }: Sandbox, account: number): { by: string; path: string }[] {
  const own = <Row extends { accountId: number }>(rows: readonly Row[]) =>
    rows.filter(({ accountId }) => accountId === account).slice(0, 2)
  const chats = own(db.chats.all())
  const values: Readonly<Record<string, readonly (number | string)[]>> = {
    post_id: idsOf(own(db.posts.all())),
    fan_id: own(db.subscriptions.all()).map(({ fanId }) => fanId),
    user_id: chats.map(({ fanId }) => fanId),
    username: own(db.subscriptions.all()).map(({ fanId }) => db.fans.get(fanId)!.username),
    message_id: idsOf(own(db.massMessages.all())),
    queue_id: idsOf(own(db.massMessages.all())),
    media_id: idsOf(own(db.vaultMedia.all())),
    list_id: idsOf(own(db.userLists.all())),
    tracking_link_id: idsOf(own(db.trackingLinks.where({ endDate: null }))),
    trial_link_id: idsOf(own(db.trialLinks.all())),
    promo_id: idsOf(own(db.promotions.all())),
    story_id: idsOf(own(db.stories.all())),
  }
  return routes
    .filter(
      ({ method, path, accessChecks, id }) =>
        method === 'GET' &&
        accessChecks !== 'none' &&
        path.includes(':account_id') &&
        // Needs the hash and size of a file.
        id !== 'GET /v1/:account_id/vault/media/hash',
    )
    .flatMap(({ id, path, params }) => {
      const [, name = ''] = /:(?!account_id)(\w+)/.exec(path) ?? []
      const kind = /(tracking|trial)-links\/:link_id/.exec(path)?.[1]
      const options =
        getShape(params)[name]?.options ??
        values[name === 'link_id' ? `${kind}_link_id` : name] ??
        []
      const first = path.replace(':account_id', String(account))
      if (name === '')
        return [
          {
            by: id,
            path: `${first}${path.includes('/fans') && path.endsWith('/fans') ? `?ids=${values['fan_id']!.join()}` : ''}`,
          },
        ]
      // Skips paths with two ids, such as single messages in a chat, because their lists cover
      // them.
      if (/:\w+.*:\w+.*:\w+/.test(path)) return []
      return options.map((value) => ({
        by: id,
        path: first.replace(`:${name}`, encodeURIComponent(value)),
      }))
    })
    .map(({ by, path }) => ({
      by,
      path: path.endsWith('/messages/search') ? `${path}?query=e` : path,
    }))
}

function getShape(
  params: unknown,
): Readonly<Record<string, { options?: readonly string[] } | undefined>> {
  return (params as { shape: Record<string, { options?: readonly string[] }> }).shape
}

interface Collecting {
  key: string
  by: string
  from: { db: Sandbox['db']; path: string }
  add: (path: string) => void
}

function collect(value: unknown, { key, ...rest }: Collecting): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(each, { key, ...rest })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const node = value as Node
  for (const reader of readers) for (const path of reader(node, key, rest.from)) rest.add(path)
  if (['', 'list', 'items'].includes(key) && node['id'] !== undefined)
    for (const path of byRoute[rest.by]?.(node) ?? []) rest.add(path)
  for (const [name, each] of Object.entries(node)) collect(each, { key: name, ...rest })
}
