import { z } from 'zod'
import { apiError } from '../errors.ts'
import type { TrackingLink } from './links.ts'
import { ascending, defineTable, orderBy } from './table.ts'
import type { World } from './world.ts'

/** A public page of a link; its id is the token that opens it. */
export const LinkShare = z.object({
  id: z.uuid(),
  accountId: z.int(),
  trackingLinkId: z.int(),
  label: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type LinkShare = Readonly<z.infer<typeof LinkShare>>

export const linkShares = defineTable({
  schema: LinkShare,
  indexes: { byTrackingLink: { group: (share) => share.trackingLinkId, order: orderBy(ascending((share) => share.createdAt), ascending((share) => share.id)) } },
})

/** What can be set of a share. */
export type ShareFields = Partial<Pick<LinkShare, 'label' | 'expiresAt'>>

/** Makes a public page of a link. */
export function createShare(world: World, link: TrackingLink, { label = null, expiresAt = null }: ShareFields): LinkShare {
  const now = world.clock.iso()
  return world.db.linkShares.insert({ id: world.random.uuid(), accountId: link.accountId, trackingLinkId: link.id, label, expiresAt, createdAt: now, updatedAt: now })
}

/** The share of that id on the link. @throws {ApiError} share_unknown */
export function requireShare(world: World, link: TrackingLink, shareId: string): LinkShare {
  const share = world.db.linkShares.get(shareId)
  if (share?.trackingLinkId !== link.id) throw apiError('share_unknown', { share_id: shareId })
  return share
}

/** Sets what is given of a share. */
export function updateShare(world: World, share: LinkShare, fields: ShareFields): LinkShare {
  return world.db.linkShares.update(share.id, { ...fields, updatedAt: world.clock.iso() })
}

/** Whether the page of a share opens now. */
export function isOpen(world: World, share: LinkShare): boolean {
  return share.expiresAt === null || share.expiresAt > world.clock.iso()
}

/** The link that a token opens the page of. @throws {ApiError} share_unknown for one deleted, expired, or of a link that is gone. */
export function openShare(world: World, token: string): { share: LinkShare; link: TrackingLink } {
  const share = world.db.linkShares.get(token)
  const link = share && world.db.trackingLinks.get(share.trackingLinkId)
  const isThere = link !== undefined && link.endDate === null && world.db.accounts.get(link.accountId)?.connected === true
  if (share === undefined || !isThere || !isOpen(world, share)) throw apiError('share_unknown', { share_id: token.slice(0, 80) })
  return { share, link }
}
