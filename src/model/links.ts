import { z } from 'zod'
import { apiError } from '../errors.ts'
import type { Subscription } from './fans.ts'
import type { Account, Organisation } from './organisations.ts'
import type { SortedList } from './sorted-list.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { World } from './world.ts'

/** A campaign link of an account, with the service's own fields (custom name to hidden). */
export const TrackingLink = z.object({
  id: z.int(),
  accountId: z.int(),
  campaignName: z.string(),
  campaignCode: z.int(),
  campaignUrl: z.string(),
  /** Clicks since its creation. */
  countTransitions: z.int(),
  createdAt: z.iso.datetime(),
  /** When it was deleted. */
  endDate: z.iso.datetime().nullable(),
  customName: z.string().nullable(),
  note: z.string().nullable(),
  customSourceUrl: z.string().nullable(),
  promoCost: z.number().nullable(),
  isHidden: z.boolean(),
  tags: z.array(z.int()),
})
export type TrackingLink = Readonly<z.infer<typeof TrackingLink>>

/** A tag of an organisation, to be put on links. */
export const Tag = z.object({ id: z.int(), organisation: z.int(), name: z.string(), color: z.string().nullable(), created_at: z.iso.datetime() })
export type Tag = Readonly<z.infer<typeof Tag>>

export const trackingLinks = defineTable({
  schema: TrackingLink,
  indexes: {
    byAccount: { group: (link) => link.accountId, order: orderBy(descending((link) => link.createdAt), descending((link) => link.id)) },
    visible: { group: (link) => (link.endDate === null ? `${link.accountId}:${link.isHidden ? 'hidden' : 'visible'}` : null), order: orderBy(descending((link) => link.createdAt), descending((link) => link.id)) },
    all: { group: (link) => (link.endDate === null ? link.accountId : null), order: orderBy(descending((link) => link.createdAt), descending((link) => link.id)) },
    byTag: { group: (link) => link.tags, order: ascending((link) => link.id) },
  },
})
export const tags = defineTable({
  schema: Tag,
  indexes: { byOrganisation: { group: (tag) => tag.organisation, order: ascending((tag) => tag.id) } },
})

/** The tracking link of that id on the account, unless it was deleted. @throws {ApiError} tracking_link_unknown */
export function requireTrackingLink(world: World, account: Account, linkId: number): TrackingLink {
  const link = world.db.trackingLinks.get(linkId)
  if (link?.accountId !== account.id || link.endDate !== null) throw apiError('tracking_link_unknown', { link_id: linkId, account_id: account.id })
  return link
}

/** Makes a link, with every metric at zero. Tags of other organisations are passed over. */
export function createTrackingLink(world: World, account: Account, { name, tagIds }: { name: string; tagIds: readonly number[] }): TrackingLink {
  const id = world.nextId('trackingLinks')
  const campaignCode = world.random.integer(1000, 99_999)
  return world.db.trackingLinks.insert({
    id,
    accountId: account.id,
    campaignName: name,
    campaignCode,
    campaignUrl: `https://platform.example/${account.username}/c${campaignCode}`,
    countTransitions: 0,
    createdAt: world.clock.iso(),
    endDate: null,
    customName: null,
    note: null,
    customSourceUrl: null,
    promoCost: null,
    isHidden: false,
    tags: [...tagIds],
  })
}

/** Deletes the link: it leaves every read and keeps its end date. */
export function deleteTrackingLink(world: World, link: TrackingLink): void {
  world.db.trackingLinks.update(link.id, { endDate: world.clock.iso() })
}

/** Those who subscribed through the link, newest first. */
export function claimersOf(world: World, link: TrackingLink): SortedList<Subscription> {
  return world.db.subscriptions.in('byTrackingLink', link.id)
}

/** The ids that are tags of the organisation, each once, in their order. */
export function ownTags(world: World, organisation: Organisation, ids: readonly number[]): number[] {
  return [...new Set(ids)].filter((id) => world.db.tags.get(id)?.organisation === organisation.id)
}

/** Replaces the tags of a link. */
export function setTags(world: World, link: TrackingLink, tagIds: readonly number[]): void {
  world.db.trackingLinks.update(link.id, { tags: [...tagIds] })
}

/** Adds tags to a link, keeping those that it has. */
export function addTags(world: World, link: TrackingLink, tagIds: readonly number[]): void {
  setTags(world, link, [...new Set([...link.tags, ...tagIds])])
}

/** The tag of that id, when it is the organisation's. @throws {ApiError} tag_unknown */
export function requireTag(world: World, organisation: Organisation, tagId: number): Tag {
  const tag = world.db.tags.get(tagId)
  if (tag?.organisation !== organisation.id) throw apiError('tag_unknown', { tag_id: tagId })
  return tag
}

/** Makes a tag. */
export function createTag(world: World, organisation: Organisation, { name, color = null }: { name: string; color?: string | null }): Tag {
  return world.db.tags.insert({ id: world.nextId('tags'), organisation: organisation.id, name, color, created_at: world.clock.iso() })
}

/** Removes a tag, from every link that has it too. */
export function deleteTag(world: World, tag: Tag): void {
  for (const link of world.db.trackingLinks.in('byTag', tag.id).slice()) {
    setTags(world, link, link.tags.filter((id) => id !== tag.id))
  }
  world.db.tags.remove(tag.id)
}
