import type { Random } from '../../world/random.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { toCodeKey } from './tracking-links.table.ts'
import type { TrackingLink } from './tracking-links.table.ts'

/** Creates a tracking link with all metrics at 0. */
export function createTrackingLink(
  world: World,
  account: Account,
  { name, tagIds }: { name: string; tagIds: readonly number[] },
): TrackingLink {
  const id = world.nextId('trackingLinks')
  const campaignCode = pickUnusedCode(world, account, world.random)
  return world.db.trackingLinks.insert({
    id,
    kind: 'tracking',
    accountId: account.id,
    campaignName: name,
    campaignCode,
    campaignUrl: toTrackingUrl(account, campaignCode),
    createdAt: world.clock.iso(),
    tags: [...tagIds],
  })
}

/** Returns the URL of a tracking link. */
export function toTrackingUrl(
  { username }: Pick<Account, 'username'>,
  campaignCode: number,
): string {
  return `https://platform.example/${username}/c${campaignCode}`
}

/** Deletes a link, so that its routes return 404. The row is kept, with the time of deletion. */
export function deleteTrackingLink(world: World, link: TrackingLink): void {
  world.db.trackingLinks.update(link.id, { endDate: world.clock.iso() })
}

/**
 * Picks a random unused code for a link of the account. The code becomes part of the link's URL.
 */
export function pickUnusedCode(world: World, { id }: Pick<Account, 'id'>, random: Random): number {
  let code = random.integer(1000, 99_999)
  while (world.db.trackingLinks.in('byCode', toCodeKey(id, code)).size > 0) code += 1
  return code
}
