import { parseIso } from '../../lib/time.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { toUuid } from '../../world/random.ts'
import { toWorldId, toWorldName } from '../../world/world-name.ts'
import { createApiError, truncateForMessage } from '../../errors.ts'
import type { World } from '../world.ts'
import { toLinkKey } from '../links/links.table.ts'
import { isDeletedLink, findLink } from '../links/links.ts'
import type { Link } from '../links/links.ts'
import type { LinkShare } from './link-shares.table.ts'
import { defineFactory } from '../define.ts'

/** The fields of a public page that a caller can set. */
export type ShareFields = Partial<Pick<LinkShare, 'label' | 'expiresAt'>>

/** Returns the public pages of a link, oldest first. */
export function listLinkShares(world: World, { kind, id }: Link): LinkShare[] {
  return world.db.linkShares.list('byLink', toLinkKey(kind, id))
}

/** Creates a public page of a link. */
export function createShare(
  world: World,
  link: Link,
  { label = null, expiresAt = null }: ShareFields,
): LinkShare {
  const now = world.clock.iso()
  const { kind, id: linkId, accountId } = link
  const id = deriveWorldToken(world, world.random.uuid())
  return world.db.linkShares.insert({
    id,
    number: world.nextId('linkShares'),
    accountId,
    kind,
    linkId,
    label,
    expiresAt,
    createdAt: now,
    updatedAt: now,
  })
}

/**
 * Replaces the tokens of public pages that were copied from another world, because tokens must be
 * unique across worlds. Pages in `known` are the initial pages of this world and get their original
 * tokens back.
 */
export function renewShareTokens(world: World, known: readonly LinkShare[] = []): void {
  for (const share of world.db.linkShares.all()) {
    const knownShare = known.find(
      ({ number, kind, linkId }) =>
        number === share.number && kind === share.kind && linkId === share.linkId,
    )
    world.db.linkShares.remove(share.id)
    world.db.linkShares.insert({
      ...share,
      id: knownShare?.id ?? deriveWorldToken(world, share.id),
    })
  }
}

/**
 * Returns the link's share with the given id.
 * @throws {ApiError} share_unknown
 */
export function requireShare(world: World, link: Link, shareId: string): LinkShare {
  const share = world.db.linkShares.get(shareId)
  if (share?.linkId !== link.id || share.kind !== link.kind)
    throw createApiError('share_unknown', { share_id: truncateForMessage(shareId, 80) })
  return share
}

/** Updates the given fields of a share. */
export function updateShare(world: World, share: LinkShare, fields: ShareFields): LinkShare {
  return world.db.linkShares.update(share.id, { ...fields, updatedAt: world.clock.iso() })
}

/** True if the share has not expired. */
export function isShareActive(world: World, share: LinkShare): boolean {
  return share.expiresAt === null || !world.clock.hasReached(parseIso(share.expiresAt))
}

/**
 * Returns the public page with the given token, and its link.
 * @throws {ApiError} share_unknown if the page has expired, or if the page, its link or its account
 * no longer exists
 */
export function requireActiveShare(world: World, token: string): { share: LinkShare; link: Link } {
  const share = world.db.linkShares.get(token)
  const link = share && findLink(world, share.kind, share.linkId)
  const isLinkThere =
    link !== undefined &&
    !isDeletedLink(link) &&
    world.db.accounts.get(link.accountId)?.connected === true
  if (share === undefined || !isLinkThere || !isShareActive(world, share))
    throw createApiError('share_unknown', { share_id: truncateForMessage(token, 80) })
  return { share, link }
}

/**
 * Returns the URL of a public page. In an isolated world, the URL contains the world's id, so that
 * a load balancer can route its requests.
 */
export function toShareUrl({ baseUrl, id }: World, token: string): string {
  const name = toWorldName(id)
  return `${baseUrl}/share/${token}${name === undefined ? '' : `?world=${name}`}`
}

/** Returns the world id from the query of a public page's URL. Undefined for the default world. */
export function readShareWorldId(query: string): string | undefined {
  const name = new URLSearchParams(query).get('world')
  return name === null ? undefined : toWorldId(name)
}

/**
 * Derives a token from a UUID and the world id, because forks of a world generate the same UUIDs
 * but need different tokens.
 */
export function deriveWorldToken({ id }: World, uuid: string): string {
  return toUuid(bytesToHex(sha256(utf8ToBytes(`share\n${id}\n${uuid}`))))
}

/**
 * Fills in missing fields of public link pages. By default, a page is open and belongs to a
 * tracking link.
 */
export const linkShareFactory = defineFactory({
  name: 'linkShare',
  table: 'linkShares',
  time: 'createdAt',
  complete(given, context) {
    const { world, iso } = context
    const { kind = 'tracking' } = given
    const named = given.linkId === undefined ? undefined : findLink(world, kind, given.linkId)
    const accountId = given.accountId ?? named?.accountId ?? context.accountId(given)
    const links = kind === 'tracking' ? world.db.trackingLinks : world.db.trialLinks
    const linkId =
      given.linkId ??
      context.only(
        'linkId',
        links.in('byAccount', accountId).walk(),
        `${kind} link of the account ${accountId}`,
      )
    return {
      id: deriveWorldToken(world, context.random.uuid()),
      number: context.id,
      accountId,
      kind,
      linkId,
      createdAt: iso,
      updatedAt: iso,
    }
  },
})
