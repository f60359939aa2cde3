import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { readOperations } from '../../scripts/same-answers/operations.ts'
import { createValidRequests } from '../../scripts/same-answers/valid-requests.ts'
import { sendAsOwner } from '../support/client.ts'
import {
  askAsOwner,
  createUnlimitedSandbox,
  listActiveAccounts,
} from '../support/owner-requests.ts'

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
    const sandbox = await createUnlimitedSandbox(scenario)
    for (const { id } of listActiveAccounts(sandbox).slice(0, 2)) {
      const known = new Map<string, Shown>()
      for (const { by, path } of await listReadUrls(sandbox, id)) {
        collect((await askAsOwner(sandbox, 'GET', path)).data, {
          key: '',
          by,
          from: { db: sandbox.db, path },
          add: (each) => known.set(each, { path: each, by: `${by} of ${path}` }),
        })
      }
      const lost: Shown[] = []
      for (const shown of known.values()) {
        const { status } = await sendAsOwner(sandbox, 'GET', `/v1/${id}/${shown.path}`)
        if (status !== 200) lost.push(shown)
      }
      expect(lost).toEqual([])
      expect(known.size).toBeGreaterThan(20)
    }
  },
)

/** Returns the URLs of all read routes of an account, with two records for each path parameter. */
async function listReadUrls(
  sandbox: Sandbox,
  account: number,
): Promise<{ by: string; path: string }[]> {
  const reading = readOperations().filter(
    ({ method, path }) => method === 'GET' && path.includes('{account_id}'),
  )
  const urls = []
  for (const operation of reading) {
    const by = `GET ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`
    for (const { url } of await createValidRequests(sandbox, operation, { account, most: 2 }))
      // If an account has no such record, the id is 1.
      if (!/[/=]1(?=[/?&]|$)/.test(url)) urls.push({ by, path: url })
  }
  return urls
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
