import { describe, expect, it } from 'vitest'
import { routes } from '../../src/resources/all-resources.ts'
import { findBusiestLink, kinds } from '../support/links.ts'
import { openClient } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

const fanRecords = '/v1/:account_id/fm/fans/:fan_id'
const sharePermissions = (kind: string) => {
  const path = `/v1/:account_id/${kind}-links/:link_id/shares`
  return [
    [`api_${kind}_links_list_shares`, [`GET ${path}`]],
    [`api_${kind}_links_create_share`, [`POST ${path}`]],
    [`api_${kind}_links_update_share`, [`PATCH ${path}/:share_id`]],
    [`api_${kind}_links_delete_share`, [`DELETE ${path}/:share_id`]],
  ] as const
}

/** Permissions and their routes, from the reference. */
const named: readonly (readonly [string, readonly string[]])[] = [
  ['api_posts_list', ['GET /v1/:account_id/posts']],
  ['api_posts_create', ['POST /v1/:account_id/posts']],
  ['api_posts_delete', ['DELETE /v1/:account_id/posts/:post_id']],
  ['api_posts_read_stats', ['GET /v1/:account_id/posts/:post_id/stats']],
  ['api_posts_list_comments', ['GET /v1/:account_id/posts/:post_id/comments']],
  ['api_engagement_list_posts', ['GET /v1/:account_id/engagement/posts/:by']],
  [
    'api_fans_read_transactions',
    ['POST /v1/fans/:fan_id/transactions', 'POST /v1/fans/:fan_id/transactions/counts'],
  ],
  ['api_fans_read_stats', ['POST /v1/fans/:fan_id/stats']],
  ['api_fans_list', ['POST /v1/fans']],
  ['api_fans_read', ['GET /v1/:account_id/fans', 'GET /v1/:account_id/fans/:user_id']],
  ['api_fm_fans_read_name', [`GET ${fanRecords}/name`]],
  ['api_fm_fans_update_name', [`PATCH ${fanRecords}/name`]],
  ['api_fm_fans_read_note', [`GET ${fanRecords}/note`]],
  ['api_fm_fans_update_note', [`PATCH ${fanRecords}/note`]],
  ['api_fm_fans_read_metadata', [`GET ${fanRecords}/metadata`]],
  ['api_fm_fans_update_metadata', [`PATCH ${fanRecords}/metadata`]],
  ['api_fm_fans_read_links', [`GET ${fanRecords}/links`]],
  ['api_fm_fans_read_chat_summary', [`GET ${fanRecords}/chat-summary`]],
  ['api_vault_lists_create', ['POST /v1/:account_id/vault/lists']],
  ['api_vault_lists_rename', ['PATCH /v1/:account_id/vault/lists/:list_id']],
  ['api_vault_lists_delete', ['DELETE /v1/:account_id/vault/lists/:list_id']],
  [
    'api_tracking_links_list_claimers',
    [
      'GET /v1/:account_id/tracking-links/:tracking_link_id/claimers',
      'GET /v1/:account_id/fm/tracking-links/:link_id/claimers',
    ],
  ],
  [
    'api_trial_links_list_subscribers',
    [
      'GET /v1/:account_id/trial-links/:trial_link_id/subscribers',
      'GET /v1/:account_id/fm/trial-links/:link_id/subscribers',
    ],
  ],
  ['api_tracking_links_delete', ['DELETE /v1/:account_id/tracking-links/:link_id']],
  ['api_tracking_links_update', ['PATCH /v1/:account_id/tracking-links/:link_id']],
  ['api_trial_links_update', ['PATCH /v1/:account_id/trial-links/:link_id']],
  ...sharePermissions('tracking'),
  ...sharePermissions('trial'),
  ['api_tags_set_tracking_link', ['PUT /v1/:account_id/tracking-links/:tracking_link_id/tags']],
  ['api_tags_bulk_add_tracking_links', ['POST /v1/:account_id/tracking-links/tags/add']],
  ['api_messages_attach_tags', ['POST /v1/:account_id/messages/:message_id/attach-tags']],
  ['api_chats_hide', ['POST /v1/:account_id/chats/:chat_id/hide']],
  ['api_notifications_update_settings', ['PATCH /v1/:account_id/notifications/settings']],
  ['api_notifications_update_tabs_order', ['PUT /v1/:account_id/notifications/tabs-order']],
  ['api_mass_messages_list_buyers', ['GET /v1/:account_id/mass-messages/:message_id/buyers']],
]

it.each(named)(
  'requires %s only for the routes in the reference (reference §4)',
  (permission, ids) => {
    expect(new Set(idsOf(routes.filter((route) => route.permission === permission)))).toEqual(
      new Set(ids),
    )
  },
)

it('has all routes that need a key under /v1/ (reference §1, §9.1)', () => {
  const gated = routes.filter(({ accessChecks }) => accessChecks !== 'none')
  expect(idsOf(gated.filter(({ path }) => !path.startsWith('/v1/')))).toEqual([])
})

it('serves the twelve fan routes of September 22 from its own data (reference §9.4)', () => {
  const added = routes.filter(({ permission }) =>
    /^api_(fans_list|fans_read_stats|fans_read_transactions|fm_fans_\w+)$/.test(permission ?? ''),
  )
  expect([added.length, added.filter(({ kind }) => kind !== 'service')]).toEqual([12, []])
})

describe('links', () => {
  it.each(kinds)(
    'never restores the token of a deleted share of a %s link (§3, §4 known behaviour 3)',
    async (kind) => {
      const client = await openClient('agency')
      const shares = `${kind}-links/${findBusiestLink(client, kind, client.account()).id}/shares`
      const gone = await client.postData(shares, { label: 'Ann' })
      expect((await client.delete(`${shares}/${gone.id}`)).body.data).toEqual({ success: true })
      const next = await client.postData(shares, { label: 'Ann' })
      expect(next.id).not.toBe(gone.id)
      expect((await client.get(gone.url, { key: null })).status).toBe(404)
      expect((await client.get(next.url, { key: null })).status).toBe(200)
      expect((await client.patch(`${shares}/${gone.id}`, { label: 'Ann' })).status).toBe(404)
      expect((await client.delete(`${shares}/${gone.id}`)).status).toBe(404)
    },
  )
})

describe('roles of the agency', () => {
  it('allow the chatter to use chats, fans and the vault, but no money routes', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = client.db.chats.find((chat) => chat.accountId === account && !chat.isHidden)!
    const asChatter = { key: 'chatter' }
    const read = async (path: string) => (await client.get(path, asChatter)).status
    const write = async (path: string, body: object) =>
      (await client.post(path, body, asChatter)).status
    const chats = ['chats', `chats/${fanId}/messages`, 'vault/media', 'vault/lists']
    for (const path of [...chats, `fans/${fanId}`, 'subscribers', `fm/fans/${fanId}/note`])
      expect([path, await read(path)]).toEqual([path, 200])
    expect(await write(`chats/${fanId}/messages`, { text: 'Hello' })).toBe(200)
    const money = ['payouts/balances', 'earnings/overview', 'subscribers/top', 'highlights/fan']
    for (const path of [...money, 'mass-messages', 'tracking-links'])
      expect([path, await read(path)]).toEqual([path, 403])
    for (const path of ['', `/${fanId}/stats`, `/${fanId}/transactions`])
      expect(await write(`/v1/fans${path}`, { account_ids: [account] })).toBe(403)
    expect((await client.send('DELETE', 'vault/media/1', asChatter)).status).toBe(403)
  })

  it('allow the analyst to read everything and change nothing', async () => {
    const client = await openClient('agency')
    const granted = client.db.apiKeys.find({ role: 'analyst' })!.permissions
    const isReading = ({ method, id }: (typeof routes)[number]) =>
      method === 'GET' ||
      /^POST \/v1\/fans(\/:fan_id\/(stats|transactions|transactions\/counts))?$/.test(id)
    const keyed = routes.filter(({ permission }) => permission !== null)
    expect(
      idsOf(keyed.filter((route) => granted.includes(route.permission ?? '') !== isReading(route))),
    ).toEqual([])
  })
})
