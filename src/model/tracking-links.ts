import { z } from 'zod'
import { linkFields, nothingMarked } from './link-fields.ts'
import type { Account } from './organisations.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { World } from './world.ts'

/** A campaign link of an account. */
export const TrackingLink = z.object({
  ...linkFields,
  kind: z.literal('tracking'),
  campaignName: z.string(),
  campaignCode: z.int(),
  campaignUrl: z.string(),
  /** Clicks since its creation. */
  countTransitions: z.int(),
  /** When it was deleted. */
  endDate: z.iso.datetime().nullable(),
})
export type TrackingLink = Readonly<z.infer<typeof TrackingLink>>

export const trackingLinks = defineTable({
  schema: TrackingLink,
  indexes: {
    byAccount: { group: (link) => link.accountId, order: orderBy(descending((link) => link.createdAt), descending((link) => link.id)) },
    byCode: { group: (link) => codeKey(link.accountId, link.campaignCode), order: ascending((link) => link.id) },
    byTag: { group: (link) => link.tags, order: ascending((link) => link.id) },
  },
})

/** Makes a tracking link, with every metric at zero. */
export function createTrackingLink(world: World, account: Account, { name, tagIds }: { name: string; tagIds: readonly number[] }): TrackingLink {
  const id = world.nextId('trackingLinks')
  const campaignCode = freeCode(world, account)
  return world.db.trackingLinks.insert({
    id,
    kind: 'tracking',
    accountId: account.id,
    campaignName: name,
    campaignCode,
    campaignUrl: `https://platform.example/${account.username}/c${campaignCode}`,
    countTransitions: 0,
    createdAt: world.clock.iso(),
    endDate: null,
    ...nothingMarked,
    tags: [...tagIds],
  })
}

/** Deletes the link: it is 404 from now on and keeps its end date. */
export function deleteTrackingLink(world: World, link: TrackingLink): void {
  world.db.trackingLinks.update(link.id, { endDate: world.clock.iso() })
}

/** A code that no other link of the account has: it is a part of the address. */
function freeCode(world: World, { id }: Account): number {
  let code = world.random.integer(1000, 99_999)
  while (world.db.trackingLinks.in('byCode', codeKey(id, code)).size > 0) code += 1
  return code
}

function codeKey(accountId: number, code: number): string {
  return `${accountId}:${code}`
}
